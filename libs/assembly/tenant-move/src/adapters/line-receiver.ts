import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { fail, FailureError } from '#lib/kernel';
import * as refusals from '../application/move-refusals.js';
import type { Receiver } from '../application/move.ports.js';
import { answerSchema, base64, helloSchema, lineSchema, wrappedSchema, wrappedText } from './receiver-messages.js';
import { channelKeys, SealedChannel } from './sealed-channel.js';

/**
 * The receiver at the other end of two streams, one request after another.
 *
 * @param input its answers.
 * @param output our requests.
 * @param end ends the process or the connection.
 * @throws {FailureError} `tenant_move.receiver_ended`, `tenant_move.receiver_answer`; also its requests do, and `tenant_move.receiver_refused`.
 */
export async function lineReceiver(input: Readable, output: Writable, end: () => Promise<void>): Promise<Receiver> {
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const next = async <T>(schema: z.ZodType<T>): Promise<T> => {
    const line = await lines.next();
    if (line.done === true) return fail(refusals.receiverEnded);
    try {
      return schema.parse(JSON.parse(line.value));
    } catch (cause) {
      throw new FailureError(refusals.receiverAnswer(line.value), { cause });
    }
  };
  const own = channelKeys();
  output.write(`${JSON.stringify({ publicKey: own.publicKey })}\n`);
  const hello = await next(helloSchema);
  const channel = new SealedChannel(own.privateKey, hello.publicKey);
  let before: Promise<unknown> = Promise.resolve();
  const ask = (request: object): Promise<unknown> => {
    const asked = before.then(async () => {
      output.write(`${JSON.stringify({ sealed: channel.seal(request) })}\n`);
      const answer = answerSchema.parse(channel.open((await next(lineSchema)).sealed));
      if (!answer.ok) return fail(refusals.receiverRefused(answer.message));
      return answer.value;
    });
    before = asked.catch(() => undefined);
    return asked;
  };
  return {
    identity: () => Promise.resolve(hello.identity ?? ''),
    reachedDatabase: async (moveId) =>
      z
        .string()
        .nullable()
        .parse(await ask({ op: 'reached_database', moveId })),
    wrap: async (values) =>
      z
        .array(wrappedSchema)
        .parse(
          await ask({ op: 'wrap', values: values.map(({ purpose, plain }) => ({ purpose, plain: base64(plain) })) }),
        ),
    digests: async (values) =>
      z.array(z.string()).parse(
        await ask({
          op: 'digests',
          values: values.map(({ purpose, wrapped }) => ({ purpose, wrapped: wrappedText(wrapped) })),
        }),
      ),
    digest: ({ purpose, plain }) => channel.digest(purpose, plain),
    takeKeys: async (keys) => {
      await ask({ op: 'keys', keys: keys.map((key) => ({ ...key, key: base64(key.key) })) });
    },
    takeSigningKey: async (tenantId, name, key) => {
      await ask({ op: 'signing_key', tenantId, name, key: base64(key) });
    },
    startEpoch: async (command) => z.int().parse(await ask({ op: 'epoch', ...command })),
    close: async () => {
      output.end();
      await end();
    },
  };
}
