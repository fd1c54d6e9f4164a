import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { keepPrecedent } from '../support/precedent-rows.js';
import { putCurrent } from '../support/put-current.js';
import { testEmbedder, type TestEmbedder } from '../support/test-embedder.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

const folder = mkdtempSync(join(tmpdir(), 'countersign-embedder-'));
const tokenFile = join(folder, 'token');
const authority = join(folder, 'authority.pem');
let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let baseUrl: string;
let embedder: TestEmbedder;

beforeAll(async () => {
  embedder = await testEmbedder();
  api = await testApi({ config: { allowedPrivateHosts: [new URL(embedder.url).host] } });
  await api.app.listen(0, '127.0.0.1');
  baseUrl = await api.app.getUrl();
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  writeFileSync(tokenFile, tenant.admin.token, { mode: 0o600 });
  writeFileSync(authority, TEST_AUTHORITY);
}, 60_000);
afterAll(async () => {
  await api.close();
  await embedder.close();
  rmSync(folder, { recursive: true });
});

const run = async (argv: readonly string[], input = ''): Promise<{ exitCode: number; out: string; err: string }> => {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(['embedder', ...argv], {
    environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: tokenFile },
    out: (text) => (out += text),
    err: (text) => (err += text),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(input),
    pieces: () => Readable.from([]),
    replay: (job) => Promise.resolve(replayDecisions(job)),
  });
  return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
};
const shown = async (): Promise<string> => (await run(['show'])).out;

it('an embedder is at an https address that the operator allows alone (T31)', async () => {
  for (const url of ['https://127.0.0.1:1/v1', 'http://models.example.com/v1', 'https://models.example.com/v1?key=1'])
    expect(expectStatus(await admin.put('/v1/embedder', { url, model: 'meaning-1' }), 422).body.code).toBe(
      'embedder.address_not_allowed',
    );
  expectStatus(await admin.put('/v1/embedder', { url: embedder.url, model: 'a b' }), 422);
  expectStatus(await admin.get('/v1/embedder'), 404);
});

it('an embedder is set, fails until it has its token, is tested, shown and removed on the command line', async () => {
  expect(await run(['show'])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('No embedder is set.') as string,
  });
  expect(await run(['test'])).toMatchObject({ exitCode: 1 });
  expect(await run(['set', embedder.url, '--model', 'meaning-1', '--ca', authority])).toMatchObject({
    ...{ exitCode: 0, err: '' },
    out: expect.stringContaining(`Vectors come from meaning-1 at ${embedder.url}.`) as string,
  });
  expect(await shown()).toMatch(/ without a token\.\nIt was not asked yet\.\nEvery precedent has its vector\.\n$/);
  expect(await run(['test'])).toMatchObject({
    exitCode: 1,
    out: expect.stringMatching(/^It gave no vector: It answered 401\. /) as string,
  });
  expect(await shown()).toMatch(
    /\nIt has given no vector since .*: It answered 401\. It asks for a token: set it\. .*\nEvery precedent has its vector\. A worker asks again at /,
  );
  expect((await run(['token', '-'], `${embedder.token}\n`)).out).toContain('The token is set.');
  expect(await run(['test'])).toMatchObject({ exitCode: 0, out: 'It gave a vector of 256 dimensions.\n' });
  expect(await shown()).toMatch(/, with a token\.\nIt last gave a vector at .*\.\nEvery precedent has its vector\.\n$/);
  expect(
    await run(['set', embedder.url, '--model', 'meaning-1', '--dimensions', '64', '--ca', authority]),
  ).toMatchObject({ exitCode: 0 });
  expect(await run(['test'])).toMatchObject({ exitCode: 0, out: 'It gave a vector of 64 dimensions.\n' });
  embedder.fails = { status: 307, headers: { location: 'https://127.0.0.1:1/elsewhere' } };
  expect((await run(['test'])).out).toContain('It gave no vector: It answered 307.');
  embedder.fails = null;
  expect(await run(['remove'])).toMatchObject({ exitCode: 0, out: 'No text is sent to it any more.\n' });
  expect(await run(['show'])).toMatchObject({ exitCode: 1 });
});

interface Found {
  readonly items: readonly { readonly goal: string | null; readonly equal: readonly string[] }[];
  readonly searched_by: string;
}

describe('precedents of a tenant with an embedder', () => {
  let worker: { stop(): Promise<void> };
  const search = async (text: string): Promise<Found> =>
    expectStatus(await admin.get(`/v1/precedents?text=${encodeURIComponent(text)}`), 200).body as Found;
  const hasVector = async (goal: string): Promise<boolean> => {
    const { rows } = await api.db.owner.query(
      `select from precedent_vector join precedent on precedent.id = precedent_id where goal = $1`,
      [goal],
    );
    return rows.length > 0;
  };
  const keep = (goal: string): Promise<string> =>
    api.db.uow.run(tenant.id, (tx) => keepPrecedent(tx, { goal, tools: ['run_playbook'], environment: 'production' }));
  const lookNow = () => api.db.owner.query('update embedder set next_at = now() where tenant_id = $1', [tenant.id]);

  beforeAll(async () => {
    worker = await workerOf(api);
    await keep('Replacing expired certificates');
    await keep('Connect with password=hunter2hunter2 to the mail relay');
    const settings = { url: embedder.url, model: 'meaning-1', ca: TEST_AUTHORITY };
    const { etag } = expectStatus(await admin.put('/v1/embedder', settings), 200).headers;
    expectStatus(await admin.put('/v1/embedder/token', { token: embedder.token }, { 'if-match': etag ?? '' }), 204);
  });
  afterAll(() => worker.stop());

  it('are found by meaning once a worker has given their vectors, and the answer says so', async () => {
    await until(() => hasVector('Replacing expired certificates'));
    // The vector of a question is kept. On a busy machine it comes too late for the first search.
    await until(async () => (await search('swap the x509')).searched_by === 'words, structure and meaning');
    expect(await search('swap the x509')).toMatchObject({
      items: [{ goal: 'Replacing expired certificates', equal: ['a similar meaning'] }],
      searched_by: 'words, structure and meaning',
    });
    expect(embedder.texts.join()).not.toContain('hunter2');
    expect(embedder.texts.join()).toContain('to the mail relay');
  });

  it('are found by words and structure while the embedder hangs or fails, without waiting for it', async () => {
    embedder.holds = true;
    const began = performance.now();
    const slow = await search('expired giraffes');
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(slow).toMatchObject({ items: [{ equal: ['the word expired'] }], searched_by: 'words and structure' });
    embedder.release();
    await until(async () => (await search('expired giraffes')).searched_by === 'words, structure and meaning');
    embedder.fails = { status: 503 };
    expect((await search('expired elephants')).searched_by).toBe('words and structure');
    await until(async () => String((await admin.get('/v1/embedder')).body.error).includes('503'));
    const asked = embedder.requests();
    expect((await search('expired zebras')).searched_by).toBe('words and structure');
    expect(embedder.requests()).toBe(asked);
  });

  it('get their vectors after a failure, and anew from another model', async () => {
    await keep('Draining the broker');
    await lookNow();
    await until(async () => String(expectStatus(await admin.get('/v1/embedder'), 200).body.error).includes('503'));
    expect(await hasVector('Draining the broker')).toBe(false);
    expect(await shown()).toMatch(/503\. It fails\. .*\n1 precedent waits for its vector\. A worker asks again at /);
    embedder.fails = null;
    expectStatus(await admin.post('/v1/embedder/test'), 200);
    await until(() => hasVector('Draining the broker'));
    expect(expectStatus(await admin.get('/v1/embedder'), 200).body).toMatchObject({ waiting: 0, next_try_at: null });
    const settings = { url: embedder.url, model: 'meaning-2', ca: TEST_AUTHORITY };
    expect(expectStatus(await admin.put('/v1/embedder', settings), 428).body.code).toBe('request.if_match_required');
    expectStatus(await putCurrent(admin, '/v1/embedder', settings), 200);
    await until(async () => {
      const { rows } = await api.db.owner.query('select from precedent_vector where generation = 1');
      return rows.length === 0;
    });
    expectStatus(await admin.delete('/v1/embedder'), 204);
    const { rows } = await api.db.owner.query('select from precedent_vector');
    expect(rows).toEqual([]);
  });
});
