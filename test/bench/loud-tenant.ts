import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** The benchmark's message to the process. */
export interface LoudTenant {
  /** Null for a server in the process itself, which answers at once: the load that the requests themselves are. */
  readonly origin: string | null;
  readonly tokens: readonly string[];
  readonly path: string;
  readonly body: string;
  readonly perSecond: number;
  /** Requests that are under way at the same time, at most. */
  readonly atOnce: number;
}

/** How many requests had each status, and how many were answered in a second. */
export interface Answers {
  readonly counts: Readonly<Record<string, number>>;
  readonly perSecond: number;
}

const TICK_MS = 10;

/**
 * Sends requests at a steady rate until it is told to end. If they are answered more slowly, it sends them as fast as they are
 * answered.
 */
async function shout(
  { tokens, path, body, perSecond, atOnce }: LoudTenant,
  origin: string,
  ended: AbortSignal,
): Promise<Answers> {
  const dispatcher = new Agent({ connections: atOnce });
  const counts: Record<string, number> = {};
  const pending = new Set<Promise<void>>();
  const send = async (token: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { statusCode, body: answer } = await request(origin + path, { method: 'POST', headers, body, dispatcher });
    await answer.dump();
    counts[statusCode] = (counts[statusCode] ?? 0) + 1;
  };
  const began = performance.now();
  for (let sent = 0; !ended.aborted;) {
    await delay(TICK_MS);
    for (; sent < ((performance.now() - began) * perSecond) / 1_000; sent += 1) {
      if (pending.size >= atOnce) continue;
      const sending = send(tokens[sent % tokens.length] ?? '').finally(() => pending.delete(sending));
      pending.add(sending);
    }
  }
  await Promise.all(pending);
  const seconds = (performance.now() - began) / 1_000;
  await dispatcher.close();
  return { counts, perSecond: Object.values(counts).reduce((sum, count) => sum + count, 0) / seconds };
}

/** A server that answers every request at once, as a call that is decided is answered. @returns its origin. */
async function answerAtOnce(): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume().once('end', () => response.writeHead(201).end('{}'));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A process of its own, so that its work delays no measurement. The first message begins it, the second ends it. */
process.once('message', (told: LoudTenant) => {
  const ended = new AbortController();
  process.once('message', () => {
    ended.abort();
  });
  const shouting = async (): Promise<Answers> => shout(told, told.origin ?? (await answerAtOnce()), ended.signal);
  void shouting().then((answers) => {
    process.send?.(answers, disconnect);
  });
});

/** Not before the answers have left. */
function disconnect(): void {
  process.disconnect();
}
