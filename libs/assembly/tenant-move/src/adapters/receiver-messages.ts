import { z } from 'zod';
import type { Wrapped } from '../application/move.ports.js';

const bytes = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));
export const base64 = (plain: Uint8Array): string => Buffer.from(plain).toString('base64');

export const wrappedSchema = z.strictObject({ keyId: z.string(), nonce: bytes, ciphertext: bytes });

/** A request of the command to the receiver, sealed. */
export const requestSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('reached_database'), moveId: z.uuid() }),
  z.strictObject({ op: z.literal('wrap'), values: z.array(z.strictObject({ purpose: z.string(), plain: bytes })) }),
  z.strictObject({
    op: z.literal('digests'),
    values: z.array(z.strictObject({ purpose: z.string(), wrapped: wrappedSchema })),
  }),
  z.strictObject({
    op: z.literal('keys'),
    keys: z.array(z.strictObject({ purpose: z.string(), id: z.string(), key: bytes })),
  }),
  z.strictObject({ op: z.literal('signing_key'), tenantId: z.uuid(), name: z.string(), key: bytes }),
  z.strictObject({ op: z.literal('epoch'), tenantId: z.uuid(), moveId: z.uuid(), closed: z.int(), reason: z.string() }),
]);
export type ReceiverRequest = z.infer<typeof requestSchema>;

/** The first line of each side, readable. */
export const helloSchema = z.strictObject({ publicKey: z.string(), identity: z.string().optional() });
/** Every later line. */
export const lineSchema = z.strictObject({ sealed: z.string() });
export const answerSchema = z.union([
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);

export const wrappedText = ({ keyId, nonce, ciphertext }: Wrapped) => ({
  keyId,
  nonce: base64(nonce),
  ciphertext: base64(ciphertext),
});
