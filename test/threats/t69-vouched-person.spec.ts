import { createHash } from 'node:crypto';
import type { ApprovalRequestView } from '#lib/api-schemas';
import type { PersonId, SimulationId } from '#lib/kernel';
import {
  cameInByHand,
  expectStatus,
  operatorToken,
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
import { cameIn, pageOf, signInByPasskey } from '../support/passkey-accounts.js';
import { auditedOf, enrolTotp, steppedUp, type TestTotp } from '../support/second-factors.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';
import { fingerprintOf, registerPasskey, signedInAgain, vouched, type SignInPasskey } from '../support/vouching.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let issuer: TestIssuer;
beforeAll(async () => {
  // oidc-provider warns developers on the console of its limits.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  issuer = await testIssuer([
    { sub: 'olga', groups: ['sre-leads'] },
    { sub: 'mia', groups: ['sre-leads'] },
  ]);
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

/** Ada lets Mia in, acts in her name before she does, and keeps everything that she can get. */
async function invitedByAda(address?: string): Promise<Invited> {
  const { tenant, admin: asAda } = await equippedTenant(api, fleet.port);
  expectStatus(await asAda.put('/v1/autonomy', autonomyDocument(true)), 200);
  const email = address ?? `mia@${tenant.slug}.example.com`;
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
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan.id}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(tenant.id, simulation);
  return expectStatus(await agent.post(`/v1/plans/${plan.id}/approval-requests`, { start: 'manual' }), 201)
    .body as ApprovalRequestView;
}

const review = (by: HttpAs, { id, subject }: ApprovalRequestView): Promise<Answer> =>
  by.post(`/v1/approval-requests/${id}/reviews`, { subject_digest: subject.digest, verdict: 'approve' });

/** The answer of each way in which Ada could still be Mia. */
const tried = async ({ mia, agentToken, openInvitation, adasPasskey }: Invited): Promise<unknown> => ({
  token: outcome(await api.http(mia.token).get('/v1/me')),
  agent: outcome(await api.http(agentToken).get('/v1/me')),
  invitation: outcome(await api.http().post('/v1/enrolment', { enrolment_token: openInvitation, name: 'again' })),
  passkey: (await signInByPasskey(api, adasPasskey)).status,
});

const ALL_ENDED = {
  token: [401, 'credential.revoked'],
  agent: [401, 'credential.revoked'],
  invitation: [401, 'enrolment.refused'],
  passkey: 401,
};

/** The person who stands in for Mia. */
const delegatesOf = async ({ tenant, mia }: Invited): Promise<unknown[]> => {
  const { body } = expectStatus(await api.http(tenant.admin.token).get('/v1/absences'), 200);
  const { items } = body as { items: { person: { id: string }; in_force: boolean }[] };
  return items.filter(({ person, in_force }) => person.id === mia.id && in_force);
};

describe('T69: the hand that let a person in keeps a way to be that person', () => {
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

  it('and no vouch counts without a passkey of the person, nor for another one than was proved', async () => {
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

  it.each([
    ['a token', '/v1/tokens', (): object => ({ name: 'late' })],
    [
      'a delegation',
      '/v1/absences',
      (adaId: PersonId): object => ({ delegate_id: adaId, until: new Date(Date.now() + 3_600_000).toISOString() }),
    ],
  ])('nor does %s slip through that is asked for at the moment of the vouch', async (_what, path, body) => {
    const { mia, tenant } = await invitedByAda();
    const vouching = await api.db.owner.connect();
    try {
      await vouching.query('begin');
      await vouching.query('select from person where id = $1 for update', [mia.id]);
      const late = api.http(mia.token).post(path, body(tenant.admin.id));
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

  it('or until she comes in by a link of the operator: then her new passkey stays, and nothing else', async () => {
    const invited = await invitedByAda();
    const { tenant, mia } = invited;
    expect(await delegatesOf(invited)).toHaveLength(1);
    const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, mia.id));
    expect(await tried(invited)).toEqual(ALL_ENDED);
    expect(await delegatesOf(invited)).toEqual([]);
    const factors = expectStatus(await api.http().get('/v1/factors', { cookie }), 200).body;
    expect(factors).toMatchObject({ items: [{ kind: 'passkey', name: 'Laptop' }], recovery_codes_left: 10 });
    // The app, both passkeys that were there, and the tokens as at a vouch. The link itself replaced the open invitation.
    const ended = { revoked_tokens: 2, invitations: 0, factors: 3, delegations: 1, browsers: 0 };
    expect((await auditedOf(api, 'person.enrolled', mia.id)).at(-1)).toMatchObject({ channel: 'operator', ...ended });
  });

  it('and as many factors as anybody may have keep her link from nothing', async () => {
    const { tenant, mia, adasApp } = await invitedByAda();
    for (let factors = 3; factors < 10; factors += 1) await registerPasskey(api, mia, adasApp);
    await cameIn(api, await operatorToken(api, tenant.id, mia.id));
  });

  it('also if she comes in by it on a command line', async () => {
    const { tenant, admin: asAda } = await equippedTenant(api, fleet.port);
    const mia = await api.person(tenant, 'SRELead');
    await cameInByHand(api, tenant.id, mia.id, tenant.admin.id);
    const agent = expectStatus(await asAda.post('/v1/agents', { name: `of-${mia.id}`, owner_id: mia.id }), 201).body;
    const minted = await api
      .http(mia.token)
      .post(`/v1/agents/${String(agent.id)}/tokens`, { name: 'x', scopes: ['read'] });
    const agentToken = expectStatus(minted, 201).body.token as string;
    const enrolment_token = await operatorToken(api, tenant.id, mia.id);
    const exchanged = expectStatus(await api.http().post('/v1/enrolment', { enrolment_token, name: 'laptop' }), 201);
    expect(outcome(await api.http(agentToken).get('/v1/me'))).toEqual([401, 'credential.revoked']);
    expectStatus(await api.http(exchanged.body.token as string).get('/v1/me'), 200);
  });

  it('or until she first signs in at an issuer; tokens that she makes then outlast her later sign-ins', async () => {
    const invited = await invitedByAda('mia@issuer.example.com');
    const { tenant, mia } = invited;
    await registerIssuer(api, tenant, issuer, { link_by_verified_email: true });
    const browser = new TestBrowser(api);
    expectStatus(await browser.signIn(issuer, tenant, 'mia'), 303);
    expect(await tried(invited)).toEqual(ALL_ENDED);
    expect(await delegatesOf(invited)).toEqual([]);
    expect(expectStatus(await browser.get('/v1/factors'), 200).body).toMatchObject({
      items: [],
      recovery_codes_left: 0,
    });
    const ended = { revoked_tokens: 2, invitations: 1, factors: 3, delegations: 1, browsers: 0 };
    expect(await auditedOf(api, 'person.linked', mia.id)).toMatchObject([ended]);

    const minted = expectStatus(await browser.post('/v1/tokens', { name: 'own', scopes: ['read'] }), 201);
    expectStatus(await new TestBrowser(api).signIn(issuer, tenant, 'mia'), 303);
    expectStatus(await api.http(minted.body.token as string).get('/v1/me'), 200);
    expectStatus(await browser.get('/v1/me'), 200);
  });

  it('and nothing ends for a person without a hand', async () => {
    const { tenant } = await equippedTenant(api, fleet.port);
    const admin = api.http(tenant.admin.token);
    const added = { email: 'olga@issuer.example.com', display_name: 'Olga' };
    const { id } = expectStatus(await admin.post('/v1/people', added), 201).body as { id: PersonId };
    expectStatus(await admin.post(`/v1/people/${id}/roles`, { role: 'SRELead' }), 201);
    const enrolment_token = await operatorToken(api, tenant.id, id);
    const enrolled = await api
      .http()
      .post('/v1/enrolment', { enrolment_token, name: 'laptop', scopes: ['read', 'submit', 'review'] });
    const olga = { id, email: added.email, token: expectStatus(enrolled, 201).body.token as string };
    const passkey = await registerPasskey(api, olga);
    const agent = await api.agent(tenant, olga);
    const minted = await api.http(olga.token).post(`/v1/agents/${agent.id}/tokens`, { name: 'x', scopes: ['read'] });
    await registerIssuer(api, tenant, issuer, { link_by_verified_email: true });
    expectStatus(await new TestBrowser(api).signIn(issuer, tenant, 'olga'), 303);
    expectStatus(await api.http(olga.token).get('/v1/me'), 200);
    expectStatus(await api.http(minted.body.token as string).get('/v1/me'), 200);
    // The passkey is there; a person known to an issuer comes in there.
    expect(outcome(await signInByPasskey(api, passkey))).toEqual([403, 'sign_in.at_your_issuer']);
  });

  it('and people that it let in in her name stay its own, even if their links are used later', async () => {
    const tenant = await api.tenant();
    const asAda = api.http(tenant.admin.token);
    const person = async (by: HttpAs, name: string, role: string): Promise<{ id: PersonId; link: string }> => {
      const added = { email: `${name}@${tenant.slug}.example.com`, display_name: name };
      const { id } = expectStatus(await by.post('/v1/people', added), 201).body as { id: PersonId };
      expectStatus(await by.post(`/v1/people/${id}/roles`, { role }), 201);
      const link = expectStatus(await by.post(`/v1/people/${id}/enrolment`), 201).body.enrolment_token as string;
      return { id, link };
    };
    const exchanged = async (link: string, ...scopes: string[]): Promise<string> =>
      expectStatus(await api.http().post('/v1/enrolment', { enrolment_token: link, name: 'x', scopes }), 201).body
        .token as string;
    const mia = await person(asAda, 'mia', 'PlatformAdmin');
    const asMia = api.http(await exchanged(mia.link, 'read', 'admin'));
    const [zoe, yan] = [await person(asMia, 'zoe', 'SRELead'), await person(asMia, 'yan', 'SRELead')];
    await exchanged(zoe.link, 'read');
    const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, mia.id));
    await exchanged(yan.link, 'read');
    const page = await pageOf(api, cookie);
    const pia = expectStatus(
      await api.http().post('/v1/people', { email: 'pia@example.com', display_name: 'Pia' }, page),
      201,
    ).body as { id: PersonId };
    const link = expectStatus(await api.http().post(`/v1/people/${pia.id}/enrolment`, {}, page), 201).body
      .enrolment_token as string;
    await exchanged(link, 'read');

    const shared = async (id: PersonId): Promise<string[]> => {
      const { standing } = expectStatus(await asAda.get(`/v1/people/${id}`), 200).body as {
        standing: { shares_vote_with: { id: string }[] };
      };
      return standing.shares_vote_with.map((each) => each.id).sort();
    };
    expect(await shared(mia.id)).toEqual([]);
    for (const made of [zoe, yan]) expect(await shared(made.id)).toEqual([tenant.admin.id, mia.id].sort());
    expect(await shared(pia.id)).toEqual([mia.id]);
  });
});
