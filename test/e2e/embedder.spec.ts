import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { testEmbedder, type TestEmbedder } from '../support/test-embedder.js';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'countersign-embedder-'));
const tokenFile = join(folder, 'token');
const authority = join(folder, 'authority.pem');
let api: TestApi;
let admin: HttpAs;
let baseUrl: string;
let embedder: TestEmbedder;

beforeAll(async () => {
  embedder = await testEmbedder();
  api = await testApi({ config: { allowedPrivateHosts: [new URL(embedder.url).host] } });
  await api.app.listen(0, '127.0.0.1');
  baseUrl = await api.app.getUrl();
  const tenant = await api.tenant();
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
  expect(await run(['show'])).toMatchObject({ exitCode: 1 });
  expect(await run(['test'])).toMatchObject({ exitCode: 1 });
  expect(await run(['set', embedder.url, '--model', 'meaning-1', '--ca', authority])).toMatchObject({
    ...{ exitCode: 0, err: '' },
    out: expect.stringContaining(`Vectors come from meaning-1 at ${embedder.url}.`) as string,
  });
  expect(await shown()).toMatch(/ without a token\.\nIt was not asked yet\.\n$/);
  expect(await run(['test'])).toMatchObject({
    exitCode: 1,
    out: expect.stringMatching(/^It gave no vector: It answered 401\. /) as string,
  });
  expect(await shown()).toMatch(/\nIt has given no vector since .*: It answered 401\. /);
  expect((await run(['token', '-'], `${embedder.token}\n`)).out).toContain('The token is set.');
  expect(await run(['test'])).toMatchObject({ exitCode: 0, out: 'It gave a vector of 256 dimensions.\n' });
  expect(await shown()).toMatch(/, with a token\.\nIt last gave a vector at .*\.\n$/);
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
