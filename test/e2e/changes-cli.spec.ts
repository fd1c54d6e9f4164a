import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, testApi, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { enrolTotp, type TestTotp } from '../support/second-factors.js';
import { serverPort } from '../support/server-port.js';

const tools = `tools:
  restart:
    description: Restarts a service.
    risk: read_only
    idempotent: true
    scope: asset
    parameters: { type: object, properties: {}, additionalProperties: false }
`;
const autonomy = `autonomy:
  mode: plan_only
  tool_overrides:
    restart: { mode: plan_only }
`;

const WHY = ['--reason', 'Carl is on call from Monday.'];

describe('a change request, on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-changes-'));
  const file = (name: string): string => join(folder, name);
  let api: TestApi;
  let baseUrl: string;
  let tenant: TestTenant;
  let ben: TestPerson;
  let carl: TestPerson;
  let totp: TestTotp;

  const run = async (argv: readonly string[], as: TestPerson, types?: string) => {
    writeFileSync(file(`${as.id}.token`), as.token, { mode: 0o600 });
    let [out, err] = ['', ''];
    const exitCode = await runCommandLine(argv, {
      environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: file(`${as.id}.token`) },
      out: (text) => (out += text),
      err: (text) => (err += text),
      readLine: () => Promise.resolve(types ?? null),
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
    carl = await api.person(tenant);
    ben = await api.person(tenant, 'PlatformAdmin');
    totp = await enrolTotp(api, ben);
  }, 60_000);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true });
  });

  it('takes a reason, without which nothing is asked for', async () => {
    const assignment = ['role', 'assign', carl.id, 'DevOpsEngineer'];
    const refused = await run(assignment, tenant.admin);
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('change.reason_missing') });
    expect(refused.err).toContain('--reason');
    const short = await run([...assignment, '--reason', 'because'], tenant.admin);
    expect(short).toMatchObject({ exitCode: 2, err: expect.stringContaining('in 10 to 1,000 characters') });
    expect((await run(['changes', 'list', '--mine'], ben)).out).toBe('There is no such change.\n');
  });

  it('is shown with the people who can confirm it, and how; another admin does so with a code, its author cannot', async () => {
    const asked = await run(['role', 'assign', carl.email, 'SRELead', ...WHY], tenant.admin);
    expect(asked.exitCode).toBe(0);
    expect(asked.out).toContain('waits for a second person');
    expect(asked.out).toContain('LOOSENS');
    expect(asked.out).toContain(`${ben.email} can confirm it with a second factor`);
    const id = /countersign changes confirm (\S+)/.exec(asked.out)?.[1] ?? '';

    expect((await run(['changes', 'list', '--mine'], ben)).out).toContain(id);
    expect((await run(['changes', 'list', '--mine'], tenant.admin)).out).toBe('There is no such change.\n');
    const shown = await run(['changes', 'show', id], tenant.admin);
    expect(shown.out).toContain('You asked for this change');
    expect(shown.out).toContain('Carl is on call from Monday.');
    const own = await run(['changes', 'confirm', id], tenant.admin);
    expect([own.exitCode === 0, own.err.includes('somebody else decides on it')]).toEqual([false, true]);

    const confirmed = await run(['changes', 'confirm', id], ben, await totp.freshCode());
    expect(confirmed.err).toContain('LOOSENS');
    expect(confirmed).toMatchObject({ exitCode: 0, out: expect.stringContaining(`change ${id} is in force`) });
    expect((await run(['people'], ben)).out).toContain('SRELead');

    const kept = await run(['changes', 'evidence', id, '--output', file('change.json')], ben);
    expect(kept).toMatchObject({ exitCode: 0, out: expect.stringContaining(`The evidence of change ${id}`) });
    writeFileSync(file('keys.txt'), (await run(['audit', 'keys'], ben)).out);
    const verify = ['verify', file('change.json'), '--key', file('keys.txt')];
    const verified = await run(verify, ben);
    expect(verified.out).toMatch(
      /gave as the reason: "Carl is on call from Monday\."\n.*Asked for by .*, confirmed by .*, who is somebody else.*\n.*Known as it was confirmed: First Admin \(founded this tenant\), .* \(let in by the operator\)\.\n--.* with an authenticator code: not signed.*\s+Verified\./,
    );
    expect(verified.out).toContain(`about the change ${id}, as it stood`);
    writeFileSync(file('change.json'), readFileSync(file('change.json'), 'utf8').replace('SRELead', 'SREHead'));
    expect(await run(verify, ben)).toMatchObject({ exitCode: 3, out: expect.stringContaining('document.not_covered') });
  });

  it('prints the link of an invitation that is kept in no file', async () => {
    const invite = ['invite', 'eve@acme.example', '--display-name', 'Eve'];
    const invited = await run(invite, tenant.admin);
    expect(invited).toMatchObject({ exitCode: 0, err: '' });
    expect(invited.out).toMatch(/This link lets them in; it works once, until .*\nhttp:\/\/.*\/invitation#cs_e_\S+\n/);
    const again = ['invite', 'mia@acme.example', '--display-name', 'Mia', '--json'];
    const { invitation_url: url } = JSON.parse((await run(again, tenant.admin)).out) as { invitation_url: string };
    expect(url).toMatch(/\/invitation#cs_e_\S+$/);
  });

  it('keeps a further enrolment token in its file alone, good once confirmed, and shows the owner of an agent', async () => {
    const dana = await api.person(tenant, 'SRELead');
    const asked = await run(
      ['invite-again', dana.id, '--save-invitation', file('dana.txt'), '--json', ...WHY],
      tenant.admin,
    );
    expect(asked).toMatchObject({ exitCode: 0, err: '' });
    const invitation = readFileSync(file('dana.txt'), 'utf8').trim();
    expect(asked.out).not.toContain(invitation);
    const { id } = JSON.parse(asked.out) as { id: string };
    const enrolment = ['enrol', file('dana.txt'), '--save-token', file('dana.token'), '--scope', 'read'];
    expect(await run(enrolment, dana)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('enrolment.refused'),
    });
    expect((await run(['changes', 'confirm', id], ben, await totp.freshCode())).exitCode).toBe(0);
    expect((await run(enrolment, dana)).exitCode).toBe(0);

    const agent = await api.agent(tenant, dana);
    expect((await run(['agents'], ben)).out).toMatch(new RegExp(`^${agent.id} .* ${dana.email}$`, 'm'));
    expect((await run(['tokens', '--limit', '100'], ben)).out).toContain(` ${dana.email} `);
    const kept = await run(['agent-hand-over', agent.id, '--owner', dana.email, ...WHY], tenant.admin);
    expect(kept.out).toContain(`${dana.email} (person ${dana.id}) answers for `);
    const handed = await run(['agent-hand-over', agent.id, '--owner', carl.id, ...WHY], tenant.admin);
    expect(handed.exitCode).toBe(0);
    expect(handed.out).toContain(`LOOSENS ${dana.email} no longer answers for`);
  });

  it('is applied in parts: the parts that need the tools wait with them', async () => {
    mkdirSync(file('tenant'));
    writeFileSync(file('tenant/tools.yaml'), tools);
    writeFileSync(file('tenant/autonomy.yaml'), autonomy);
    const applied = await run(['apply', file('tenant'), ...WHY], tenant.admin);
    expect(applied).toMatchObject({ exitCode: 0 });
    expect(applied.out).toContain('LOOSENS restart: agents can call it');
    expect(applied.out).toContain('autonomy: waits for the tools');
    expect(applied.out).toContain('Applied but for what waits');
    const [, id] = /countersign changes confirm (\S+)/.exec(applied.out) ?? [];
    expect((await run(['changes', 'reject', id ?? '', '--comment', 'Not yet.'], ben)).out).toContain('is rejected');
  });

  it('sets the sign-in settings from the document that it shows, and from no older one', async () => {
    const shown = await run(['issuer', 'show'], tenant.admin);
    expect(shown).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^# revision 0\n/) });
    writeFileSync(
      file('sign-in.yaml'),
      shown.out.replace('browser_session_minutes: 720', 'browser_session_minutes: 60'),
    );
    const put = ['issuer', 'put', file('sign-in.yaml')];
    expect(await run([...put, '--revision', '0'], tenant.admin)).toMatchObject({
      exitCode: 0,
      out: 'The sign-in settings are revision 1.\n',
    });
    const stale = await run([...put, '--revision', '7'], tenant.admin);
    expect(stale).toMatchObject({ exitCode: 1, err: expect.stringContaining('request.if_match_failed') });
    writeFileSync(file('sign-in.yaml'), shown.out);
    expect((await run(put, tenant.admin)).err).toContain('change.reason_missing');
    const longer = await run([...put, ...WHY], tenant.admin);
    expect(longer.out).toMatch(/LOOSENS a browser session lasts 12 hours instead of 1 hour/);
    writeFileSync(file('sign-in.yaml'), 'browser_session_minuts: 60\n');
    expect((await run(put, tenant.admin)).err).toMatch(/line 1, column 1.*browser_session_minuts/s);
  });

  it('enters the Slack app, and begins its installation once it knows why', async () => {
    const secrets = { client_secret: 'a-client-secret', signing_secret: 'a-signing-secret' };
    writeFileSync(file('slack-app.yaml'), JSON.stringify({ client_id: '1.1', ...secrets }));
    const entered = await run(['slack', 'app', file('slack-app.yaml'), ...WHY], tenant.admin);
    expect(entered.out).toContain('LOOSENS anybody who knows the signing secret');
    const [, id] = /countersign changes confirm (\S+)/.exec(entered.out) ?? [];
    expect((await run(['changes', 'confirm', id ?? ''], ben, await totp.freshCode())).exitCode).toBe(0);
    const unexplained = await run(['slack', 'install'], tenant.admin);
    expect(unexplained).toMatchObject({ exitCode: 1, err: expect.stringContaining('change.reason_missing') });
    expect((await run(['slack', 'install', ...WHY], tenant.admin)).out).toMatch(/^http:\/\/\S+client_id=1\.1\S*\n$/);
    const destinations = { board: ['C0BOARD'] };
    expectStatus(await api.http(tenant.admin.token).put('/v1/incident-settings', { destinations }), 200);
    const removed = await run(['slack', 'remove'], tenant.admin);
    expect(removed.out).toMatch(/^No workspace is connected any more\.\nboard .*\n +C0BOARD: Slack is not connected/);
    for (const { out, err } of [entered, unexplained])
      for (const secret of Object.values(secrets)) expect(out + err).not.toContain(secret);
  });

  it('warns if one person loosens alone', async () => {
    const alone = await api.tenant();
    const put = ['executor', 'put', 'production', 'fleet', '--set', 'url=https://tools.example.com/fleet'];
    const done = await run(put, alone.admin);
    expect(done.exitCode).toBe(0);
    expect(done.out).toContain('warning: This loosens the gate and was applied at once');
  });
});
