import type { ApprovalRequestDetailView, ApprovalRequestView } from '#lib/api-schemas';
import type { PersonId, SimulationId } from '#lib/kernel';
import {
  expectStatus,
  operatorToken,
  testApi,
  type Answer,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { autonomyDocument, equippedTenant, predictingToolServer } from '../support/equipped-tenant.js';
import { enrolTotp, steppedUp } from '../support/second-factors.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import { verifiedBy } from '../support/verified-by.js';
import { fingerprintOf, registerPasskey, signedInAgain } from '../support/vouching.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
}, 60_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
});

let agents = 0;

interface OneHand {
  readonly tenant: TestTenant;
  readonly asAda: HttpAs;
  readonly sam: TestPerson;
  readonly lea: TestPerson;
}

/** A person whom the admin adds, gives roles, and lets in by a token that the admin sees. Either of them could use it. */
async function puppet(tenant: TestTenant, name: string, role: string): Promise<TestPerson> {
  const admin = api.http(tenant.admin.token);
  const email = `${name}@${tenant.slug}.example.com`;
  const { id } = expectStatus(await admin.post('/v1/people', { email, display_name: name }), 201).body as {
    id: PersonId;
  };
  expectStatus(await admin.post(`/v1/people/${id}/roles`, { role }), 201);
  const { enrolment_token } = expectStatus(await admin.post(`/v1/people/${id}/enrolment`), 201).body as {
    enrolment_token: string;
  };
  const scopes = ['read', 'submit', 'run', 'review', ...(role === 'PlatformAdmin' ? ['admin', 'audit'] : [])];
  const { token } = expectStatus(await api.http().post('/v1/enrolment', { enrolment_token, name: 'test', scopes }), 201)
    .body as { token: string };
  return { id, email, token };
}

/** Ada founds a tenant and uses the tokens of two invented people. */
async function oneHand(): Promise<OneHand> {
  const { tenant, admin: asAda } = await equippedTenant(api, fleet.port);
  expectStatus(await asAda.put('/v1/autonomy', autonomyDocument(true)), 200);
  const sam = await puppet(tenant, 'sam', 'SRELead');
  const lea = await puppet(tenant, 'lea', 'SRELead');
  return { tenant, asAda, sam, lea };
}

/** An agent of that person asks, with a token that they minted themselves. */
async function asked(tenant: TestTenant, owner: TestPerson): Promise<ApprovalRequestView> {
  const name = `agent-${String((agents += 1))}`;
  const registered = await api.http(tenant.admin.token).post('/v1/agents', { name, owner_id: owner.id });
  const { id } = expectStatus(registered, 201).body as { id: string };
  const minted = await api.http(owner.token).post(`/v1/agents/${id}/tokens`, { name, scopes: ['read', 'submit'] });
  const agent = api.http(expectStatus(minted, 201).body.token as string);
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
  const plan = expectStatus(await agent.post(`/v1/tasks/${task.id}/plans`, rolloutPlan()), 201).body as { id: string };
  const started = await agent.post(`/v1/plans/${plan.id}/simulations`);
  await api.installation.simulation.executeSimulation.execute(tenant.id, started.body.id as SimulationId);
  return expectStatus(await agent.post(`/v1/plans/${plan.id}/approval-requests`, { start: 'manual' }), 201)
    .body as ApprovalRequestView;
}

const review = (by: TestPerson, { id, subject }: ApprovalRequestView): Promise<Answer> =>
  api
    .http(by.token)
    .post(`/v1/approval-requests/${id}/reviews`, { subject_digest: subject.digest, verdict: 'approve' });

const shownTo = async (one: TestPerson, { id }: ApprovalRequestView): Promise<ApprovalRequestDetailView> =>
  expectStatus(await api.http(one.token).get(`/v1/approval-requests/${id}`), 200).body as ApprovalRequestDetailView;

const codes = ({ status, body }: Answer): unknown[] => [
  status,
  ...new Set(((body.reasons ?? []) as { code: string }[]).map(({ code }) => code)),
];
const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];

describe('T39: people enrolled by one hand are one', () => {
  let hand: OneHand;
  beforeAll(async () => {
    hand = await oneHand();
  }, 60_000);

  it('do not approve requests of the hand, and are told the way out', async () => {
    const { tenant, sam, lea } = hand;
    const request = await asked(tenant, tenant.admin);
    for (const one of [sam, lea]) {
      const refused = await review(one, request);
      expect(codes(refused)).toEqual([403, 'review.same_hand']);
      expect(refused.body.action).toContain('countersign bootstrap --person');
      const { may_review: may } = await shownTo(one, request);
      expect(may).toMatchObject({ outcome: 'deny', action: refused.body.action, shares_vote_with: [] });
      expect(may.reasons[0]?.message).not.toContain(tenant.admin.id);
    }
  });

  it('nor requests of another of them, and neither does the hand', async () => {
    const { tenant, sam, lea } = hand;
    const request = await asked(tenant, sam);
    expect(request.excluded).toEqual([
      { person_id: sam.id, why: 'owner' },
      { person_id: tenant.admin.id, why: 'same_hand', shares_with: sam.id },
    ]);
    const shown = await shownTo(lea, request);
    expect(shown.ways_to_a_vote).toContain('an admin of another hand vouches for them');
    expect(shown.could_approve?.warning).toContain(shown.ways_to_a_vote);
    expect(codes(await review(lea, request))).toEqual([403, 'review.same_hand']);
  });

  it('have one vote together on requests of others; the record says so, and the verifier counts it', async () => {
    const { tenant, asAda, sam, lea } = hand;
    const olga = await api.person(tenant);
    const rex = await api.person(tenant, 'SRELead');
    const request = await asked(tenant, olga);
    expect((await shownTo(lea, request)).may_review).toMatchObject({ outcome: 'allow', action: null });
    expectStatus(await review(sam, request), 201);
    expect((await shownTo(lea, request)).may_review).toMatchObject({
      action: expect.stringContaining('countersign bootstrap --person'),
      shares_vote_with: [expect.objectContaining({ id: sam.id })],
    });
    expect((await shownTo(sam, request)).may_review).toMatchObject({ action: null, shares_vote_with: [] });
    const both = expectStatus(await review(lea, request), 201).body;
    expect(both).toMatchObject({ state: 'open', quorum: { complete: false, open: [{ count: 1 }] } });
    expect(expectStatus(await review(rex, request), 201).body).toMatchObject({ state: 'approved' });
    const pack = expectStatus(await asAda.post(`/v1/plans/${request.subject.id}/evidence`, {}), 200).text;
    const report = await verifiedBy(asAda, pack);
    expect(report.failure).toBeNull();
    expect(report.passed.join('\n')).toContain('Approved by 2 distinct people');
    expect(report.passed.join('\n')).toMatch(
      /^Known as they approved: sam \(came in by a token that .* made\), lea \(/m,
    );
  });

  it('have their own votes on later requests only once a person of another hand vouched for one of them', async () => {
    const { tenant, asAda, sam, lea } = await oneHand();
    const ben = await api.person(tenant, 'PlatformAdmin');
    const olga = await api.person(tenant);
    const before = await asked(tenant, olga);
    const asBen = api.http(ben.token);
    const sams = await registerPasskey(api, sam);
    const fingerprint = await fingerprintOf(api, sam);
    const vouch = (by: HttpAs, id: string, body: object = {}) =>
      by.post(`/v1/people/${id}/vouch`, { fingerprint, ...body });
    expect(outcome(await vouch(asAda, sam.id))).toEqual([403, 'vouch.same_hand']);
    expect(outcome(await vouch(asAda, tenant.admin.id))).toEqual([403, 'vouch.own']);
    expect(outcome(await vouch(asBen, sam.id))).toEqual([403, 'mfa.not_enrolled']);
    const totp = await enrolTotp(api, ben);
    expect(outcome(await vouch(asBen, sam.id))).toEqual([403, 'mfa.required']);
    const forLea = await steppedUp(asBen, totp, { kind: 'vouch', person_id: lea.id, fingerprint });
    expect(outcome(await vouch(asBen, sam.id, { step_up_id: forLea }))).toEqual([403, 'mfa.other_operation']);
    const step_up_id = await steppedUp(asBen, totp, { kind: 'vouch', person_id: sam.id, fingerprint });
    const vouched = expectStatus(await vouch(asBen, sam.id, { step_up_id }), 201).body;
    expect(vouched.standing).toMatchObject({ known: true, shares_vote_with: [] });
    expect(outcome(await vouch(asBen, sam.id, { step_up_id }))).toEqual([409, 'vouch.known_already']);

    const own = await signedInAgain(api, sam, sams);
    expectStatus(await review(own, before), 201);
    expect(expectStatus(await review(lea, before), 201).body).toMatchObject({ state: 'open' });
    const after = await asked(tenant, olga);
    expectStatus(await review(own, after), 201);
    expect(expectStatus(await review(lea, after), 201).body).toMatchObject({ state: 'approved' });
  });

  it('become known by the operator in the browser alone if the hand left them a second factor', async () => {
    const { tenant, sam } = await oneHand();
    await enrolTotp(api, sam);
    const enrolment_token = await operatorToken(api, tenant.id, sam.id);
    const exchanged = await api.http().post('/v1/enrolment', { enrolment_token, name: 'laptop', scopes: ['read'] });
    expect(outcome(exchanged)).toEqual([409, 'enrolment.taken_in_browser']);
    expect((await api.http(sam.token).get('/v1/me')).status).toBe(200);
  });

  it('do not confirm each other’s changes: a tenant of one hand changes alone, and says so', async () => {
    const { tenant, asAda } = await oneHand();
    const noor = await puppet(tenant, 'noor', 'PlatformAdmin');
    const settings = { destinations: {} };
    expectStatus(await asAda.put('/v1/incident-settings', { destinations: { security: ['C012AB3CD'] } }), 200);
    expect(expectStatus(await asAda.put('/v1/incident-settings', settings), 200).body).toMatchObject({
      guarded: false,
    });

    const ben = await api.person(tenant, 'PlatformAdmin');
    expectStatus(await asAda.put('/v1/incident-settings', { destinations: { security: ['C012AB3CD'] } }), 200);
    const waiting = expectStatus(await asAda.put('/v1/incident-settings', settings), 202).body;
    const confirmed = async (by: TestPerson): Promise<Answer> => {
      const { id: change_id, change_digest } = waiting as { id: string; change_digest: string };
      const http = api.http(by.token);
      const step_up_id = await steppedUp(http, await enrolTotp(api, by), {
        kind: 'change_confirm',
        change_id,
        change_digest,
      });
      return http.post(`/v1/change-requests/${change_id}/confirm`, { change_digest, step_up_id });
    };
    expect(waiting.confirmers).toEqual([expect.objectContaining({ id: ben.id })]);
    expect(outcome(await confirmed(noor))).toEqual([403, 'change.same_hand']);
    const seen = expectStatus(await api.http(noor.token).get(`/v1/change-requests/${String(waiting.id)}`), 200).body;
    expect(seen.you.why_not).toMatchObject({
      code: 'change.same_hand',
      action: expect.stringContaining('countersign bootstrap --person'),
    });
    expectStatus(await confirmed(ben), 200);
  });
});
