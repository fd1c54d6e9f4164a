import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { testApi, type TestApi } from '../support/api.js';

const folder = mkdtempSync(join(tmpdir(), 'countersign-lifecycle-'));
const tokenFile = join(folder, 'token');
let api: TestApi;
let baseUrl: string;

beforeAll(async () => {
  api = await testApi();
  await api.app.listen(0, '127.0.0.1');
  baseUrl = await api.app.getUrl();
  const tenant = await api.tenant();
  writeFileSync(tokenFile, tenant.admin.token, { mode: 0o600 });
}, 60_000);
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const run = async (...argv: readonly string[]): Promise<{ exitCode: number; out: string; err: string }> => {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(['lifecycle-hook', ...argv], {
    environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: tokenFile },
    out: (text) => (out += text),
    err: (text) => (err += text),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([]),
    replay: (job) => Promise.resolve(replayDecisions(job)),
  });
  return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
};

const SOURCE = `runner: {pool: builders, environment: staging}
hooks:
  - {name: tell, event: agent.error, action: {type: command, command: "notify -- {{error}}"}}
  - {name: note, event: tool.execute, matcher: shell, action: {type: log, message: "{{args}}"}}
`;

describe('lifecycle hooks on the command line', () => {
  it('are put, listed, shown, and switched off and on', async () => {
    const file = join(folder, 'hooks.yaml');
    expect((await run('list')).out).toContain('There is no lifecycle hook.');
    writeFileSync(file, SOURCE);
    const put = await run('put', file);
    expect(put).toMatchObject({ exitCode: 0, err: '' });
    expect((await run('off', 'note')).out).toContain('note is off.');
    const { out } = await run('list');
    expect(out).toMatch(/tell +agent\.error +\* +notify -- \{\{error\}\} +on/);
    expect(out).toMatch(/note +tool\.execute +shell +log: \{\{args\}\} +off/);
    const shown = (await run('show')).out;
    writeFileSync(file, shown);
    expect(await run('put', file)).toMatchObject({ exitCode: 0, err: '' });
    expect((await run('show')).out).toBe(shown);
    expect((await run('on', 'note')).out).toContain('note is on.');
    // The file was printed before, so it would take that back.
    expect(await run('put', file)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('The document was changed after you read it.') as string,
    });
    writeFileSync(file, (await run('show')).out);
    expect(await run('put', file)).toMatchObject({ exitCode: 0, err: '' });
    expect(await run('on', 'nowhere')).toMatchObject({ exitCode: 1 });
    expect((await run('executions', 'tell', '--state', 'failed')).out).toContain('Nothing was executed.');
  });

  it('with a mistake are refused, with its line', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, SOURCE.replace('notify --', '{{error}}'));
    const refused = await run('put', file);
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain('A placeholder never names the program.');
    expect(refused.err).toContain('line 3, column ');
  });
});
