import type { ApprovalRequestView, ApproverKeyListView, ChangeRequestView } from '#lib/api-schemas';
import type { SimulationId } from '#lib/kernel';
import { parseApproverKeys, type ApproverKey, type VerificationReport } from '#lib/verifier';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestPerson } from '../support/api.js';
import { equippedTenant, predictingToolServer, type EquippedTenant } from '../support/equipped-tenant.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { enrolPasskey, enrolTotp, signed, SITE, startStepUp, prove, steppedUp } from '../support/second-factors.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import { verifiedBy } from '../support/verified-by.js';
import { softwareAuthenticator, type SoftwareAuthenticator } from '../support/virtual-authenticator.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
      require_two_approvers: true
      require_mfa: true
emergency_override:
  enabled: true
  allowed_roles: [SRELead]
  notifies: [security-team]
`;
const COMMENT = 'Canary first; password=hunter22 was rotated.';
const JUSTIFICATION = 'The primary database is down and customers cannot pay';

let api: TestApi;
let mail: LocalMail;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let equipped: EquippedTenant;
let agent: HttpAs;
let sam: TestPerson;
let noor: TestPerson;
let sams: SoftwareAuthenticator;
let firstTarget = 0;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  mail = await localMail();
  const allowedPrivateHosts = [`127.0.0.1:${String(toolServer.port)}`];
  api = await testApi({ config: { allowedPrivateHosts, mail: mail.config } });
  equipped = await equippedTenant(api, toolServer.port);
  const destinations = { 'security-team': ['security@example.com'] };
  expectStatus(await equipped.admin.put('/v1/incident-settings', { destinations }), 200);
  expect((await equipped.admin.put('/v1/autonomy', AUTONOMY)).status).toBeLessThan(300);
  agent = api.http((await api.agent(equipped.tenant, await api.person(equipped.tenant))).token);
  sam = await api.person(equipped.tenant, 'SRELead');
  noor = await api.person(equipped.tenant, 'SRELead');
  sams = await enrolPasskey(api, sam);
}, 60_000);
afterAll(async () => {
  await api.close();
  await toolServer.close();
  await mail.close();
});

async function planned(): Promise<{ readonly id: string; readonly digest: string }> {
  firstTarget += 25;
  const targets = Array.from({ length: 25 }, (_each, index) => `web-${String(firstTarget + index)}`);
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const { body } = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-2026-11', targets)), 201);
  return { id: body.id as string, digest: body.digest as string };
}

async function asked(): Promise<ApprovalRequestView> {
  const { id } = await planned();
  const simulation = expectStatus(await agent.post(`/v1/plans/${id}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(equipped.tenant.id, simulation);
  const opened = await agent.post(`/v1/plans/${id}/approval-requests`, { start: 'manual' });
  return expectStatus(opened, 201).body as ApprovalRequestView;
}

async function approve(
  by: TestPerson,
  request: ApprovalRequestView,
  proof: (http: HttpAs, operation: object) => Promise<string>,
): Promise<void> {
  const http = api.http(by.token);
  const about = { verdict: 'approve', subject_digest: request.subject.digest, comment: COMMENT };
  const step_up_id = await proof(http, { kind: 'review', request_id: request.id, ...about });
  expectStatus(await http.post(`/v1/approval-requests/${request.id}/reviews`, { ...about, step_up_id }), 201);
}

async function keysOf(by: TestPerson, query = ''): Promise<ApproverKeyListView['items']> {
  const { body } = expectStatus(await api.http(by.token).get(`/v1/approver-keys${query}`), 200);
  return (body as ApproverKeyListView).items;
}

async function keptBy(...people: TestPerson[]): Promise<readonly ApproverKey[]> {
  const lines = await Promise.all(
    people.map(async (one) => (await keysOf(one, `?person_id=${one.id}`))[0]?.line ?? ''),
  );
  const read = parseApproverKeys(lines.join('\n'));
  if ('line' in read) throw new Error(read.message);
  return read;
}

async function evidenceOf(path: string, keys?: readonly ApproverKey[]): Promise<VerificationReport> {
  const auditor = equipped.admin;
  return verifiedBy(auditor, expectStatus(await auditor.post(`${path}/evidence`, {}), 200).text, keys);
}

describe('signatures of people with a passkey', () => {
  it('cover an approval with its kept comment, and are checked offline against the approver’s key', async () => {
    const request = await asked();
    const totp = await enrolTotp(api, noor);
    await approve(sam, request, (http, operation) => signed(http, sams, operation));
    await approve(noor, request, (http, operation) => steppedUp(http, totp, operation));
    const detail = expectStatus(await agent.get(`/v1/approval-requests/${request.id}`), 200).body;
    expect(detail.reviews).toMatchObject([{ mfa_method: 'passkey' }, { mfa_method: 'totp' }]);

    const report = await evidenceOf(`/v1/plans/${request.subject.id}`, await keptBy(sam));
    expect(report).toMatchObject({
      failure: null,
      approvals: [
        {
          personId: sam.id,
          shownBy: 'kept_key',
          fingerprint: (await keysOf(sam, `?person_id=${sam.id}`))[0]?.fingerprint,
        },
        { personId: noor.id, shownBy: 'server', line: expect.stringContaining('with an authenticator code') },
      ],
    });
    // Its enrolment is in the log, too.
    expect(report.approvals[0]?.line).not.toContain('does not say');
    expect(report.documents).toContainEqual(expect.objectContaining({ kind: 'passkey', action: 'factor.enrolled' }));
    expect(report.documents).toContainEqual(
      expect.objectContaining({ kind: 'passkey-assertion', action: 'review.submitted' }),
    );
  }, 60_000);

  it('an approval of which the comment was changed after it was signed: refused', async () => {
    const request = await asked();
    const http = api.http(sam.token);
    const about = { verdict: 'approve', subject_digest: request.subject.digest };
    const step_up_id = await signed(http, sams, { kind: 'review', request_id: request.id, ...about, comment: 'a' });
    const answer = await http.post(`/v1/approval-requests/${request.id}/reviews`, {
      ...about,
      comment: 'b',
      step_up_id,
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'mfa.other_operation']);
  });

  it('a break-glass', async () => {
    const plan = await planned();
    const http = api.http(sam.token);
    const about = { plan_id: plan.id, plan_digest: plan.digest, justification: JUSTIFICATION };
    const step_up_id = await signed(http, sams, { kind: 'break_glass', ...about });
    expectStatus(await http.post('/v1/break-glass', { ...about, step_up_id }), 201);
    expect(await evidenceOf(`/v1/plans/${plan.id}`, await keptBy(sam))).toMatchObject({
      failure: null,
      approvals: [
        { personId: sam.id, shownBy: 'kept_key', lets: true, line: expect.stringContaining('broke the glass') },
      ],
    });
  }, 60_000);

  it('a change that they confirm', async () => {
    const ben = await api.person(equipped.tenant, 'PlatformAdmin');
    const bens = await enrolPasskey(api, ben);
    const role = await equipped.admin.post(`/v1/people/${noor.id}/roles`, { role: 'SecurityReviewer' });
    const change = expectStatus(role, 202).body as ChangeRequestView;
    const http = api.http(ben.token);
    const { id, change_digest } = change;
    const step_up_id = await signed(http, bens, { kind: 'change_confirm', change_id: id, change_digest });
    expectStatus(await http.post(`/v1/change-requests/${id}/confirm`, { change_digest, step_up_id }), 200);
    expect(await evidenceOf(`/v1/change-requests/${id}`, await keptBy(ben))).toMatchObject({
      failure: null,
      approvals: [{ personId: ben.id, shownBy: 'kept_key', line: expect.stringContaining('confirmed the change') }],
    });
    expect((await evidenceOf(`/v1/change-requests/${id}`, await keptBy(sam))).approvals[0]?.shownBy).toBe('pack_key');
  }, 60_000);

  it.each(['EdDSA', 'RS256'] as const)('with a key of %s, and not on a page within another', async (algorithm) => {
    const person = await api.person(equipped.tenant, 'SRELead');
    const http = api.http(person.token);
    const passkey = softwareAuthenticator(SITE, algorithm);
    const { options } = expectStatus(await http.post('/v1/factors/passkeys/options', {}), 201).body as {
      options: { challenge: string };
    };
    expectStatus(await http.post('/v1/factors/passkeys', { registration: passkey.register(options.challenge) }), 201);
    expect((await keptBy(person))[0]?.publicKey).toBe(passkey.publicKey);
    await signed(http, passkey, { kind: 'factor_change', change: 'add_totp' });
    const { id, challenge } = await startStepUp(http);
    const framed = await prove(http, id, {
      method: 'passkey',
      assertion: passkey.assert(challenge, { crossOrigin: true }),
    });
    expect([framed.status, framed.body.code]).toEqual([403, 'mfa.passkey_refused']);
  });

  it('their keys are listed for people, of one or of all in the tenant, and never of another tenant', async () => {
    const all = await keysOf(noor);
    expect(all.map(({ person }) => person.id)).toContain(sam.id);
    expect(all[0]).toMatchObject({
      person: { id: sam.id },
      credential_id: sams.passkeyId,
      fingerprint: expect.stringMatching(/^(\d{5} ){5}\d{5}$/),
      line: expect.stringContaining(`${sam.id} ${sams.passkeyId} ES256:`),
    });
    expect((await agent.get('/v1/approver-keys')).body.code).toBe('credential.person_required');
    const other = await api.tenant();
    expect(expectStatus(await api.http(other.admin.token).get('/v1/approver-keys'), 200).body).toEqual({ items: [] });
  });
});
