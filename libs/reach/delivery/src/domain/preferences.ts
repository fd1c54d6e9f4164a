/** The kinds of messages that a person may switch off, for each channel that is theirs alone. */
export type MessageKind = 'requests' | 'reminders' | 'comments';

export type ChannelPreference = Readonly<Record<MessageKind, boolean>>;

/** By the name of the channel. A channel that is missing brings everything. */
export type ChannelPreferences = Readonly<Record<string, ChannelPreference>>;

export const EVERYTHING: ChannelPreference = { requests: true, reminders: true, comments: true };

export const wants = (preferences: ChannelPreferences | undefined, channel: string, kind: MessageKind): boolean =>
  (preferences?.[channel] ?? EVERYTHING)[kind];
