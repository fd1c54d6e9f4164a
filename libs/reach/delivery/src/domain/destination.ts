/** A message at a destination: the subject's own, kept up to date; one in its thread; or one to the requester alone. */
export type Showing = 'subject' | 'thread' | 'requester';

/** An address of a channel, and the message that it gets. */
export interface Destination {
  /** The name of the channel. */
  readonly channel: string;
  /** A person, a Slack channel or user, a mail address, a push subscription: the channel says which. */
  readonly address: string;
  readonly showing: Showing;
}

const CHANNEL = '[a-z]{1,20}';
const CHANNEL_NAME = new RegExp(`^${CHANNEL}$`);
const DESTINATION = new RegExp(`^(${CHANNEL}):(.{1,254}):(subject|thread|requester)$`);

/** Whether stored messages and preferences can hold the name. */
export const isChannelName = (name: string): boolean => CHANNEL_NAME.test(name);

/** The text that the outbox stores: `slack:C012:subject`, `email:<person>:subject`. */
export const destinationText = ({ channel, address, showing }: Destination): string =>
  `${channel}:${address}:${showing}`;

/** @throws {Error} if the text is no destination, which the outbox never stores. */
export function readDestination(text: string): Destination {
  const [, channel, address, showing] = DESTINATION.exec(text) ?? [];
  if (channel === undefined || address === undefined || showing === undefined)
    throw new Error(`"${text}" is no destination`);
  // The text is one that `destinationText` wrote.
  return { channel, address, showing: showing as Showing };
}
