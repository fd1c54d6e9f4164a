import { z } from 'zod';
import type { ToldRequest } from '#lib/approval';
import { requestMessage, type RequestMessage } from './request-message.js';
import { requestMessageSchema } from './request-message-schema.js';

/** Changes with the shape of {@link RequestMessage}: a worker of another version reads the records instead. */
const FORMAT = 'countersign.request-message/1';

const carriedSchema = z.strictObject({ format: z.literal(FORMAT), message: requestMessageSchema });

/** The facts around a request that change without it: they are read when the message is taken. */
export interface NamesAround {
  readonly requesterName: string;
  readonly onBehalfOfName: string | null;
  readonly environment: string;
  readonly past: string | null;
}

const UNKNOWN = { requesterName: '', onBehalfOfName: null, earlierApprovals: [], run: null, past: null };

/** A request as its first message carries it, spelled by the transaction that opens it. */
export const spellCarried = (told: ToldRequest): string =>
  JSON.stringify({ format: FORMAT, message: requestMessage(told, UNKNOWN) });

/**
 * Reads a text of {@link spellCarried}.
 *
 * @param text sealed: only Countersign writes it.
 * @returns null for another format or shape.
 */
export function readCarried(text: string): ((around: NamesAround) => RequestMessage) | null {
  const carried = carriedSchema.safeParse(JSON.parse(text));
  if (!carried.success) return null;
  const { message } = carried.data;
  return ({ requesterName, onBehalfOfName, environment, past }) => ({
    ...message,
    environment: { ...message.environment, name: environment },
    requester: { ...message.requester, name: requesterName, onBehalfOf: onBehalfOfName },
    past,
  });
}
