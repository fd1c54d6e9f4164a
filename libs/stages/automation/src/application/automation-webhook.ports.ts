import type { Tx } from '#lib/kernel';
import type { AutomationId } from '../domain/ids.js';

/** A message as it came: its headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, and its body byte for byte. */
export interface SignedMessage {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: string;
}

/** Whether one of the secrets signed a message within the last five minutes; compared in constant time. */
export type VerifyMessage = (secrets: readonly string[], message: SignedMessage) => boolean;

/** The secrets that sign the messages to automations. */
export interface AutomationSecrets {
  /** Puts another secret in force. Earlier ones are good until then (epoch milliseconds). */
  renew(tx: Tx, id: AutomationId, secret: string, earlierUntil: number): Promise<void>;
  /** Those that are good now, the newest first. */
  valid(tx: Tx, id: AutomationId): Promise<readonly string[]>;
}
