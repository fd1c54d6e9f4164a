import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { testApi, type TestApi } from '../support/api.js';
import { testCollector, type TestCollector } from '../support/siem-collector.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'countersign-siem-'));
const tokenFile = join(folder, 'token');
let api: TestApi;
let baseUrl: string;
let collector: TestCollector;
let worker: { stop(): Promise<void> };

beforeAll(async () => {
  collector = await testCollector();
  api = await testApi({ config: { allowedPrivateHosts: [new URL(collector.url).host] } });
  worker = await workerOf(api);
  await api.app.listen(0, '127.0.0.1');
  baseUrl = await api.app.getUrl();
  const { admin } = await api.tenant();
  writeFileSync(tokenFile, admin.token, { mode: 0o600 });
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await api.close();
  await collector.close();
  rmSync(folder, { recursive: true });
});

const run = async (argv: readonly string[], input = ''): Promise<{ exitCode: number; out: string; err: string }> => {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(['siem', ...argv], {
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

it('a SIEM collector is set, fails until it has its token, is tested, shown and removed on the command line', async () => {
  expect(await run(['show'])).toMatchObject({ exitCode: 1 });
  expect(await run(['test'])).toMatchObject({ exitCode: 1 });
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, TEST_AUTHORITY);
  expect(await run(['set', collector.url, '--ca', authority])).toMatchObject({ exitCode: 0, err: '' });
  await until(async () => (await shown()).includes('It answered 401.'));
  expect(await shown()).toMatch(
    /without a token\.\n.*\nEntries that wait: [1-9][0-9]*, since .*\.\nThe next attempt is at /,
  );
  expect((await run(['token', '-'], `${collector.token}\n`)).out).toContain('The token is set.');
  expect((await run(['test'])).out).toContain('A test event is on its way.');
  await until(async () => (await shown()).includes('It last took events at'));
  await until(() => collector.taken.join().includes('siem_collector_tested'));
  await until(async () => !(await shown()).includes('Entries that wait'));
  expect(await shown()).toContain(`Events are sent to ${collector.url}, with a token.`);
  expect(await run(['remove'])).toMatchObject({ exitCode: 0, out: 'Nothing is sent to it any more.\n' });
  expect(await run(['show'])).toMatchObject({ exitCode: 1 });
});
