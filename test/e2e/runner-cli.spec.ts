import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { serverPort } from '../support/server-port.js';
import { expectStatus, testApi, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { rawRunner, sampleIntroduction, type RawRunner } from '../support/raw-runner.js';
import { enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';

describe('runners on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-runners-'));
  const file = (name: string): string => join(folder, name);
  let api: TestApi;
  let baseUrl: string;
  let tenant: TestTenant;
  let ben: TestPerson;
  let totp: TestTotp;
  let runner: RawRunner;

  /** As the first admin. */
  const run = async (...argv: readonly string[]) => {
    let [out, err] = ['', ''];
    const exitCode = await runCommandLine(argv, {
      environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: file('ada.token') },
      out: (text) => (out += text),
      err: (text) => (err += text),
      readLine: () => Promise.resolve(null),
      readAll: () => Promise.resolve(''),
      pieces: () => Readable.from([]),
      replay: (job) => Promise.resolve(replayDecisions(job)),
    });
    return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
  };

  beforeAll(async () => {
    const port = await serverPort();
    baseUrl = `http://127.0.0.1:${String(port)}`;
    api = await testApi({ config: { publicUrl: baseUrl } });
    await api.app.listen(port, '127.0.0.1');
    tenant = await api.tenant();
    ben = await api.person(tenant, 'PlatformAdmin');
    totp = await enrolTotp(api, ben);
    writeFileSync(file('ada.token'), tenant.admin.token, { mode: 0o600 });
  }, 60_000);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const token = () => readFileSync(file('runner-token'), 'utf8').trim();

  it('wait for a second person, and their token opens nothing until then', async () => {
    const options = ['--pool', 'builders', '--environment', 'staging', 'development'];
    const args = ['runner', 'add', 'build-01', ...options, '--save-token', file('runner-token')];
    const added = await run(...args, '--reason', 'Builds move into our network.');
    expect(added).toMatchObject({ exitCode: 0, err: '' });
    expect(added.out).toContain(
      'waits for a second person: The runner build-01 of the pool builders in development, staging',
    );
    for (const each of ['development', 'staging']) {
      const loosens = `LOOSENS calls of the pool builders in ${each} go to the machine that uses the token, too`;
      expect(added.out).toContain(loosens);
    }
    expect(added.out).toContain('The token opens nothing until the change is confirmed.');
    expect(added.out).not.toContain(token());
    expect(statSync(file('runner-token')).mode & 0o777).toBe(0o600);
    await expect(rawRunner(baseUrl, token())).rejects.toMatchObject({ code: 'runner.enrolment_refused' });
    expect((await run('runner', 'list')).out).toBe('There is no runner.\n');
  });

  it('are refused for an environment that there is not', async () => {
    const options = ['--pool', 'builders', '--environment', 'stagin'];
    const refused = await run('runner', 'add', 'build-02', ...options, '--save-token', file('another-token'));
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.err).toContain('runner.unknown_environment');
    expect(existsSync(file('another-token'))).toBe(false);
  });

  it('are added once the other admin confirms', async () => {
    const as = api.http(ben.token);
    const [change] = expectStatus(await as.get('/v1/change-requests?state=open'), 200).body.items as {
      id: string;
      kind: string;
      change_digest: string;
    }[];
    const { id = '', kind, change_digest = '' } = change ?? {};
    expect(kind).toBe('runner');
    const step_up_id = await steppedUp(as, totp, { kind: 'change_confirm', change_id: id, change_digest });
    expectStatus(await as.post(`/v1/change-requests/${id}/confirm`, { change_digest, step_up_id }), 200);
    expect((await run('runner', 'list')).out).toMatch(
      /build-01 +builders +development, staging +waits for its machine/,
    );
    runner = await rawRunner(baseUrl, token());
    const tools = [{ name: 'file-read', parameters: { type: 'object' } }];
    const worksIn = ['staging', 'development'];
    await runner.plane.hello({
      version: '0.1.0',
      tools,
      worksIn,
      hooks: ['notify'],
      mcpServers: [],
      noWayBack: null,
      sessions: [],
    });
    const { out } = await run('runner', 'list');
    expect(out).toMatch(/build-01 +builders +development, staging +online +0\.1\.0 +1 /);
    expect(out).not.toContain('warning');
  });

  it('are listed with the environments that they get no call of, and the reason for no way back', async () => {
    const noWayBack = 'there are more than 20000 entries';
    await runner.plane.hello({ ...sampleIntroduction, worksIn: ['production', 'staging'], noWayBack });
    const { out } = await run('runner', 'list');
    expect(out).toContain('warning: build-01 was not added for production, and gets no call of it.');
    expect(out).toContain('warning: build-01 does not work in development, and gets no call of it.');
    expect(out).toContain('warning: build-01 has no way back from a command line: there are more than 20000 entries.');
  });

  it('are revoked by one admin alone', async () => {
    expect(await run('runner', 'revoke', 'build-02')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('No runner is called "build-02".') as string,
    });
    const revoked = await run('runner', 'revoke', 'build-01');
    expect(revoked).toMatchObject({ exitCode: 0, out: 'runner build-01 is revoked.\n' });
    await expect(runner.plane.hello(sampleIntroduction)).rejects.toMatchObject({ code: 'runner.revoked' });
    expect((await run('runner', 'list')).out).toMatch(/build-01 +builders +development, staging +revoked/);
    expect((await run('runner', 'revoke', 'build-01')).err).toContain('No runner is called "build-01".');
    expect(await run('runner', 'revoke', runner.identity.runner_id)).toMatchObject({ exitCode: 0 });
  });
});
