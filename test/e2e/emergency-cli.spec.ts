import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { generateSync } from 'otplib';
import { expectStatus, testApi, type TestApi, type TestPerson } from '../support/api.js';
import { commandLine, type Ran, type Types } from '../support/command-line.js';
import { compiledPackage } from '../support/compiled-package.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { serverPort } from '../support/server-port.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    production: { mode: plan_only, allowed_approvers: [SecurityReviewer] }
emergency_override:
  enabled: true
  allowed_roles: [SRELead]
  notifies: [security-team]
`;
const WHY = 'The primary database is down and customers cannot pay.';

describe('second factors, break-glass and incidents on the command line, as a process of its own where it asks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-emergency-'));
  let api: TestApi;
  let fleet: ToolServer;
  let mail: LocalMail;
  let worker: Awaited<ReturnType<typeof workerOf>>;
  let baseUrl: string;
  let script: string;
  let planId: string;
  let admin: TestPerson;
  let lead: TestPerson;
  let engineer: TestPerson;
  let reviewer: TestPerson;
  /** Each stands in for a code once. */
  let recoveryCodes: string[] = [];
  let incidentId = '';

  const environmentOf = (as: TestPerson): Record<string, string> => {
    const tokenFile = join(folder, `${as.id}.token`);
    writeFileSync(tokenFile, as.token, { mode: 0o600 });
    return { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: tokenFile };
  };
  const run = (argv: readonly string[], as: TestPerson, types?: Types): Promise<Ran> =>
    commandLine(argv, environmentOf(as), types);

  /** The same as a process of its own, whose input and output are pipes. */
  const runProcess = (argv: readonly string[], as: TestPerson, types: Types = () => ''): Promise<Ran> => {
    const child = spawn(process.execPath, [script, ...argv], { env: environmentOf(as) });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk;
      if (!err.endsWith(': ')) return;
      const typed = types(err);
      // An answer leaves the pipe open, as a terminal does.
      if (typed === '') child.stdin.end();
      else child.stdin.write(`${typed}\n`);
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode) => {
        resolve({ exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) });
      });
    });
  };

  const secretIn = (asked: string): string => /or type in\s+([A-Z2-7]+)/.exec(asked)?.[1] ?? '';
  const breakGlass = (why = WHY): string[] => ['break-glass', planId, '--justification', why];
  const recoveryCode = (): string => recoveryCodes.pop() ?? '';

  beforeAll(async () => {
    const port = await serverPort();
    baseUrl = `http://127.0.0.1:${String(port)}`;
    script = join(compiledPackage(), 'dist', 'programs', 'cli', 'main.js');
    fleet = await toolServer({
      before: () => true,
      result: () => ({ metrics: { error_rate: 0 } }),
    });
    const fleetHost = new URL(fleet.url).host;
    const keyDirectory = join(folder, 'keys');
    mail = await localMail();
    const config = { publicUrl: baseUrl, keyDirectory, allowedPrivateHosts: [fleetHost], mail: mail.config };
    api = await testApi({ config });
    await api.app.listen(port, '127.0.0.1');
    worker = await workerOf(api);
    const tenant = await api.tenant();
    admin = tenant.admin;
    const byAdmin = api.http(admin.token);
    expectStatus(await byAdmin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await byAdmin.put('/v1/environments/production/executors/fleet', executor), 200);
    lead = await api.person(tenant, 'SRELead');
    reviewer = await api.person(tenant, 'SecurityReviewer');
    engineer = await api.person(tenant, 'DevOpsEngineer');
    const destinations = { 'security-team': ['security@example.com'] };
    expectStatus(await byAdmin.put('/v1/incident-settings', { destinations }), 200);
    expectStatus(await byAdmin.put('/v1/autonomy', AUTONOMY), 200);
    const agent = api.http((await api.agent(tenant, engineer)).token);
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
    planId = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-2026-11')), 201).body
      .id as string;
  }, 180_000);

  afterAll(async () => {
    await worker.stop();
    await api.close();
    await fleet.close();
    await mail.close();
    rmSync(folder, { recursive: true });
  }, 60_000);

  it('tells a person that they have no second factor, and enrols none without its code or without a terminal', async () => {
    const none = await run(['mfa', 'status'], lead);
    expect(none).toMatchObject({ exitCode: 0, err: '' });
    expect(none.out).toContain('You have no second factor. Enrol one: countersign mfa enrol');

    expect(await run(['mfa', 'enrol', '--json'], lead)).toMatchObject({ exitCode: 2, out: '' });
    const silent = await runProcess(['mfa', 'enrol'], lead);
    expect(silent).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining('there was no code') });
    const wrong = await run(['mfa', 'enrol'], lead, (asked) =>
      generateSync({ secret: secretIn(asked), epoch: Math.floor(Date.now() / 1000) - 3_600 }),
    );
    expect(wrong).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('mfa.code_wrong') });
    const json = await run(['mfa', 'status', '--json'], lead);
    const { items } = JSON.parse(json.out) as { items: readonly { readonly state: string }[] };
    expect(items.filter(({ state }) => state === 'active')).toEqual([]);
  }, 60_000);

  it('breaks no glass for somebody without a second factor', async () => {
    const refused = await run(breakGlass(), lead);
    expect(refused).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('mfa.not_enrolled') });
  }, 60_000);

  it('enrols an authenticator app with the code that it shows, and hands out recovery codes once', async () => {
    const enrolled = await runProcess(['mfa', 'enrol', '--name', 'My phone'], lead, (asked) =>
      generateSync({ secret: secretIn(asked) }),
    );
    expect(enrolled.exitCode).toBe(0);
    expect(enrolled.out).toContain('My phone is enrolled.');
    recoveryCodes = enrolled.out.trim().split('\n').slice(-10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const status = await run(['mfa', 'status'], lead);
    expect(status.out).toMatch(/My phone +totp +active/);
    expect(status.out).toContain('10 recovery codes left');
    for (const code of recoveryCodes) expect(status.out).not.toContain(code);

    const another = await run(['mfa', 'enrol'], lead, () => 'wrong-code');
    expect(another).toMatchObject({ exitCode: 1, out: '' });
    expect(another.err).not.toContain('or type in');
  }, 60_000);

  it('breaks no glass for somebody without the role, without a reason, or with a wrong code', async () => {
    const role = await run(breakGlass(), engineer);
    expect(role).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('Break-glass is not available') });
    const asked: string[] = [];
    const filler = await run(breakGlass('x'.repeat(40)), lead, (question) => {
      asked.push(question);
      return '';
    });
    expect(filler).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('break_glass.unavailable') });
    expect(asked).toEqual([]);
    const wrong = await run(breakGlass(), lead, () => '000000');
    expect(wrong).toMatchObject({ exitCode: 1, out: '' });
    const silent = await run(breakGlass(), lead);
    expect(silent).toMatchObject({ exitCode: 2, err: expect.stringContaining('there was no code') });
    expect(await run([...breakGlass(), '--json'], lead)).toMatchObject({ exitCode: 2, out: '' });
    expect((await run(['incident', 'list'], reviewer)).out).toContain('There is no incident.');
  }, 90_000);

  it('shows which destinations a test message reaches', async () => {
    const before = await run(['incident-settings', 'destinations'], admin);
    expect(before.out).toMatch(/security-team took the last test message\s+security@example\.com: took it on/);
    mail.refuse('security@example.com');
    const refused = await run(['incident-settings', 'test'], admin);
    expect(refused).toMatchObject({ exitCode: 0, err: '' });
    expect(refused.out).toMatch(/security-team did not take the last test message\s+security@example\.com: \S/);
    mail.accept('security@example.com');
    expect((await run(['incident-settings', 'test'], admin)).out).toContain('security-team took the last test message');
  }, 60_000);

  it('executes the plan at once, and opens an incident', async () => {
    const broken = await runProcess(breakGlass(), lead, recoveryCode);
    expect(broken.exitCode).toBe(0);
    expect(broken.err).toContain('security-team took the last test message');
    expect(broken.err).toContain('(PlatformAdmins and SecurityReviewers)');
    const [, runId = '', incident = ''] =
      /BREAK-GLASS: run (\S+) has begun\s+incident (\S+) is open/.exec(broken.out) ?? [];
    incidentId = incident;
    expect(await run(['watch', runId], lead)).toMatchObject({ exitCode: 0 });
    const listed = await run(['incident', 'list', '--state', 'open'], reviewer);
    expect(listed).toMatchObject({ exitCode: 0, out: expect.stringContaining(incidentId) });
    const shown = await runProcess(['incident', 'show', incidentId], reviewer);
    expect(shown.out).toContain(WHY);
    expect(shown.out).toContain('production');
    const again = await run(breakGlass(), lead, recoveryCode);
    expect(again).toMatchObject({ exitCode: 1, out: '' });
  }, 120_000);

  it('takes an incident on, notes, resolves, and has somebody else review it', async () => {
    const after = async (argv: readonly string[], as: TestPerson): Promise<Ran> => run(['incident', ...argv], as);
    const early = await after(['review', incidentId, '--comment', 'Right to act.'], reviewer);
    expect(early).toMatchObject({ exitCode: 1, err: expect.stringContaining('incident.wrong_state') });
    expect((await after(['ack', incidentId], reviewer)).out).toContain(`incident ${incidentId} is acknowledged`);
    expect((await after(['note', incidentId, '--text', 'Customers can pay again.'], lead)).exitCode).toBe(0);
    expect(await after(['resolve', incidentId], lead)).toMatchObject({ exitCode: 2 });
    const resolved = await after(['resolve', incidentId, '--post-mortem', 'Failover is automatic now.'], lead);
    expect(resolved).toMatchObject({ exitCode: 0, out: expect.stringContaining('is resolved') });
    const own = await after(['review', incidentId, '--comment', 'I did well.'], lead);
    expect(own).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('incident.own_review') });
    const reviewed = await after(['review', incidentId, '--comment', 'Right to act.'], reviewer);
    expect(reviewed).toMatchObject({ exitCode: 0, out: expect.stringContaining('is reviewed') });
    const shown = await after(['show', incidentId], reviewer);
    for (const words of ['Customers can pay again.', 'Failover is automatic now.', 'Right to act.'])
      expect(shown.out).toContain(words);
  }, 90_000);
});
