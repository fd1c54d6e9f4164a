import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findPython } from '../../tools/python-environment.mjs';
import { askEmbedder, type EmbedderAddress } from '#lib/embedding';
import { guardedAgent } from '#lib/outbound';
import { TEST_AUTHORITY } from './test-authority.js';
import { testEmbedder } from './test-embedder.js';

/** Texts of one request. */
const BATCH = 64;
const DEADLINE_MS = 120_000;
const MODEL = 'all-MiniLM-L6-v2';

/** An embedder with a real model, over HTTPS on the loopback interface. */
export interface ModelEmbedder {
  readonly address: EmbedderAddress;
  /** The vectors of texts, as Countersign asks for them. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/**
 * Serves all-MiniLM-L6-v2 as OpenAI serves its embeddings. A Python package carries the weights.
 *
 * @throws {Error} that says what to install if there is no Python for it.
 */
export async function modelEmbedder(): Promise<ModelEmbedder> {
  const python = findPython('test/scale/requirements.txt');
  if (python.path === null) throw new Error(python.reason);
  // One thread: on a busy machine more wait for each other.
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1' };
  const child = spawn(python.path, ['test/scale/embed-texts.py'], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const known = new Map<string, number[]>();
  let last: Promise<unknown> = Promise.resolve();
  // Answers come in the order of the questions. One that comes too late is there for the next try.
  const give = (_model: string, texts: readonly string[]): Promise<number[][]> => {
    const answer = last.then(async () => {
      const asked = texts.filter((text) => !known.has(text));
      if (asked.length > 0) child.stdin.write(`${JSON.stringify(asked)}\n`);
      const { done, value } = asked.length > 0 ? await lines.next() : { done: false, value: '[]' };
      if (done === true) throw new Error('The program of the model ended.');
      for (const [at, vector] of (JSON.parse(value) as number[][]).entries()) known.set(asked[at] ?? '', vector);
      return texts.map((text) => known.get(text) ?? []);
    });
    last = answer;
    return answer;
  };
  const server = await testEmbedder([MODEL], give);
  const agent = guardedAgent([new URL(server.url).host], 'own', DEADLINE_MS, TEST_AUTHORITY);
  const address = { url: server.url, model: MODEL, dimensions: null, token: server.token };
  return {
    address,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (let first = 0; first < texts.length; first += BATCH)
        vectors.push(...(await askEmbedder(agent, address, texts.slice(first, first + BATCH), DEADLINE_MS)));
      return vectors;
    },
    close: async () => {
      child.stdin.end();
      await agent.destroy();
      await server.close();
    },
  };
}
