import { expectStatus, testApi, type Answer, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { knownAtIssuer } from '../support/browser-session.js';
import {
  acceptInvitation,
  cameIn,
  OWN_PAGE,
  pageOf,
  passkeyChallenge,
  browserSessionCookieOf,
  signInByPasskey,
  type PasskeyHolder,
} from '../support/passkey-accounts.js';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
}, 60_000);
afterAll(() => api.close());

const outcome = ({ status, body }: Answer): unknown[] => [status, (body as { code?: string } | undefined)?.code];

/** Somebody who was invited, and the token of their invitation. */
async function invited(): Promise<{ readonly id: string; readonly token: string }> {
  const admin = api.http(tenant.admin.token);
  const email = `mia-${String(Math.random()).slice(2)}@example.com`;
  const { id } = expectStatus(await admin.post('/v1/people', { email, display_name: 'Mia' }), 201).body as {
    id: string;
  };
  const issued = expectStatus(await admin.post(`/v1/people/${id}/enrolment`), 201).body as { enrolment_token: string };
  return { id, token: issued.enrolment_token };
}

const browserSessionOf = async (cookie: string) =>
  (await api.http().get('/v1/browser-sessions/current', { cookie })).body as Record<string, unknown>;

describe('founding in a browser', () => {
  it('makes the founder an admin who is signed in, with every scope of their role', async () => {
    const { token } = await api.installation.identity.issueBootstrapToken.execute();
    const founded = expectStatus(
      await api.http().post('/v1/bootstrap', {
        bootstrap_token: token,
        tenant: { slug: 'founded', name: 'Founded' },
        admin: { email: 'ada@founded.example', display_name: 'Ada' },
      }),
      201,
    ).body as { enrolment: { enrolment_token: string } };
    const ada = await cameIn(api, founded.enrolment.enrolment_token);
    expect(ada.recoveryCodes).toHaveLength(10);
    expect(await browserSessionOf(ada.cookie)).toMatchObject({
      signed_in: true,
      signed_in_by: 'passkey',
      person: { display_name: 'Ada', roles: ['PlatformAdmin'] },
      mfa: { passkeys: 1 },
    });
    const me = await api.http().get('/v1/me', { cookie: ada.cookie });
    expect((me.body as { scopes: string[] }).scopes).toEqual([
      'read',
      'submit',
      'run',
      'review',
      'halt',
      'audit',
      'admin',
    ]);
  });

  it('says whether anybody founded a tenant, and tells no tenant apart from none', async () => {
    const here = await api.http().get(`/v1/sign-in/options?tenant=${tenant.slug}`);
    const nowhere = await api.http().get('/v1/sign-in/options?tenant=nobody-here');
    expect(here.body).toEqual({ issuers: [], passkeys: true, founded: true });
    expect(nowhere.body).toEqual(here.body);
  });
});

describe('an invitation', () => {
  it('is used up by the passkey, not by looking, and works once', async () => {
    const { token } = await invited();
    for (let look = 0; look < 3; look += 1)
      expectStatus(await api.http().post('/v1/enrolment/passkey/options', { enrolment_token: token }), 200);
    const mia = await cameIn(api, token);
    expect(await browserSessionOf(mia.cookie)).toMatchObject({ signed_in: true, person: { display_name: 'Mia' } });
    const again = await api.http().post('/v1/enrolment/passkey/options', { enrolment_token: token });
    expect(outcome(again)).toEqual([401, 'enrolment.refused']);
  });

  it('is refused once it is over', async () => {
    const { id, token } = await invited();
    await api.db.owner.query(
      `update enrolment set created_at = created_at - interval '2 days', expires_at = clock_timestamp() where person_id = $1`,
      [id],
    );
    const answer = await api.http().post('/v1/enrolment/passkey/options', { enrolment_token: token });
    expect(outcome(answer)).toEqual([401, 'enrolment.refused']);
  });

  it('lives for a day', async () => {
    const { token } = await invited();
    const seen = await api.http().post('/v1/enrolment/passkey/options', { enrolment_token: token });
    const left = Date.parse((seen.body as { expires_at: string }).expires_at) - Date.now();
    expect(left).toBeGreaterThan(23 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
  });

  it.each([
    ['another site sends it', { origin: 'https://evil.example' }],
    ['a page of another site sends it without saying so', { 'sec-fetch-site': 'cross-site' }],
  ])('opens no browser session if %s', async (_what, headers) => {
    const body = { enrolment_token: (await invited()).token, name: 'x', registration: {} };
    const answer = await api.http().post('/v1/enrolment/passkey', body, headers);
    expect(outcome(answer)).toEqual([403, 'browser_session.csrf']);
  });

  it('takes no passkey that was made elsewhere, and stays good', async () => {
    const { token } = await invited();
    const { answer } = await acceptInvitation(api, token, { behaviour: { origin: 'https://evil.example' } });
    expect(outcome(answer)).toEqual([403, 'mfa.passkey_refused']);
    await cameIn(api, token);
  });

  it('does not replace the second factor of somebody who has one, without a proof of it', async () => {
    const { id, token } = await invited();
    const mia = await cameIn(api, token);
    const again = expectStatus(await api.http(tenant.admin.token).post(`/v1/people/${id}/enrolment`), 201).body as {
      enrolment_token: string;
    };
    const without = await acceptInvitation(api, again.enrolment_token);
    expect(outcome(without.answer)).toEqual([403, 'mfa.proof_of_former']);
    const wrong = await acceptInvitation(api, again.enrolment_token, {
      proof: { method: 'recovery_code', code: 'AAAAA-AAAAA-AAAAA-AAAAA' },
    });
    expect(outcome(wrong.answer)).toEqual([403, 'mfa.code_wrong']);
    const right = await acceptInvitation(api, again.enrolment_token, {
      proof: { method: 'recovery_code', code: mia.recoveryCodes[0] ?? '' },
    });
    expect(right.answer.status).toBe(201);
    // The browser sessions from before no longer open the account.
    expect(await browserSessionOf(mia.cookie)).toEqual({ signed_in: false });
  });
});

describe('signing in by a passkey', () => {
  let mia: PasskeyHolder;
  let id: string;
  beforeEach(async () => {
    const someone = await invited();
    id = someone.id;
    mia = await cameIn(api, someone.token);
  });

  it('needs no name of an account', async () => {
    const answer = await signInByPasskey(api, mia);
    expect(answer.status).toBe(204);
    expect(await browserSessionOf(browserSessionCookieOf(answer))).toMatchObject({
      signed_in: true,
      signed_in_by: 'passkey',
    });
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a holder who was not verified', { userVerified: false }],
    ['another key', { forged: true }],
    ['another person', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
    ['no person', { userHandle: '' }],
    ['a challenge that was never given out', { challenge: Buffer.alloc(80, 7).toString('base64url') }],
  ])('is refused for %s, in the same words', async (_what, behaviour) => {
    expect(outcome(await signInByPasskey(api, mia, behaviour))).toEqual([401, 'sign_in.passkey_refused']);
  });

  it('takes an answer once, also at the same moment', async () => {
    const challenge = await passkeyChallenge(api);
    const answers = await Promise.all([1, 2, 3].map(() => signInByPasskey(api, mia, { challenge })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401]);
    expect(outcome(await signInByPasskey(api, mia, { challenge }))).toEqual([401, 'sign_in.challenge_over']);
  });

  it('is refused if the counter went back', async () => {
    expectStatus(await signInByPasskey(api, mia, { counter: 40 }), 204);
    expect(outcome(await signInByPasskey(api, mia, { counter: 7 }))).toEqual([403, 'mfa.passkey_counter']);
  });

  it('is refused for somebody who was disabled, and for an issuer’s people', async () => {
    await api.db.owner.query('update person set disabled_at = clock_timestamp() where id = $1', [id]);
    expect(outcome(await signInByPasskey(api, mia))).toEqual([403, 'sign_in.person_disabled']);
    await api.db.owner.query('update person set disabled_at = null where id = $1', [id]);
    await knownAtIssuer(api, tenant, { id } as TestPerson);
    expect(outcome(await signInByPasskey(api, mia))).toEqual([403, 'sign_in.at_your_issuer']);
  });

  it('ends the browser session from before, and signs out without an issuer', async () => {
    const { cookie } = mia;
    const page = await pageOf(api, cookie);
    const answer = await api.http().post('/v1/browser-sessions/current/sign-out', undefined, page);
    expect([answer.status, answer.body]).toEqual([200, { redirect_to: null }]);
    expect(await browserSessionOf(cookie)).toEqual({ signed_in: false });
  });

  it('stands among the browser sessions of its person', async () => {
    const { body } = await api.http().get('/v1/browser-sessions', { cookie: mia.cookie });
    expect(body.items).toMatchObject([{ address: expect.stringMatching(/127\.0\.0\.1$/) }]);
    expect(body).toMatchObject({ items: [{ current: true, issuer: null, passkey: 'Laptop' }] });
  });

  it('refuses another site', async () => {
    const answer = await api.http().post(
      '/v1/sign-in/passkey',
      { assertion: { id: 'x', response: { clientDataJSON: '' } } },
      {
        ...OWN_PAGE,
        origin: 'https://evil.example',
      },
    );
    expect(outcome(answer)).toEqual([403, 'browser_session.csrf']);
  });
});

describe('an account of ours ages', () => {
  it('as an issuer’s does: a review or an administrative action takes a fresh sign-in', async () => {
    const { id, token } = await invited();
    const mia = await cameIn(api, token);
    expectStatus(await api.http(tenant.admin.token).post(`/v1/people/${id}/roles`, { role: 'SRELead' }), 201);
    await api.db.owner.query(
      `update person set passkey_signed_in_at = clock_timestamp() - interval '13 hours' where id = $1`,
      [id],
    );
    const page = await pageOf(api, mia.cookie);
    const review = await api
      .http()
      .post(
        `/v1/approval-requests/${id}/reviews`,
        { verdict: 'approve', subject_digest: `sha256:${'0'.repeat(64)}` },
        page,
      );
    expect(outcome(review)).toEqual([401, 'sign_in.not_fresh']);
  });

  it('and is dormant after 90 days: it opens nothing, and its token reviews nothing', async () => {
    const { id, token } = await invited();
    const mia = await cameIn(api, token);
    const lea = await api.person(tenant, 'SRELead');
    await api.db.owner.query(
      `update person set enrolled_at = clock_timestamp() - interval '91 days', created_at = clock_timestamp() - interval '92 days',
         passkey_signed_in_at = case when passkey_signed_in_at is not null then clock_timestamp() - interval '91 days' end
        where id in ($1, $2)`,
      [id, lea.id],
    );
    expect(outcome(await signInByPasskey(api, mia))).toEqual([403, 'sign_in.dormant']);
    const review = { verdict: 'approve', subject_digest: `sha256:${'0'.repeat(64)}` };
    const answer = await api.http(lea.token).post(`/v1/approval-requests/${id}/reviews`, review);
    expect(outcome(answer)).toEqual([403, 'sign_in.dormant']);
    expectStatus(await api.http(lea.token).get('/v1/me'), 200);
  });
});
