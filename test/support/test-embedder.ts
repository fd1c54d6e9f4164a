import { createHash } from 'node:crypto';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './test-authority.js';

/** Words of one meaning. The embedder of tests knows these and no others; a text of other words has a direction of its own. */
const MEANINGS: readonly (readonly string[])[] = [
  ['swap', 'replace', 'replacing', 'exchange', 'renew', 'substitute'],
  ['cert', 'certificate', 'certificates', 'tls', 'x509'],
  ['reboot', 'restart', 'restarting', 'bounce', 'cycle'],
  ['machine', 'host', 'hosts', 'server', 'servers', 'node', 'nodes', 'box'],
  ['grow', 'enlarge', 'extend', 'expand', 'increase'],
  ['disk', 'volume', 'storage', 'drive'],
  ['password', 'passwords', 'credential', 'credentials', 'secret', 'login'],
  ['roll', 'rotate', 'rotating', 'refresh'],
  ['deny', 'block', 'blocking', 'ban', 'forbid'],
  ['visitor', 'visitors', 'client', 'clients', 'user', 'users', 'customer', 'customers'],
  ['slow', 'sluggish', 'latency', 'lag'],
  ['queue', 'queues', 'backlog', 'broker'],
  ['empty', 'drain', 'draining', 'evacuate', 'flush'],
  ['undo', 'revert', 'rollback', 'restore'],
  ['database', 'databases', 'postgres', 'db'],
];
const MEANING_OF = new Map(MEANINGS.flatMap((words) => words.map((word) => [word, words[0] ?? word])));
const EMPTY = new Set([
  'the',
  'a',
  'an',
  'of',
  'on',
  'in',
  'for',
  'to',
  'and',
  'its',
  'it',
  'from',
  'by',
  'is',
  'with',
]);

/** A vector that depends on the meanings of the words alone, and not on their order. It is not of length 1. */
export function vectorOf(said: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of said.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    if (EMPTY.has(word)) continue;
    const meaning = MEANING_OF.get(word);
    // Words of a known meaning say more than others.
    const weight = meaning === undefined ? 0.3 : 1;
    for (let at = 0; at < dimensions; at += 32) {
      const bytes = createHash('sha256')
        .update(`${meaning ?? word} ${String(at)}`)
        .digest();
      for (const [position, byte] of bytes.entries())
        if (at + position < dimensions)
          vector[at + position] = (vector[at + position] ?? 0) + (weight * (byte - 127.5)) / 128;
    }
  }
  return vector;
}

/** An embedder with the API of OpenAI over HTTPS. Its certificate is that of `TEST_AUTHORITY`. */
export interface TestEmbedder {
  /** The base of its API. */
  readonly url: string;
  /** The token that it asks for. */
  readonly token: string;
  /** The texts that it gave vectors for, in order of arrival. */
  readonly texts: readonly string[];
  /** How many requests it got, also those that it refused. */
  readonly requests: () => number;
  /** Answers instead of vectors; null for vectors. */
  fails: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } | null;
  /** Texts with this word are refused, as longer ones than the model takes are; null for none. */
  rejects: string | null;
  /** Requests that are held back until `release` is called. */
  holds: boolean;
  release(): void;
  close(): Promise<void>;
}

const OWN_DIMENSIONS = 256;
/** As OpenAI, in texts. */
const MAX_TEXTS = 2_048;

interface Asked {
  readonly model?: unknown;
  readonly input?: unknown;
  readonly encoding_format?: unknown;
  readonly dimensions?: unknown;
}

/** The vectors of texts, in their order. */
type GiveVectors = (
  model: string,
  texts: readonly string[],
  dimensions: number,
) => Promise<readonly (readonly number[])[]>;

const MODELS = ['meaning-1', 'meaning-2'];

const invented: GiveVectors = (model, texts, dimensions) =>
  Promise.resolve(texts.map((one) => vectorOf(`${model === MODELS[0] ? '' : 'other '}${one}`, dimensions)));

export async function testEmbedder(models: readonly string[] = MODELS, give = invented): Promise<TestEmbedder> {
  const texts: string[] = [];
  const held: (() => void)[] = [];
  let requests = 0;
  const refuse = (response: ServerResponse, status: number, message: string, headers = {}): void => {
    const error = { message, type: status === 401 ? 'invalid_request_error' : 'requests', param: null, code: null };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<void> => {
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      refuse(response, 404, 'Not found.');
      return;
    }
    if (request.headers.authorization !== `Bearer ${embedder.token}`) {
      refuse(response, 401, `Incorrect API key provided: ${request.headers.authorization ?? 'none'}.`);
      return;
    }
    const { fails } = embedder;
    if (fails !== null) {
      if (fails.body === undefined) refuse(response, fails.status, 'No vectors now.', fails.headers);
      else response.writeHead(fails.status, fails.headers).end(fails.body);
      return;
    }
    const { model, input, encoding_format: format = 'float', dimensions = OWN_DIMENSIONS } = JSON.parse(body) as Asked;
    if (typeof model !== 'string' || !models.includes(model)) {
      refuse(response, 404, `The model \`${String(model)}\` does not exist.`);
      return;
    }
    const said = (Array.isArray(input) ? input : [input]) as unknown[];
    const fine =
      said.length > 0 &&
      said.length <= MAX_TEXTS &&
      said.every((one) => typeof one === 'string' && one !== '' && one.length <= 30_000) &&
      format === 'float' &&
      typeof dimensions === 'number' &&
      Number.isInteger(dimensions) &&
      dimensions >= 1 &&
      dimensions <= 3_072;
    const { rejects } = embedder;
    if (!fine || (rejects !== null && said.some((one) => String(one).includes(rejects)))) {
      refuse(response, 400, "'$.input' is invalid.");
      return;
    }
    texts.push(...(said as string[]));
    const vectors = await give(model, said as string[], dimensions);
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ object: 'list', model, usage: { prompt_tokens: said.length, total_tokens: said.length } },
        // The index says which text a vector belongs to, and no order is promised.
        data: data.reverse(),
      }),
    );
  };
  const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, response) => {
    void text(request).then((body) => {
      requests += 1;
      const go = (): void => {
        void answer(request, response, body);
      };
      if (embedder.holds) held.push(go);
      else go();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const embedder: TestEmbedder = {
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    token: 'embedder-token-of-a-test',
    texts,
    requests: () => requests,
    fails: null,
    rejects: null,
    holds: false,
    release: () => {
      embedder.holds = false;
      for (const go of held.splice(0)) go();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return embedder;
}
