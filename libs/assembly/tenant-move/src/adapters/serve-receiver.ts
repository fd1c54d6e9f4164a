import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { FailureError, type TenantId } from '#lib/kernel';
import type { Wrapped } from '../application/move.ports.js';
import { helloSchema, lineSchema, requestSchema, wrappedText, type ReceiverRequest } from './receiver-messages.js';
import { channelKeys, SealedChannel } from './sealed-channel.js';

/** The target's side of a move: its keyring, its signing keys and its audit log. */
export interface TargetKeys {
  readonly identity: string;
  /** As the receiver's. */
  reachedDatabase(moveId: string): Promise<string | null>;
  wrap(purpose: string, plain: Uint8Array): Promise<Wrapped>;
  unwrap(purpose: string, wrapped: Wrapped): Promise<Uint8Array>;
  addMoved(keys: readonly { readonly purpose: string; readonly id: string; readonly key: Uint8Array }[]): Promise<void>;
  keepSigningKey(tenantId: TenantId, name: string, key: Uint8Array): Promise<void>;
  startEpoch(command: {
    readonly tenantId: TenantId;
    readonly moveId: string;
    readonly closed: number;
    readonly reason: string;
  }): Promise<number>;
}

/** Answers the requests of `countersign tenant move` until its input ends. A line that was not sealed by it ends the work. */
export async function serveReceiver(input: Readable, output: Writable, keys: TargetKeys): Promise<void> {
  const own = channelKeys();
  let channel: SealedChannel | null = null;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (channel === null) {
      channel = new SealedChannel(own.privateKey, helloSchema.parse(JSON.parse(line)).publicKey);
      output.write(`${JSON.stringify({ publicKey: own.publicKey, identity: keys.identity })}\n`);
      continue;
    }
    const request = requestSchema.parse(channel.open(lineSchema.parse(JSON.parse(line)).sealed));
    const answer = await answerTo(request, keys, channel).then(
      (value) => ({ ok: true, value }),
      (error: unknown) => ({ ok: false, message: wordsOf(error) }),
    );
    output.write(`${JSON.stringify({ sealed: channel.seal(answer) })}\n`);
  }
}

/** With the action: it is told at the other end, and the settings are here. */
function wordsOf(error: unknown): string {
  if (error instanceof FailureError) return [error.message, error.failure.action ?? ''].join(' ').trim();
  return error instanceof Error ? error.message : 'It failed.';
}

async function answerTo(request: ReceiverRequest, keys: TargetKeys, channel: SealedChannel): Promise<unknown> {
  switch (request.op) {
    case 'reached_database':
      return keys.reachedDatabase(request.moveId);
    case 'wrap':
      return Promise.all(
        request.values.map(async ({ purpose, plain }) => wrappedText(await keys.wrap(purpose, plain))),
      );
    case 'digests':
      return Promise.all(
        request.values.map(async ({ purpose, wrapped }) =>
          // A value that does not open differs from every other.
          keys.unwrap(purpose, wrapped).then(
            (plain) => channel.digest(purpose, plain),
            () => '',
          ),
        ),
      );
    case 'keys':
      await keys.addMoved(request.keys);
      return null;
    case 'signing_key':
      // A schema has checked its form. The sender's record names the tenant.
      await keys.keepSigningKey(request.tenantId as TenantId, request.name, request.key);
      return null;
    case 'epoch':
      // A schema has checked its form. The sender's record names the tenant.
      return keys.startEpoch({ ...request, tenantId: request.tenantId as TenantId });
  }
}
