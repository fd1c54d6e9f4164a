import type { PersonId } from '#lib/kernel';
import {
  expectStatus,
  operatorToken,
  testApi,
  type Answer,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { describedIn, registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';

let api: TestApi;
let issuer: TestIssuer;
let another: TestIssuer;
beforeAll(async () => {
  // oidc-provider warns developers on the console of its limits.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  issuer = await testIssuer([
    { sub: 'ada', groups: ['admins'] },
    { sub: 'lea', groups: ['sre-leads'] },
  ]);
  another = await testIssuer([{ sub: 'ada', groups: ['admins'] }]);
  api = await testApi({ config: { allowedPrivateHosts: [issuer.host, another.host] } });
}, 60_000);
afterAll(async () => {
  await api.close();
  await issuer.close();
  await another.close();
});

const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];
const BARRED = [401, 'sign_in.issuer_only'];

interface World {
  readonly tenant: TestTenant;
  /** The browser of an admin who has just signed in at the issuer. */
  readonly ada: TestBrowser;
  /** A person who signed in by a passkey of Countersign, and holds a token and an agent. */
  readonly lea: TestPerson & { readonly cookie: string };
  readonly agentToken: string;
  readonly delegation: string;
}

async function tenantWithBoth(): Promise<World> {
  const tenant = await api.tenant();
  await registerIssuer(api, tenant, issuer, { link_by_verified_email: true });
  const admin = api.http(tenant.admin.token);
  const email = 'lea@issuer.example.com';
  const { id } = expectStatus(await admin.post('/v1/people', { email, display_name: 'Lea' }), 201).body as {
    id: PersonId;
  };
  expectStatus(await admin.post(`/v1/people/${id}/roles`, { role: 'SRELead' }), 201);
  const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
  const scopes = ['read', 'submit', 'run', 'halt', 'review'];
  const minted = await api.http().post('/v1/tokens', { name: 'own', scopes }, await pageOf(api, cookie));
  const lea = { id, email, cookie, token: expectStatus(minted, 201).body.token as string };
  const agent = await api.agent(tenant, lea);
  const ada = new TestBrowser(api);
  expectStatus(await ada.signIn(issuer, tenant, 'ada'), 303);
  return { tenant, ada, lea, agentToken: agent.token, delegation: await api.delegation(agent, lea, 'read', 'submit') };
}

/** Makes issuers the only way in. */
async function switchedOn(by: TestBrowser, issuers?: readonly object[]): Promise<Answer> {
  const before = await by.get('/v1/issuers');
  const wanted = { sign_in_required: true, issuers: issuers ?? describedIn(before) };
  return by.send('PUT', '/v1/issuers', wanted, { 'if-match': before.headers.etag ?? '' });
}

describe('T76: a way in from before issuers were the only one', () => {
  it('opens nothing from then on, a halt included; agents and people of the issuer notice nothing', async () => {
    const { tenant, ada, lea, agentToken, delegation } = await tenantWithBoth();
    const page = await pageOf(api, lea.cookie);
    const own = expectStatus(await ada.post('/v1/tokens', { name: 'own', scopes: ['read'] }), 201).body.token as string;
    expectStatus(await switchedOn(ada), 200);

    const asLea = api.http(lea.token);
    const halt = { kind: 'tenant', reason: 'Lea stops it.' };
    const task = { goal: 'x', environment: 'prod' };
    expect(outcome(await asLea.get('/v1/me'))).toEqual(BARRED);
    expect(outcome(await asLea.post('/v1/tasks', task))).toEqual(BARRED);
    expect(outcome(await asLea.post('/v1/halts', halt))).toEqual(BARRED);
    expect(outcome(await api.http().get('/v1/me', page))).toEqual(BARRED);
    expect(outcome(await api.http().post('/v1/halts', halt, page))).toEqual(BARRED);
    expect(outcome(await api.http(tenant.admin.token).get('/v1/me'))).toEqual(BARRED);

    for (const good of [agentToken, delegation, own]) expectStatus(await api.http(good).get('/v1/me'), 200);
    expectStatus(await ada.get('/v1/me'), 200);

    // The way out: she signs in at the issuer, and it knows her from then on.
    const browser = new TestBrowser(api);
    expectStatus(await browser.signIn(issuer, tenant, 'lea'), 303);
    expectStatus(await browser.get('/v1/me'), 200);
    expectStatus(await asLea.get('/v1/me'), 200);
    expect(outcome(await api.http().get('/v1/me', page))).toEqual(BARRED);
  });

  it('goes on as before once they are not the only one any more', async () => {
    const { ada, lea } = await tenantWithBoth();
    expectStatus(await switchedOn(ada), 200);
    expect(outcome(await api.http(lea.token).get('/v1/me'))).toEqual(BARRED);
    const now = await ada.get('/v1/issuers');
    const off = { sign_in_required: false, issuers: describedIn(now) };
    expectStatus(await ada.send('PUT', '/v1/issuers', off, { 'if-match': now.headers.etag ?? '' }), 200);
    expectStatus(await api.http(lea.token).get('/v1/me'), 200);
  });

  it('is not the operator’s link, which lets one admin in again for as long as one sign-in counts', async () => {
    const { tenant, ada } = await tenantWithBoth();
    const { id } = tenant.admin;
    await cameIn(api, await operatorToken(api, tenant.id, id));
    expectStatus(await switchedOn(ada), 200);

    const exchanged = await api.http().post('/v1/enrolment', {
      enrolment_token: await operatorToken(api, tenant.id, id),
      name: 'laptop',
    });
    expect(outcome(exchanged)).toEqual([409, 'enrolment.taken_in_browser']);
    const page = await pageOf(api, (await cameIn(api, await operatorToken(api, tenant.id, id))).cookie);
    const added = { email: 'new@example.com', display_name: 'New' };
    expectStatus(await api.http().post('/v1/people', added, page), 201);
    const scopes = ['read', 'admin'];
    const token = expectStatus(await api.http().post('/v1/tokens', { name: 'mine', scopes }, page), 201).body
      .token as string;
    expectStatus(await api.http(token).get('/v1/people'), 200);

    await api.db.owner.query(
      `update person set created_at = created_at - interval '2 days',
         operator_signed_in_at = operator_signed_in_at - interval '721 minutes' where id = $1`,
      [id],
    );
    expect(outcome(await api.http().get('/v1/me', page))).toEqual(BARRED);
    expect(outcome(await api.http(token).get('/v1/me'))).toEqual(BARRED);
  });

  it('nor does a link that was used before count as one', async () => {
    const { tenant, ada } = await tenantWithBoth();
    const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, tenant.admin.id));
    expectStatus(await switchedOn(ada), 200);
    expect(outcome(await api.http().get('/v1/me', { cookie }))).toEqual(BARRED);
  });

  it('cannot be switched on by a person who would be locked out', async () => {
    const { tenant, ada, lea } = await tenantWithBoth();
    const other = describedIn(await ada.get('/v1/issuers')).map((one) => ({ ...one, issuer_url: another.url }));
    expect(outcome(await switchedOn(ada, other))).toEqual([409, 'issuer.sign_in_first']);
    expectStatus(await api.http(lea.token).get('/v1/me'), 200);

    // Nor take the issuer away that lets them in, once it is the only one.
    const second = await tenantWithBoth();
    expectStatus(await switchedOn(second.ada), 200);
    expect(outcome(await switchedOn(second.ada, other))).toEqual([409, 'issuer.sign_in_first']);
    expectStatus(await second.ada.get('/v1/me'), 200);

    // Known at the issuer, there for the last time two days ago, and let in by the operator now.
    const { body } = await ada.get('/v1/me');
    const { id } = body as { id: PersonId };
    await api.db.owner.query(
      `update external_identity set created_at = created_at - interval '2 days', signed_in_at = signed_in_at - interval '2 days'
        where person_id = $1`,
      [id],
    );
    const { cookie } = await cameIn(api, await operatorToken(api, tenant.id, id));
    const page = await pageOf(api, cookie);
    const before = await api.http().get('/v1/issuers', page);
    const wanted = { sign_in_required: true, issuers: describedIn(before) };
    const put = await api.http().put('/v1/issuers', wanted, { ...page, 'if-match': before.headers.etag ?? '' });
    expect(outcome(put)).toEqual([409, 'issuer.sign_in_first']);
  });
});
