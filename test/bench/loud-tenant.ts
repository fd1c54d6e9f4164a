import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** The benchmark's message to the process. */
export interface LoudTenant {
  readonly origin: string;
  readonly tokens: readonly string[];
  readonly path: string;
  readonly body: string;
  readonly perSecond: number;
  /** Requests that are under way at the same time, at most. */
  readonly atOnce: number;
}

/** How many requests had each status. */
export type Answers = Readonly<Record<string, number>>;

const TICK_MS = 10;

/** Sends requests at a steady rate, or as fast as they are answered if that is slower, until it is told to end. */
async function shout(
  { origin, tokens, path, body, perSecond, atOnce }: LoudTenant,
  ended: AbortSignal,
): Promise<Answers> {
  const dispatcher = new Agent({ connections: atOnce });
  const answers: Record<string, number> = {};
  const pending = new Set<Promise<void>>();
  const send = async (token: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { statusCode, body: answer } = await request(origin + path, { method: 'POST', headers, body, dispatcher });
    await answer.dump();
    answers[statusCode] = (answers[statusCode] ?? 0) + 1;
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
  await dispatcher.close();
  return answers;
}

/** A process of its own, so that its work delays no measurement: the first message begins it, the second ends it. */
process.once('message', (told: LoudTenant) => {
  const ended = new AbortController();
  process.once('message', () => {
    ended.abort();
  });
  void shout(told, ended.signal).then((answers) => {
    process.send?.(answers, disconnect);
  });
});

/** Not before the answers have left. */
function disconnect(): void {
  process.disconnect();
}
