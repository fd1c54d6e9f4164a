import { guardedAgent } from '#lib/outbound';
import { TEST_AUTHORITY } from '../../../../../test/support/test-authority.js';
import { testEmbedder, vectorOf, type TestEmbedder } from '../../../../../test/support/test-embedder.js';
import { EmbedderFailedError } from '../domain/embedder-failed.js';
import { askEmbedder, type EmbedderAddress } from './ask-embedder.js';

let server: TestEmbedder;
beforeAll(async () => {
  server = await testEmbedder();
});
beforeEach(() => {
  server.fails = null;
});
afterAll(() => server.close());

async function ask(
  texts: readonly string[],
  more: Partial<EmbedderAddress> = {},
  { deadlineMs = 5_000, hosts = [new URL(server.url).host] } = {},
): Promise<readonly Float32Array[]> {
  const agent = guardedAgent(hosts, 'own', 5_000, TEST_AUTHORITY);
  const address = { url: server.url, model: 'meaning-1', dimensions: null, token: server.token, ...more };
  try {
    return await askEmbedder(agent, address, texts, deadlineMs);
  } finally {
    void agent.destroy();
  }
}

const failureOf = async (asking: Promise<unknown>): Promise<EmbedderFailedError> => {
  const error = await asking.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EmbedderFailedError)) throw new Error(`no failure of an embedder: ${String(error)}`);
  return error;
};

/** The cosine of the angle to the vector that the server made. */
const likeness = (got: Float32Array | undefined, said: string): number => {
  const made = vectorOf(said, got?.length ?? 0);
  const length = Math.hypot(...made);
  return made.reduce((sum, part, at) => sum + (part / length) * (got?.[at] ?? 0), 0);
};

describe('an embedder with the API of OpenAI', () => {
  it('gives each text its own vector, in the order of the texts', async () => {
    const texts = ['restart the queue', 'renew the certificate', 'grow the disk'];
    const vectors = await ask(texts);
    expect(vectors.map((vector, index) => likeness(vector, texts[index] ?? '').toFixed(4))).toEqual(
      texts.map(() => '1.0000'),
    );
  });

  it('is asked for a length, and for none if the model decides', async () => {
    expect((await ask(['one']))[0]).toHaveLength(256);
    expect((await ask(['one'], { dimensions: 64 }))[0]).toHaveLength(64);
    expect((await ask(['one'], { url: `${server.url}/` }))[0]).toHaveLength(256);
  });

  it('tells a limit, with its wait, from a question that it rejects and from its own failures', async () => {
    server.fails = { status: 429, headers: { 'retry-after': '7' } };
    expect(await failureOf(ask(['one']))).toMatchObject({ failure: 'limited', retryAfterMs: 7_000 });
    server.fails = { status: 429, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } };
    const { retryAfterMs } = await failureOf(ask(['one']));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    server.fails = null;
    expect(await failureOf(ask(['']))).toMatchObject({ failure: 'rejected', retryAfterMs: null });
    expect(await failureOf(ask(['one'], { model: 'none' }))).toMatchObject({ failure: 'unavailable' });
    for (const status of [302, 500, 503]) {
      server.fails = { status, headers: { location: server.url } };
      expect(await failureOf(ask(['one']))).toMatchObject({ failure: 'unavailable' });
    }
    server.fails = { status: 200, body: '{"data":[]}' };
    expect(await failureOf(ask(['one']))).toMatchObject({ failure: 'unavailable' });
  });

  it('T32: shows no token in its failure, also if the server repeats it', async () => {
    const { message } = await failureOf(ask(['one'], { token: 'a-wrong-token' }));
    expect(message).toMatch(/^It answered 401\. /);
    expect(message).toContain('Incorrect API key provided');
    expect(message).not.toContain('a-wrong-token');
  });

  it('T31: is not asked at an address that the operator does not allow', async () => {
    const before = server.requests();
    const { message } = await failureOf(ask(['one'], {}, { hosts: [] }));
    expect(message).toContain('COUNTERSIGN_ALLOWED_PRIVATE_HOSTS');
    expect(server.requests()).toBe(before);
  });

  it('has a bounded time, and a bounded answer', async () => {
    server.holds = true;
    const late = await failureOf(ask(['one'], {}, { deadlineMs: 100 }));
    expect(late).toMatchObject({ failure: 'late', message: 'It did not answer in time.' });
    server.release();
    server.fails = { status: 200, body: ' '.repeat(4 * 1_048_576 + 1) };
    expect((await failureOf(ask(['one']))).message).toContain('answered with more than 4194304 bytes');
  });
});
