import type { ApprovalRequestView } from '#lib/api-schemas';
import type { SimulationId } from '#lib/kernel';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestPerson } from '../support/api.js';
import { equippedTenant, predictingToolServer, type EquippedTenant } from '../support/equipped-tenant.js';
import { auditedOf, enrolPasskey, enrolTotp, prove, SITE, startStepUp, steppedUp } from '../support/second-factors.js';
import { rolloutPlan, anotherTaskSpec } from '../support/stages.js';
import { softwareAuthenticator } from '../support/virtual-authenticator.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
      require_two_approvers: true
      require_mfa: true
`;

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let equipped: EquippedTenant;
let agent: HttpAs;
let ada: TestPerson;
let http: HttpAs;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  equipped = await equippedTenant(api, toolServer.port);
  expect((await equipped.admin.put('/v1/autonomy', AUTONOMY)).status).toBeLessThan(300);
  const owner = await api.person(equipped.tenant);
  agent = api.http((await api.agent(equipped.tenant, owner)).token);
}, 60_000);
afterAll(async () => {
  await api.close();
  await toolServer.close();
});
beforeEach(async () => {
  ada = await api.person(equipped.tenant, 'SRELead');
  http = api.http(ada.token);
});

const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];

/** A request that needs two approvals, each with a second factor. */
async function asked(): Promise<ApprovalRequestView> {
  const id = async (path: string, body?: unknown): Promise<string> =>
    expectStatus(await agent.post(path, body), 201).body.id as string;
  const task = await id('/v1/tasks', anotherTaskSpec());
  const plan = await id(`/v1/tasks/${task}/plans`, rolloutPlan());
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(equipped.tenant.id, simulation);
  const opened = await agent.post(`/v1/plans/${plan}/approval-requests`, { start: 'manual' });
  return expectStatus(opened, 201).body as ApprovalRequestView;
}

const operationOf = (request: ApprovalRequestView, verdict = 'approve') => ({
  kind: 'review',
  request_id: request.id,
  verdict,
  subject_digest: request.subject.digest,
});

const approve = (as: HttpAs, request: ApprovalRequestView, stepUpId?: string): Promise<Answer> =>
  as.post(`/v1/approval-requests/${request.id}/reviews`, {
    verdict: 'approve',
    subject_digest: request.subject.digest,
    ...(stepUpId === undefined ? {} : { step_up_id: stepUpId }),
  });

describe('a review that obliges to a second factor', () => {
  it('is refused until one is proved for it, and then says how and when it was', async () => {
    const request = await asked();
    expect(request.decision.obligations.mfa).toBe(true);
    const before = await http.get(`/v1/approval-requests/${request.id}`);
    expect(before.body.may_review.outcome).toBe('allow');
    expect(await approve(http, request)).toMatchObject({
      status: 403,
      body: { code: 'mfa.not_enrolled', reasons: [{ code: 'mfa.required' }] },
    });
    const totp = await enrolTotp(api, ada);
    const refused = await approve(http, request);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'mfa.required', details: { operation: operationOf(request) } },
    });

    const stepUpId = await steppedUp(http, totp, refused.body.details.operation as object);
    expect(expectStatus(await approve(http, request, stepUpId), 201).body.quorum.filled).toHaveLength(1);
    const [entry] = await auditedOf(api, 'review.submitted', ada.id);
    expect(entry).toMatchObject({ mfa: { method: 'totp', proved_at: expect.any(Number) } });
    expect(JSON.stringify(entry)).not.toContain('"code"');
  });

  it('takes a proof once, for that request, verdict and person, within five minutes', async () => {
    const [request, another] = [await asked(), await asked()];
    const totp = await enrolTotp(api, ada);
    const ben = await api.person(equipped.tenant, 'SRELead');
    await enrolTotp(api, ben);

    const forRejecting = await steppedUp(http, totp, operationOf(request, 'reject'));
    expect(outcome(await approve(http, request, forRejecting))).toEqual([403, 'mfa.other_operation']);
    const stepUpId = await steppedUp(http, totp, operationOf(request));
    expect(outcome(await approve(http, another, stepUpId))).toEqual([403, 'mfa.other_operation']);
    expect(outcome(await approve(api.http(ben.token), request, stepUpId))).toEqual([403, 'mfa.other_operation']);
    expectStatus(await approve(http, request, stepUpId), 201);
    expect(outcome(await approve(http, request, stepUpId))).toEqual([409, 'mfa.proof_used']);

    const late = await steppedUp(http, totp, operationOf(another));
    await api.db.owner.query('update step_up set proof_expires_at = clock_timestamp() where id = $1', [late]);
    expect(outcome(await approve(http, another, late))).toEqual([403, 'mfa.proof_expired']);
    const { id: unproved } = await startStepUp(http, operationOf(another));
    expect(outcome(await approve(http, another, unproved))).toEqual([403, 'mfa.required']);
  });

  it('takes a proof once if reviews come at the same moment', async () => {
    const request = await asked();
    const totp = await enrolTotp(api, ada);
    const stepUpId = await steppedUp(http, totp, operationOf(request));
    const answers = await Promise.all([1, 2, 3].map(() => approve(http, request, stepUpId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('does not use a proof up on a review of another plan', async () => {
    const request = await asked();
    const totp = await enrolTotp(api, ada);
    const other = `sha256:${'0'.repeat(64)}`;
    const wrong = { ...request, subject: { ...request.subject, digest: other } };
    const stepUpId = await steppedUp(http, totp, operationOf(request));
    expect(outcome(await approve(http, wrong, stepUpId))).toEqual([403, 'mfa.other_operation']);
    expectStatus(await approve(http, request, stepUpId), 201);
  });

  it('is complete with two people, one of them with a passkey', async () => {
    const ben = await api.person(equipped.tenant, 'SRELead');
    const request = await asked();
    const passkey = await enrolPasskey(api, ben);
    const totp = await enrolTotp(api, ada);
    expectStatus(await approve(http, request, await steppedUp(http, totp, operationOf(request))), 201);
    const asBen = api.http(ben.token);
    const { id, challenge } = await startStepUp(asBen, operationOf(request));
    expectStatus(await prove(asBen, id, { method: 'passkey', assertion: passkey.assert(challenge) }), 200);
    expect(expectStatus(await approve(asBen, request, id), 201).body.state).toBe('approved');
    expect(await auditedOf(api, 'review.submitted', ben.id)).toMatchObject([{ mfa: { method: 'passkey' } }]);
  });

  it('needs none to reject', async () => {
    const request = await asked();
    const rejected = await http.post(`/v1/approval-requests/${request.id}/reviews`, {
      verdict: 'reject',
      comment: 'not on a Friday',
      subject_digest: request.subject.digest,
    });
    expect(expectStatus(rejected, 201).body.state).toBe('denied');
  });
});

describe('second factors', () => {
  it('are offered with a QR code, and count once they were confirmed', async () => {
    const offer = expectStatus(await http.post('/v1/factors/totp', { name: 'My phone' }), 201).body;
    expect(offer.otpauth_uri).toMatch(/^otpauth:\/\/totp\/Countersign:.*secret=/);
    expect(offer.qr_svg).toMatch(/^<svg /);
    expect(
      outcome(await http.post('/v1/step-ups', { operation: { kind: 'factor_removal', factor_id: offer.id } })),
    ).toEqual([403, 'mfa.not_enrolled']);
    expect((await http.get('/v1/factors')).body).toMatchObject({
      items: [{ name: 'My phone', state: 'pending' }],
      recovery_codes_left: 0,
    });
    expectStatus(await http.delete(`/v1/factors/${offer.id as string}`), 204);
  });

  it('change with a proof by one that counts: a second one, a new app, new recovery codes, a removal', async () => {
    const totp = await enrolTotp(api, ada);
    expect(outcome(await http.post('/v1/factors/totp', {}))).toEqual([403, 'mfa.required']);
    expect(outcome(await http.post('/v1/factors/passkeys/options', {}))).toEqual([403, 'mfa.required']);
    expect(outcome(await http.delete(`/v1/factors/${totp.id}`))).toEqual([403, 'mfa.required']);
    expect(outcome(await http.post('/v1/factors/recovery-codes', {}))).toEqual([403, 'mfa.required']);

    const adding = await steppedUp(http, totp, { kind: 'factor_change', change: 'add_passkey' });
    const offered = expectStatus(await http.post('/v1/factors/passkeys/options', { step_up_id: adding }), 201);
    const passkey = softwareAuthenticator(SITE);
    const registration = passkey.register(offered.body.options.challenge as string);
    const registered = expectStatus(
      await http.post('/v1/factors/passkeys', { registration, name: 'Laptop' }),
      201,
    ).body;
    expect(registered).toMatchObject({ factor: { kind: 'passkey', name: 'Laptop' }, recovery_codes: null });

    const renewing = await steppedUp(http, totp, { kind: 'factor_change', change: 'renew_recovery_codes' });
    const renewed = expectStatus(await http.post('/v1/factors/recovery-codes', { step_up_id: renewing }), 201).body;
    expect(renewed.recovery_codes).toHaveLength(10);
    expect(renewed.recovery_codes).not.toContain(totp.recoveryCodes[0]);

    const removing = await steppedUp(http, totp, { kind: 'factor_removal', factor_id: totp.id });
    expect(outcome(await http.delete(`/v1/factors/${registered.factor.id as string}?step_up_id=${removing}`))).toEqual([
      403,
      'mfa.other_operation',
    ]);
    expectStatus(await http.delete(`/v1/factors/${totp.id}?step_up_id=${removing}`), 204);
    expect((await http.get('/v1/factors')).body.items).toMatchObject([{ name: 'Laptop' }]);
    expect((await auditedOf(api, 'factor.removed', ada.id)).length).toBe(1);
  });

  it('give way to a new app that was confirmed', async () => {
    const former = await enrolTotp(api, ada);
    const stepUpId = await steppedUp(http, former, { kind: 'factor_change', change: 'add_totp' });
    const { id, secret } = expectStatus(await http.post('/v1/factors/totp', { step_up_id: stepUpId }), 201).body as {
      id: string;
      secret: string;
    };
    expect(secret).not.toBe(former.secret);
    const wrong = await http.post(`/v1/factors/totp/${id}/confirm`, { code: former.code() });
    expect(outcome(wrong)).toEqual([403, 'mfa.code_wrong']);
    expect((await http.get('/v1/factors')).body.items).toMatchObject([{ state: 'active' }, { state: 'pending' }]);
    const proof = { method: 'totp', code: await former.freshCode() };
    expectStatus(await prove(http, (await startStepUp(http)).id, proof), 200);
  });

  it('of somebody who lost them are reset by an admin, never by oneself', async () => {
    const totp = await enrolTotp(api, ada);
    const proved = await steppedUp(http, totp, { kind: 'factor_change', change: 'add_passkey' });
    const path = `/v1/people/${ada.id}/factors/reset`;
    const body = { reason: 'She called, and her manager did.' };
    expect(outcome(await http.post(path, body))).toEqual([403, 'credential.scope_missing']);
    const { admin, tenant } = equipped;
    expect(outcome(await admin.post(`/v1/people/${tenant.admin.id}/factors/reset`, body))).toEqual([
      403,
      'mfa.reset_own',
    ]);
    expectStatus(await admin.post(path, body), 200);
    expect((await http.get('/v1/factors')).body).toEqual({ items: [], recovery_codes_left: 0 });
    expect(outcome(await http.post('/v1/step-ups', { operation: operationOf(await asked()) }))).toEqual([
      403,
      'mfa.not_enrolled',
    ]);
    const { rows } = await api.db.owner.query(
      'select 1 from step_up where id = $1 and proof_expires_at <= clock_timestamp()',
      [proved],
    );
    expect(rows).toHaveLength(1);
    expect(await auditedOf(api, 'factors.reset', tenant.admin.id)).toMatchObject([{ reason: body.reason, removed: 1 }]);
  });

  it('go along when the master key is replaced', async () => {
    const totp = await enrolTotp(api, ada);
    const keyId = await api.installation.keys.keyring.addKey();
    expectStatus(await equipped.admin.post('/v1/secrets/rotation'), 200);
    const { rows } = await api.db.owner.query('select key_id from factor where id = $1', [totp.id]);
    expect(rows).toEqual([{ key_id: keyId }]);
    const proof = { method: 'totp', code: await totp.freshCode() };
    expectStatus(await prove(http, (await startStepUp(http)).id, proof), 200);
  });

  it('are missed if an autonomy document asks for more of them than there are', async () => {
    const { tenant, admin } = await equippedTenant(api, toolServer.port);
    const [one, two] = [await api.person(tenant, 'SRELead'), await api.person(tenant, 'SRELead')];
    await api.person(tenant, 'SRELead');
    const warnings = async (): Promise<string[]> => {
      const { body } = await admin.put('/v1/autonomy?dry_run=true', AUTONOMY);
      return (body.warnings as { code: string }[]).map(({ code }) => code);
    };
    await enrolTotp(api, one);
    expect(await warnings()).toEqual(['autonomy.factors_missing']);
    await enrolPasskey(api, two);
    expect(await warnings()).toEqual([]);
  });

  it('belong only to a person with a credential that reviews', async () => {
    expect(outcome(await agent.post('/v1/factors/totp', {}))).toEqual([403, 'credential.scope_missing']);
    const narrow = api.http(await api.token(ada, 'read'));
    expect(outcome(await narrow.post('/v1/factors/totp', {}))).toEqual([403, 'credential.scope_missing']);
    expectStatus(await narrow.get('/v1/factors'), 200);
  });
});
