import type { PersonId } from '#lib/kernel';

/** The kinds of messages that a person may switch off, for each channel that is theirs alone. */
export type MessageKind = 'requests' | 'reminders' | 'comments';

export type ChannelPreference = Readonly<Record<MessageKind, boolean>>;

/** By the name of the channel. A channel that is missing brings everything. */
export type ChannelPreferences = Readonly<Record<string, ChannelPreference>>;

/** A row for each channel that a person has set. */
export interface StoredPreference extends ChannelPreference {
  readonly personId: PersonId;
  readonly channel: string;
}

/** The stored preferences of each person. */
export function preferencesOf(rows: readonly StoredPreference[]): ReadonlyMap<PersonId, ChannelPreferences> {
  const of = new Map<PersonId, Record<string, ChannelPreference>>();
  for (const { personId, channel, requests, reminders, comments } of rows)
    of.set(personId, { ...of.get(personId), [channel]: { requests, reminders, comments } });
  return of;
}

export const EVERYTHING: ChannelPreference = { requests: true, reminders: true, comments: true };

export const wants = (preferences: ChannelPreferences | undefined, channel: string, kind: MessageKind): boolean =>
  (preferences?.[channel] ?? EVERYTHING)[kind];
