import type { GuardedFetch } from '#lib/dispatch';
import { ChannelRegistry } from '../application/channel-registry.js';
import type { RecipientDirectory, Channel } from '../application/delivery.ports.js';
import type { ReadContent } from '../application/read-content.js';
import { MailChannel } from './mail/mail-channel.js';
import type { Mailer } from './mail/mail.ports.js';
import { PushChannel } from './push/push-channel.js';
import type { PushSubscriptions } from './push/push.ports.js';
import { WebPushSender } from './push/web-push-sender.js';

/** The parts of which channels are made. */
export interface ChannelParts {
  readonly contents: ReadContent;
  readonly directory: RecipientDirectory;
  readonly mailer: Mailer | null;
  readonly subscriptions: PushSubscriptions;
  /** The way out to addresses of a tenant, which the operator's rules guard. */
  readonly fetch: GuardedFetch;
  readonly publicUrl: string;
  /** Channels of other libraries. */
  readonly further: readonly Channel[];
}

/** Every channel. Each of this library's has a folder here, and a line below. */
export const channelsOf = (parts: ChannelParts): ChannelRegistry =>
  new ChannelRegistry([
    ...parts.further,
    new MailChannel(parts.contents, parts.directory, parts.mailer, parts.publicUrl),
    new PushChannel(parts.contents, parts.subscriptions, new WebPushSender(parts.fetch, parts.publicUrl)),
  ]);
