import { createHash } from 'node:crypto';
import type { ApprovalRequestView } from '#lib/contracts';
import type { PersonId, SimulationId } from '#lib/kernel';
import { ExecuteSimulation } from '#lib/simulation';
import {
  expectStatus,
  testApi,
  type Answer,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { somebodyWaits } from '../support/database.js';
import { autonomyDocument, equippedTenant, predictingToolServer } from '../support/equipped-tenant.js';
import { registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';
import { signInByPasskey } from '../support/passkey-accounts.js';
import { auditedOf, enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import { fingerprintOf, registerPasskey, signedInAgain, vouched, type SignInPasskey } from '../support/vouching.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let issuer: TestIssuer;
beforeAll(async () => {
  // oidc-provider tells developers on the console what it is not for.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  issuer = await testIssuer([{ sub: 'olga', groups: ['sre-leads'] }]);
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`, issuer.host] } });
}, 60_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
  await issuer.close();
});

const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];
const digits = (word: string): string => {
  const number = BigInt(`0x${createHash('sha256').update(word).digest('hex')}`)
    .toString()
    .slice(0, 30);
  return number.match(/.{5}/g)?.join(' ') ?? '';
};

interface Invited {
  readonly tenant: TestTenant;
  readonly asAda: HttpAs;
  /** With a token that the inviter holds, too. */
  readonly mia: TestPerson;
  /** The authenticator app that the inviter set up in Mia's name. */
  readonly adasApp: TestTotp;
  readonly adasPasskey: SignInPasskey;
  /** Of an agent that the inviter registered in Mia's name. */
  readonly agentToken: string;
  readonly openInvitation: string;
  readonly miasPasskey: SignInPasskey;
}

/** Ada lets Mia in, acts in her name before she does, and keeps whatever she can get. */
async function invitedByAda(): Promise<Invited> {
  const { tenant, admin: asAda } = await equippedTenant(api, fleet.port);
  expectStatus(await asAda.put('/v1/autonomy', autonomyDocument(true)), 200);
  const email = `mia@${tenant.slug}.example.com`;
  const { id } = expectStatus(await asAda.post('/v1/people', { email, display_name: 'Mia' }), 201).body as {
    id: PersonId;
  };
  expectStatus(await asAda.post(`/v1/people/${id}/roles`, { role: 'SRELead' }), 201);
  const link = async (): Promise<string> =>
    expectStatus(await asAda.post(`/v1/people/${id}/enrolment`), 201).body.enrolment_token as string;
  const scopes = ['read', 'submit', 'run', 'review'];
  const exchanged = await api.http().post('/v1/enrolment', { enrolment_token: await link(), name: 'mine', scopes });
  const mia = { id, email, token: expectStatus(exchanged, 201).body.token as string };
  const asMia = api.http(mia.token);

  const adasApp = await enrolTotp(api, mia);
  const adasPasskey = await registerPasskey(api, mia, adasApp);
  const agent = expectStatus(await asAda.post('/v1/agents', { name: `of-${id}`, owner_id: id }), 201).body;
  const minted = await asMia.post(`/v1/agents/${agent.id as string}/tokens`, { name: 'x', scopes: ['read', 'submit'] });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  expectStatus(await asMia.post('/v1/absences', { delegate_id: tenant.admin.id, until }), 201);
  return {
    tenant,
    asAda,
    mia,
    adasApp,
    adasPasskey,
    agentToken: expectStatus(minted, 201).body.token as string,
    miasPasskey: await registerPasskey(api, mia, adasApp),
    openInvitation: await link(),
  };
}

/** An agent of somebody else asks. */
async function asked(tenant: TestTenant): Promise<ApprovalRequestView> {
  const agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
  const plan = expectStatus(await agent.post(`/v1/tasks/${task.id}/plans`, rolloutPlan()), 201).body as { id: string };
  const simulation = (await agent.post(`/v1/plans/${plan.id}/simulations`)).body.id as SimulationId;
  await api.app.get(ExecuteSimulation).execute(tenant.id, simulation);
  return expectStatus(await agent.post(`/v1/plans/${plan.id}/approval-requests`, { start: 'manual' }), 201)
    .body as ApprovalRequestView;
}

const review = (by: HttpAs, { id, plan_digest }: ApprovalRequestView): Promise<Answer> =>
  by.post(`/v1/approval-requests/${id}/reviews`, { plan_digest, verdict: 'approve' });

describe('T69: whoever let a person in keeps a way to be that person', () => {
  it('until an admin of another hand vouches: then the passkey that was compared stays, and nothing else', async () => {
    const { tenant, asAda, mia, adasApp, adasPasskey, agentToken, openInvitation, miasPasskey } = await invitedByAda();
    const fingerprint = await fingerprintOf(api, mia);
    const ben = await api.person(tenant, 'PlatformAdmin');
    const answer = await vouched(api.http(ben.token), await enrolTotp(api, ben), { id: mia.id, fingerprint });
    // The token of the enrolment and the agent's; Ada's app and passkey.
    const ended = { revoked_tokens: 2, invitations: 1, factors: 2, delegations: 1, browsers: 0 };
    expect(answer).toMatchObject({ standing: { known: true }, ended });
    expect(await auditedOf(api, 'person.vouched_for', ben.id)).toMatchObject([{ ended, passkey: { fingerprint } }]);

    const request = await asked(tenant);
    expect(outcome(await review(api.http(mia.token), request))).toEqual([401, 'credential.revoked']);
    expect(outcome(await api.http(agentToken).get('/v1/me'))).toEqual([401, 'credential.revoked']);
    expect((await review(asAda, request)).status).toBe(403);
    const again = { enrolment_token: openInvitation, name: 'again' };
    expect(outcome(await api.http().post('/v1/enrolment', again))).toEqual([401, 'enrolment.refused']);
    expect((await signInByPasskey(api, adasPasskey)).status).toBe(401);

    const own = await signedInAgain(api, mia, miasPasskey);
    const factors = expectStatus(await api.http(own.token).get('/v1/factors'), 200).body;
    expect(factors).toMatchObject({ items: [{ kind: 'passkey' }], recovery_codes_left: 0 });
    const stepUp = await api.http(own.token).post('/v1/step-ups', {
      operation: { kind: 'factor_change', change: 'add_totp' },
    });
    const proof = { method: 'recovery_code', code: adasApp.recoveryCodes[0] };
    const proved = await api.http(own.token).post(`/v1/step-ups/${stepUp.body.id as string}/proof`, proof);
    expect(outcome(proved)).toEqual([403, 'mfa.code_wrong']);
    expectStatus(await review(api.http(own.token), request), 201);
  });

  it('and nobody vouches without a passkey of the person, nor for another one than was proved', async () => {
    const { tenant, mia } = await invitedByAda();
    const fingerprint = await fingerprintOf(api, mia);
    const ben = await api.person(tenant, 'PlatformAdmin');
    const asBen = api.http(ben.token);
    const totp = await enrolTotp(api, ben);
    const vouch = (body: object): Promise<Answer> => asBen.post(`/v1/people/${mia.id}/vouch`, body);
    expect((await vouch({})).status).toBe(422);
    const another = digits('another');
    const step_up_id = await steppedUp(asBen, totp, { kind: 'vouch', person_id: mia.id, fingerprint: another });
    expect(outcome(await vouch({ fingerprint: another, step_up_id }))).toEqual([409, 'vouch.passkey_unknown']);
    expect(outcome(await vouch({ fingerprint, step_up_id }))).toEqual([403, 'mfa.other_operation']);
    // Refused, so nothing ended.
    expectStatus(await api.http(mia.token).get('/v1/me'), 200);
  });

  it('nor does a token slip through that is asked for at the moment of the vouch', async () => {
    const { mia } = await invitedByAda();
    const vouching = await api.db.owner.connect();
    try {
      await vouching.query('begin');
      await vouching.query('select from person where id = $1 for update', [mia.id]);
      const late = api.http(mia.token).post('/v1/tokens', { name: 'late' });
      await somebodyWaits(api.db.owner);
      await vouching.query('update credential set revoked_at = clock_timestamp() where person_id = $1', [mia.id]);
      await vouching.query('commit');
      expect(outcome(await late)).toEqual([401, 'credential.ended']);
    } finally {
      vouching.release();
    }
  });

  it('nor while the person signs in at an issuer that one hand put in force alone', async () => {
    const tenant = await api.tenant();
    await registerIssuer(api, tenant, issuer);
    expectStatus(await new TestBrowser(api).signIn(issuer, tenant, 'olga'), 303);
    const { items } = expectStatus(await api.http(tenant.admin.token).get('/v1/people'), 200).body as {
      items: { id: PersonId; email: string }[];
    };
    const olga = items.find(({ email }) => email.startsWith('olga@'));
    const ben = await api.person(tenant, 'PlatformAdmin');
    const refused = await api.http(ben.token).post(`/v1/people/${olga?.id ?? ''}/vouch`, { fingerprint: digits('x') });
    expect(outcome(refused)).toEqual([409, 'vouch.unconfirmed_issuer']);
  });
});
