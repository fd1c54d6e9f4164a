import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { testApi, type TestApi } from '../support/api.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';

const folder = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
const tokenFile = join(folder, 'token');
let api: TestApi;
let baseUrl: string;

beforeAll(async () => {
  api = await testApi();
  await api.app.listen(0, '127.0.0.1');
  baseUrl = await api.app.getUrl();
  const { admin } = await api.tenant();
  writeFileSync(tokenFile, admin.token, { mode: 0o600 });
}, 60_000);
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const run = async (...argv: readonly string[]): Promise<{ exitCode: number; out: string; err: string }> => {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(['webhooks', ...argv], {
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

describe('webhooks on the command line', () => {
  it('are added, tested and removed, and their secret is shown by a rotation', async () => {
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, TEST_AUTHORITY);
    const url = 'https://hooks.example.com/in';
    const added = await run('add', url, '--events', 'tool.failed,run.*', '--ca', authority);
    expect(added).toMatchObject({ exitCode: 0, err: '' });
    const [, id = ''] = /webhooks rotate ([0-9a-f-]{36})/.exec(added.out) ?? [];
    expect((await run('list')).out).toMatch(new RegExp(`${id} +${url} +tool.failed, run.* +waits for its secret`));
    expect(await run('test', id)).toMatchObject({ exitCode: 1, err: expect.stringContaining('its secret') as string });
    expect((await run('rotate', id)).out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n/);
    expect((await run('list')).out).toMatch(new RegExp(`${id} +${url} +tool.failed, run.* +on`));
    expect((await run('rotate', id, '--end-earlier')).out).toMatch(/^whsec_.*\nEarlier secrets sign no more\.\n$/);
    const [, delivery = ''] = /([0-9a-f-]{36})/.exec((await run('test', id)).out) ?? [];
    expect((await run('deliveries', id, '--state', 'pending')).out).toMatch(
      new RegExp(`${delivery} +tool.test +pending`),
    );
    expect(await run('resend', id, delivery)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('This delivery is due or being tried now.') as string,
    });
    const url2 = 'https://hooks.example.com/out';
    const changed = await run('change', id, '--events', 'tool.failed', '--address', url2, '--description', 'chat');
    expect(changed.err).toBe('');
    expect(changed.out).toContain(`The webhook to ${url2} is on; it gets tool.failed.`);
    expect((await run('off', id)).out).toContain('is off');
    expect((await run('list')).out).toMatch(new RegExp(`${id} +${url2} +tool.failed +off: person`));
    expect((await run('on', id)).out).toContain('is on');
    expect(await run('remove', id)).toMatchObject({ exitCode: 0, out: 'Nothing is sent to it any more.\n' });
    expect((await run('list')).out).toContain('There is no webhook.');
  });

  it('get the events of tools by default', async () => {
    const url = 'https://hooks.example.com/default';
    const added = await run('add', url);
    expect((await run('list')).out).toMatch(new RegExp(`${url} +tool.started, tool.completed, tool.failed +`));
    const [, id = ''] = /webhooks rotate ([0-9a-f-]{36})/.exec(added.out) ?? [];
    expect(await run('remove', id)).toMatchObject({ exitCode: 0 });
  });

  it('refuse an event that does not exist', async () => {
    const refused = await run('add', 'https://hooks.example.com/in', '--events', 'tool.exploded');
    expect(refused.exitCode).not.toBe(0);
    expect(refused.err).toContain('Name some of these');
  });
});
