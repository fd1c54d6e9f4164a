import { decodeJwt } from 'jose';
import type { GrantClaims } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import { verifyPack } from '#lib/verifier';
import {
  assignByHand,
  expectStatus,
  operatorToken,
  testApi,
  type HttpAs,
  type TestApi,
  type TestTenant,
} from '../support/api.js';
import { forgedPack, reorderedPack } from '../support/forged-pack.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';
import { verifiedBy } from '../support/verified-by.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
`;

/** Takes each decision as it stands. */
const replay = (): Promise<readonly boolean[]> => Promise.resolve(Array.from({ length: 99 }, () => true));

let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let ownerPage: Record<string, string>;
let bot: string;
let session: string;
let pack: string;

const called = async (
  command: string,
  within = session,
): Promise<{ readonly id: string; readonly request: string }> => {
  const body = { tool: 'shell', arguments: { command }, reason: 'I need it.' };
  const call = expectStatus(await agent.post(`/v1/sessions/${within}/tool-calls`, body), 201).body;
  return { id: String(call.id), request: String(call.request_id) };
};

const answered = async (
  { request }: { readonly request: string },
  verdict: 'approve' | 'reject',
  more: { readonly always?: true; readonly confirm_word?: 'CONFIRM' } = {},
): Promise<void> => {
  const path = `/v1/approval-requests/${request}`;
  const { subject } = expectStatus(await api.http().get(path, ownerPage), 200).body as { subject: { digest: string } };
  const review = { verdict, subject_digest: subject.digest, comment: 'I looked at it.', ...more };
  expectStatus(await api.http().post(`${path}/reviews`, review, ownerPage), 201);
};

/** The agent gets the grant of an allowed call, and reports it. */
const reported = async (id: string): Promise<void> => {
  const { body } = expectStatus(await agent.get(`/v1/tool-calls/${id}`), 200);
  expect(body).toMatchObject({ outcome: 'executing', grant: expect.any(String) as string });
  const report = { jti: id, arguments_digest: body.arguments_digest, outcome: 'succeeded', result: { exit_code: 0 } };
  expectStatus(await agent.post(`/v1/tool-calls/${id}/result`, report), 200);
};

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
  ownerPage = await pageOf(api, cookie);
  const made = await api.agent(tenant, { id, email: '', token: '' });
  agent = api.http(made.token);
  bot = made.id;
  const wanted = { environment: 'development', preset: 'levels', agent_ids: [bot] };
  const opened = await api.http().post('/v1/sessions', wanted, ownerPage);
  session = expectStatus(opened, 201).body.id as string;
  await called('git status');
  await called('rm -rf /');
  const { id: allowed } = await called('git diff');
  expectStatus(await agent.post(`/v1/tool-calls/${allowed}/cancel`), 200);
  expectStatus(await admin.put('/v1/environments/development/executors/fleet', { kind: 'agent' }), 200);
  expectStatus(await agent.patch(`/v1/sessions/${session}`, { level: 'MANUAL' }), 200);
  const approved = await called('git diff');
  await answered(approved, 'approve');
  await reported(approved.id);
  await answered(await called('git log'), 'reject');
  await answered(await called('git show'), 'approve', { always: true });
  await called('git show');
  await called('npm test');
  expectStatus(await agent.post(`/v1/sessions/${session}/end`, { reason: 'cancelled' }), 200);
  pack = expectStatus(await admin.post(`/v1/sessions/${session}/evidence`, {}), 200).text;
});
afterAll(() => api.close());

describe('the evidence pack of a session', () => {
  it('verifies offline as a plan’s does, and tells the calls, their decisions and the answers', async () => {
    const report = await verifiedBy(admin, pack);
    expect([report.failure, report.outcome]).toEqual([null, 'verified']);
    expect(report.subject).toEqual({ type: 'session', id: session });
    expect(report.passed.join('\n')).toContain(
      '8 calls decided, each once (1 cancelled, 1 denied, 1 rejected, 1 trusted, 2 approved, 2 auto approved)',
    );
    expect(report.passed.join('\n')).toContain('2 calls were sent, each after it was allowed, once an attempt');
    expect(report.passed.join('\n')).toContain('1 call was let through by an "always"');
    expect(report.passed.join('\n')).toContain(
      '3 answers by people, in the browser or in Slack, as policy allowed; 3 by the owner of the agent',
    );
    expect(report.approvals.map(({ line, lets }) => [line.split(' ').slice(0, 2).join(' '), lets])).toEqual([
      ['Ada approved', true],
      ['Ada rejected', false],
      ['Ada approved', true],
    ]);
    expect(report.decisions.again).toBeGreaterThanOrEqual(5);
    // The end waits for all that came before, and is recorded after it.
    const told = report.entries.map(({ action }) => action);
    expect(told.indexOf('session.ended')).toBeGreaterThan(told.lastIndexOf('tool_call.decided'));
    const actions = new Set(told);
    for (const action of [
      'session.opened',
      'session.changed',
      'tool_call.asked',
      'tool_call.cancelled',
      'review.submitted',
      'session.trusted',
      'session.ended',
    ])
      expect(actions).toContain(action);
  });

  it('T53: tells the tree of a line that left, as it was allowed and granted', async () => {
    expectStatus(await admin.put('/v1/environments/development/executors/fleet', { kind: 'agent' }), 200);
    const wanted = { environment: 'development', preset: 'levels', agent_ids: [bot] };
    const { id } = expectStatus(await api.http().post('/v1/sessions', wanted, ownerPage), 201).body as { id: string };
    const body = { tool: 'shell', arguments: { command: 'git status' } };
    const call = expectStatus(await agent.post(`/v1/sessions/${id}/tool-calls`, body), 201).body;
    const { shell } = decodeJwt<GrantClaims>(String(call.grant));
    expect(shell).toMatchObject({ shell: 'bash', tier: 1 });
    const [tree, other] = [shell?.tree ?? '', `sha256:${'0'.repeat(64)}`];
    expectStatus(await agent.post(`/v1/sessions/${id}/end`, { reason: 'closed' }), 200);
    const whole = expectStatus(await admin.post(`/v1/sessions/${id}/evidence`, {}), 200).text;
    const report = await verifiedBy(admin, whole);
    expect([report.failure, report.outcome]).toEqual([null, 'verified']);
    expect(report.entries.map(({ action }) => action)).toContain('tool_call.dispatched');
    // In the decision on the call and in its dispatch.
    expect(whole.split(tree)).toHaveLength(3);
    expect((await verifiedBy(admin, whole.replace(tree, other))).failure?.code).toBe('entry.payload');
  });

  it('is refused if an entry is left out, or an answer is changed', async () => {
    const whole = JSON.parse(pack) as { entries: { header: { action: string } }[] };
    const without = { ...whole, entries: whole.entries.filter(({ header }) => header.action !== 'tool_call.asked') };
    expect((await verifiedBy(admin, JSON.stringify(without))).failure?.code).toBe('entry.missing');
    const changed = pack.replace('"decided_as":"rejected"', '"decided_as":"approved"');
    expect(changed).not.toBe(pack);
    expect((await verifiedBy(admin, changed)).failure?.code).toBe('entry.payload');
  });

  interface Entry {
    readonly header: { readonly action: string; readonly subject: { readonly type: string; readonly id: string } };
    readonly facts: { readonly payload: Readonly<Record<string, unknown>> } | null;
  }
  interface File {
    readonly subject: { readonly type: string; readonly id: string };
    readonly entries: readonly Entry[];
  }
  const decided = ({ entries }: File): readonly Entry[] =>
    entries.filter(({ header }) => header.action === 'tool_call.decided');
  /** Without every entry about one call: its own, and those of its request and of the answers to it. */
  const withoutCall = (file: File, index: number): File => {
    const call = decided(file).at(index);
    const gone = new Set([call?.header.subject.id, call?.facts?.payload.request_id]);
    const entries = file.entries.filter(({ header }) => !gone.has(header.subject.id));
    expect(entries.length).toBeLessThan(file.entries.length);
    return { ...file, entries };
  };
  const exchanged = (file: File, change: (one: Entry, other: Entry) => Entry): File => {
    const [one, other] = [decided(file)[0], decided(file)[1]];
    if (one === undefined || other === undefined) throw new Error('the pack has too few calls');
    const entries = file.entries.map((entry) =>
      entry === one ? change(one, other) : entry === other ? change(other, one) : entry,
    );
    return { ...file, entries };
  };

  it.each<[string, string, (file: File) => File]>([
    ['a whole call is left out', 'entry.missing', (file) => withoutCall(file, 0)],
    ['a call with its request and answer is left out', 'entry.missing', (file) => withoutCall(file, 3)],
    ['the last call is left out', 'entry.missing', (file) => withoutCall(file, -1)],
    [
      'all after the last call but one is left out',
      'pack.not_assembled',
      (file) => ({
        ...file,
        entries: file.entries.slice(
          0,
          file.entries.findLastIndex(({ header }) => header.action === 'tool_call.decided'),
        ),
      }),
    ],
    ['two calls change places', 'entry.order', (file) => exchanged(file, (_one, other) => other)],
    [
      'two calls exchange their facts',
      'entry.payload',
      (file) => exchanged(file, (one, { facts }) => ({ ...one, facts })),
    ],
    [
      'two calls exchange their names',
      'entry.inclusion',
      (file) => exchanged(file, (one, other) => ({ ...one, header: { ...one.header, subject: other.header.subject } })),
    ],
    [
      'the session has another name',
      'pack.not_assembled',
      (file) => ({ ...file, subject: { id: bot, type: 'session' } }),
    ],
    [
      'the session has another name throughout',
      'entry.inclusion',
      (file) => JSON.parse(JSON.stringify(file).replaceAll(session, bot)) as File,
    ],
  ])('is refused if %s: %s', async (_what, code, forge) => {
    const forged = forge(JSON.parse(pack) as File);
    expect((await verifiedBy(admin, JSON.stringify(forged))).failure?.code).toBe(code);
  });

  it.each(['auto_approved', 'approved', 'trusted', 'denied'])(
    'is refused if the digest of the arguments of a call is changed: %s',
    async (word) => {
      const file = JSON.parse(pack) as File;
      const payload = decided(file).find(({ facts }) => facts?.payload.decided_as === word)?.facts?.payload;
      const other = `sha256:${'0'.repeat(64)}`;
      const entries = file.entries.map((entry) =>
        entry.facts?.payload === payload
          ? { ...entry, facts: { ...entry.facts, payload: { ...payload, arguments_digest: other } } }
          : entry,
      );
      expect((await verifiedBy(admin, JSON.stringify({ ...file, entries }))).failure?.code).toBe('entry.payload');
      // The same by a holder of the signing key.
      const [forged, key] = forgedPack(pack, 'tool_call.decided', `"decided_as":"${word}"`, {
        arguments_digest: other,
      });
      expect((await verifyPack(forged, { trustedKeys: [key], replay })).failure?.code).toBe('story.call_changed');
    },
  );

  it.each<[string, string, string, () => Readonly<Record<string, unknown>>]>([
    ['story.call_attempt', 'tool_call.dispatched', '"attempt":1', () => ({ attempt: 2 })],
    ['story.call_stopped', 'tool_call.decided', '"decided_as":"trusted"', () => ({ decided_as: 'denied' })],
    ['story.trust_used', 'tool_call.decided', '"decided_as":"trusted"', () => ({ trust_id: 'another' })],
    [
      'story.trust',
      'session.trusted',
      '"tool":"shell"',
      () => ({ shape: '{"flags":["-rf"],"program":"rm","subcommand":""}' }),
    ],
    ['story.reviewer', 'tool_call.asked', '"git diff"', () => ({ asked_by: { kind: 'agent', id: bot } })],
    ['story.quorum', 'review.submitted', '"verdict":"approve"', () => ({ verdict: 'reject' })],
  ])('is refused with %s if a holder of the signing key forges an entry %s', async (code, action, text, changes) => {
    const [forged, key] = forgedPack(pack, action, text, changes());
    expect((await verifyPack(forged, { trustedKeys: [key], replay })).failure?.code).toBe(code);
  });

  it('is refused if a holder of the signing key lets a call leave after the end', async () => {
    const [forged, key] = reorderedPack(pack, 'session.ended', 'tool_call.dispatched');
    expect((await verifyPack(forged, { trustedKeys: [key], replay })).failure?.code).toBe('story.call_after_end');
  });

  it('shows the word CONFIRM of each approval that took it, and is refused without it', async () => {
    const wanted = { environment: 'development', preset: 'cautious', agent_ids: [bot] };
    const { id } = expectStatus(await api.http().post('/v1/sessions', wanted, ownerPage), 201).body as { id: string };
    await answered(await called('rm build/a', id), 'approve', { confirm_word: 'CONFIRM' });
    expectStatus(await agent.post(`/v1/sessions/${id}/end`, { reason: 'closed' }), 200);
    const whole = expectStatus(await admin.post(`/v1/sessions/${id}/evidence`, {}), 200).text;
    const report = await verifiedBy(admin, whole);
    expect([report.failure, report.outcome]).toEqual([null, 'verified']);
    expect(report.passed.join('\n')).toContain('1 call was approved with the word CONFIRM');
    expect(report.approvals.map(({ line }) => line)).toEqual([
      expect.stringMatching(/^Ada approved with the word CONFIRM/) as string,
    ]);
    const word = '"confirm_word":"CONFIRM"';
    // The payload of the review, its document, and the obligations of decision and request.
    expect(whole.split(word).length).toBeGreaterThanOrEqual(4);
    const [forged, key] = forgedPack(whole, 'review.submitted', word, { confirm_word: null });
    expect((await verifyPack(forged, { trustedKeys: [key], replay })).failure?.code).toBe('story.confirm_word');
    const settings = { preset: 'levels', level: 'FULL_AUTO' };
    const [loose, other] = forgedPack(whole, 'session.opened', '"preset":"cautious"', settings);
    expect((await verifyPack(loose, { trustedKeys: [other], replay })).failure?.code).toBe('story.call_settings');
  });

  it('is for those who may read the audit log, and only of a session that is there', async () => {
    expect(expectStatus(await agent.post(`/v1/sessions/${session}/evidence`, {}), 403).body.code).toBe(
      'credential.scope_missing',
    );
    const foreign = api.http((await api.tenant()).admin.token);
    expect((await foreign.post(`/v1/sessions/${session}/evidence`, {})).status).toBe(404);
  });
});
