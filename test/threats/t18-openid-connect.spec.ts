import { v7 } from 'uuid';
import { expectStatus, testApi, type Answer, type TestApi, type TestTenant } from '../support/api.js';
import { forgingIssuer, type ForgingIssuer } from '../support/forging-issuer.js';
import { registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';

let api: TestApi;
let honest: TestIssuer;
let forger: ForgingIssuer;

beforeAll(async () => {
  // oidc-provider warns developers on the console.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  honest = await testIssuer([{ sub: 'olga', groups: ['sre-leads'] }]);
  forger = await forgingIssuer();
  // Every test counts as an address of its own.
  api = await testApi({ config: { allowedPrivateHosts: [honest.host, forger.host], trustedProxies: ['127.0.0.1'] } });
});
afterAll(async () => {
  await Promise.all([honest.close(), forger.close()]);
  await api.close();
});

/** Keys are asked for again so much later at the earliest. */
const KEYS_REST_MS = 5_000;

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
const browserSessions = async (tenant: TestTenant): Promise<number> => {
  const { rows } = await api.db.owner.query('select from browser_session where tenant_id = $1', [tenant.id]);
  return rows.length;
};

describe('T18: a sign-in that is forged, misdirected or replayed', () => {
  let tenant: TestTenant;
  let browser: TestBrowser;
  beforeEach(async () => {
    tenant = await api.tenant();
    browser = new TestBrowser(api);
  });

  /** As if the sign-in had begun so much earlier. */
  const makeOlder = async (back: URL, ms: number): Promise<void> => {
    const { sealed: signIns } = api.installation.signIn;
    const opened = await signIns.open(back.searchParams.get('state') ?? '');
    if (opened === null) throw new Error('the state does not open');
    const { tenantId, underWay } = opened;
    back.searchParams.set('state', await signIns.seal(tenantId, { ...underWay, expiresAt: underWay.expiresAt - ms }));
  };
  const refused = (answer: Answer): unknown[] => [answer.status, answer.body.code];

  it('comes back with a state that was never given, or once more with one that was', async () => {
    await registerIssuer(api, tenant, honest);
    const back = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    const elsewhere = new URL(back);
    elsewhere.searchParams.set('state', 'A'.repeat(43));
    expect(refused(await browser.comeBack(elsewhere))).toEqual([401, 'sign_in.unknown_return']);
    expectStatus(await browser.comeBack(back), 303);
    expect(refused(await browser.comeBack(back))).toEqual([401, 'sign_in.unknown_return']);
    expect(await browserSessions(tenant)).toBe(1);
  });

  it('comes back in another browser than it began in', async () => {
    await registerIssuer(api, tenant, honest);
    const back = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    expect(refused(await new TestBrowser(api).comeBack(back))).toEqual([401, 'sign_in.other_browser']);
    const attacker = new TestBrowser(api);
    await attacker.begin(`tenant=${tenant.slug}`);
    expect(refused(await attacker.comeBack(back))).toEqual([401, 'sign_in.other_browser']);
    // Its owner can still finish it.
    expectStatus(await browser.comeBack(back), 303);
  });

  it('comes back after more than ten minutes', async () => {
    await registerIssuer(api, tenant, honest);
    const back = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    await makeOlder(back, 11 * 60_000);
    expect(refused(await browser.comeBack(back))).toEqual([401, 'sign_in.too_late']);
  });

  it('comes back with a state that was changed, or sealed for another tenant', async () => {
    await registerIssuer(api, tenant, honest);
    const other = await api.tenant();
    const back = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    const state = back.searchParams.get('state') ?? '';
    const [owner = '', keyId = '', sealed = ''] = state.split('.');
    const forgeries = {
      'another tenant': [other.id, keyId, sealed],
      'another key': [owner, 'k000000000000', sealed],
      'a flipped bit': [owner, keyId, `${sealed.slice(0, 40)}${sealed[40] === 'A' ? 'B' : 'A'}${sealed.slice(41)}`],
      'too short': [owner, keyId, sealed.slice(0, 20)],
      'nothing sealed': [owner, keyId],
    };
    for (const [what, parts] of Object.entries(forgeries)) {
      const forged = new URL(back);
      forged.searchParams.set('state', parts.join('.'));
      expect([what, ...refused(await browser.comeBack(forged))]).toEqual([what, 401, 'sign_in.unknown_return']);
    }
    expectStatus(await browser.comeBack(back), 303);
  });

  it('comes back twice at once', async () => {
    await registerIssuer(api, tenant, honest);
    const back = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    const answers = await Promise.all([browser.comeBack(back), browser.comeBack(back), browser.comeBack(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
    expect(await browserSessions(tenant)).toBe(1);
  });

  it('brings a code that is not the issuer’s, or that another sign-in got', async () => {
    await registerIssuer(api, tenant, honest);
    const first = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    const second = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    const injected = new URL(second);
    injected.searchParams.set('code', first.searchParams.get('code') ?? '');
    // PKCE: the code was made for another verifier.
    expect(refused(await browser.comeBack(injected))).toEqual([401, 'sign_in.token_refused']);
    expect(await browserSessions(tenant)).toBe(0);
  });

  it('brings a mixed-up answer: that of another issuer', async () => {
    await registerIssuer(api, tenant, honest);
    const back = await honest.choose(await browser.begin(`tenant=${tenant.slug}`), 'olga');
    back.searchParams.set('iss', forger.url);
    expect(refused(await browser.comeBack(back))).toEqual([401, 'sign_in.token_refused']);
  });

  it('brings a code of the tenant’s issuer to the issuer of another tenant, which sent the browser to fetch it', async () => {
    await registerIssuer(api, tenant, honest);
    const hostile = await api.tenant();
    await registerIssuer(api, hostile, { ...honest, url: forger.url });
    // The attacker begins a sign-in of their own. They give its checks to the browser of the other person, with the other state.
    const lure = new URL(await new TestBrowser(api).begin(`tenant=${tenant.slug}`));
    const sent = new URL(await browser.begin(`tenant=${hostile.slug}`)).searchParams;
    lure.searchParams.set('state', sent.get('state') ?? '');
    const back = await honest.choose(lure.href, 'olga');
    // Several of the largest issuers do not say who they are in this answer (RFC 9207).
    back.searchParams.delete('iss');
    const before = forger.tokenRequests;
    expect(refused(await browser.comeBack(back))).toEqual([401, 'sign_in.other_issuer']);
    expect(forger.tokenRequests).toBe(before);
    expect(await browserSessions(tenant)).toBe(0);
  });

  it.each<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    // Old browsers do not send it, and a page of another site can keep its own address to itself.
    {},
    { referer: 'https://evil.example/' },
    { referer: 'https://evil.example/?http://127.0.0.1:8420/welcome' },
    { referer: 'nonsense' },
    { 'sec-fetch-site': 'cross-site', referer: 'http://127.0.0.1:8420/welcome' },
  ])('is not begun by a page of another site (%j): its visitor is asked first', async (headers) => {
    await registerIssuer(api, tenant, honest);
    const path = `/sign-in?tenant=${tenant.slug}&return_to=/inbox`;
    const asked = await browser.get(path, headers);
    expect([asked.status, asked.headers.location]).toEqual([303, `/welcome?tenant=${tenant.slug}&return_to=%2Finbox`]);
    expect(browser.cookies.size).toBe(0);
    // Their own click, and an address that they typed, begin it.
    for (const own of [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { referer: `http://127.0.0.1:8420/welcome?tenant=${tenant.slug}` },
    ]) {
      const begun = await browser.get(path, own);
      expect(begun.headers.location).toMatch(honest.url);
    }
  });

  /** Begins at the forger, and comes back with an ID token that differs from a good one. */
  const comeBackWith = async (make: (good: Record<string, unknown>) => string | Promise<string>): Promise<Answer> => {
    const sent = new URL(await browser.begin(`tenant=${tenant.slug}`)).searchParams;
    forger.nextIdToken = await make({
      iss: forger.url,
      aud: 'countersign',
      sub: 'mallory',
      nonce: sent.get('nonce'),
      iat: nowSeconds(),
      exp: nowSeconds() + 60,
      auth_time: nowSeconds(),
      email: 'mallory@example.com',
      email_verified: true,
      groups: ['sre-leads'],
    });
    const back = new URL(sent.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: '1', state: sent.get('state') ?? '' }).toString();
    return browser.comeBack(back);
  };

  it('brings an ID token that is not right in every point', async () => {
    await registerIssuer(api, tenant, { ...honest, url: forger.url });
    const forgeries: Record<string, (good: Record<string, unknown>) => string | Promise<string>> = {
      'another audience': (good) => forger.sign({ ...good, aud: 'another-client' }),
      'several audiences, and made for another': (good) =>
        forger.sign({ ...good, aud: ['countersign', 'another-client'], azp: 'another-client' }),
      'another issuer': (good) => forger.sign({ ...good, iss: honest.url }),
      'another nonce': (good) => forger.sign({ ...good, nonce: 'A'.repeat(43) }),
      'no nonce': ({ nonce: _nonce, ...good }) => forger.sign(good),
      expired: (good) => forger.sign({ ...good, iat: nowSeconds() - 600, exp: nowSeconds() - 300 }),
      'not yet valid': (good) => forger.sign({ ...good, nbf: nowSeconds() + 300 }),
      'a sign-in that is too old': (good) => forger.sign({ ...good, auth_time: nowSeconds() - 86_400 }),
      'no subject': ({ sub: _sub, ...good }) => forger.sign(good),
      'alg: none': (good) => forger.unsigned(good),
      'the public key as a secret': (good) => forger.signWithPublicKey(good),
      'a key that is not the issuer’s': (good) => forger.signWithStolenName(good),
      'no token': () => 'nonsense',
    };
    for (const [what, forge] of Object.entries(forgeries)) {
      expect([what, ...refused(await comeBackWith(forge))]).toEqual([what, 401, 'sign_in.token_refused']);
    }
    expect(await browserSessions(tenant)).toBe(0);
    // The control: without the fault it is taken.
    expectStatus(await comeBackWith((good) => forger.sign(good)), 303);
    expect(await browserSessions(tenant)).toBe(1);
  });

  it('brings one by an algorithm that the tenant does not allow', async () => {
    await registerIssuer(api, tenant, { ...honest, url: forger.url }, { algorithms: ['RS256'] });
    expect(refused(await comeBackWith((good) => forger.sign(good)))).toEqual([401, 'sign_in.token_refused']);
  });
});

describe('T18: an access token that is forged, misdirected or too old', () => {
  let tenant: TestTenant;
  let audience: string;
  let address = 0;

  const call = (token: string, path = '/v1/me'): Promise<Answer> => {
    address += 1;
    return api.http(token).get(path, { 'x-forwarded-for': `192.0.2.${String(address % 250)}` });
  };
  const good = (): Record<string, unknown> => ({
    iss: forger.url,
    aud: audience,
    sub: 'olga',
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
  });
  const accessToken = (claims: Record<string, unknown>, typ: string | undefined = 'at+jwt'): Promise<string> =>
    forger.sign(claims, { typ });

  beforeEach(async () => {
    tenant = await api.tenant();
    await registerIssuer(api, tenant, { ...honest, url: forger.url });
    audience = ((await api.http(tenant.admin.token).get('/v1/issuers')).body as { api_audience: string }).api_audience;
    // Olga signs in once: an access token alone makes no person.
    const browser = new TestBrowser(api);
    const sent = new URL(await browser.begin(`tenant=${tenant.slug}`)).searchParams;
    forger.nextIdToken = await forger.sign({
      ...good(),
      aud: 'countersign',
      nonce: sent.get('nonce'),
      email: 'olga@example.com',
      groups: ['sre-leads'],
    });
    const back = new URL(sent.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: '1', state: sent.get('state') ?? '' }).toString();
    expectStatus(await browser.comeBack(back), 303);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is told from a good one, which is the same person, without review or admin', async () => {
    const { status, body } = await call(await accessToken(good()));
    expect([status, body]).toMatchObject([
      200,
      { kind: 'person', tenant_id: tenant.id, scopes: ['read', 'submit', 'run'] },
    ]);
    const again = await call(await accessToken(good()));
    expect(again.body.credential_id).toBe(body.credential_id);
  });

  it('for the MCP endpoint of the tenant opens it, and the routes behind it', async () => {
    const endpoint = (slug: string): string => `/t/${slug}/mcp`;
    const aud = audience.replace(`/tenants/${tenant.id}`, endpoint(tenant.slug));
    const asOlga = api.http(await accessToken({ ...good(), aud }));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const asked = await asOlga.post(
      endpoint(tenant.slug),
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta, name: 'list_tools', arguments: {} } },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'list_tools',
      },
    );
    expect(expectStatus(asked, 200).body).toHaveProperty('result.structuredContent.tools');
    const other = await api.tenant();
    const elsewhere = await accessToken({ ...good(), aud: aud.replace(tenant.slug, other.slug) });
    expect((await call(elsewhere)).body.code).toBe('bearer.refused');
  });

  it('is refused with any fault', async () => {
    const { sub: _sub, ...nobody } = good();
    const { exp: _exp, ...forever } = good();
    const other = audience.replace(tenant.id, v7());
    const forgeries: Record<string, string> = {
      'another audience': await accessToken({ ...good(), aud: 'https://elsewhere.example' }),
      'the audience of another tenant': await accessToken({ ...good(), aud: other }),
      'an ID token': await accessToken({ ...good(), aud: 'countersign' }, 'JWT'),
      'another issuer': await accessToken({ ...good(), iss: honest.url }),
      'no subject': await accessToken(nobody),
      expired: await accessToken({ ...good(), exp: nowSeconds() - 60 }),
      'without an end': await accessToken(forever),
      'not yet valid': await accessToken({ ...good(), nbf: nowSeconds() + 300 }),
      'of another type': await accessToken(good(), 'logout+jwt'),
      'of no type': await forger.sign(good()),
      'alg: none': forger.unsigned(good()),
      'the public key as a secret': forger.signWithPublicKey(good()),
      'a key that is not the issuer’s': await forger.signWithStolenName(good()),
    };
    for (const [what, token] of Object.entries(forgeries)) {
      const { status, body } = await call(token);
      expect([what, status, body.code]).toEqual([what, 401, 'bearer.refused']);
    }
    const stranger = await call(await accessToken({ ...good(), sub: 'mallory' }));
    expect([stranger.status, stranger.body.code]).toEqual([401, 'bearer.unknown_holder']);
  });

  it('is refused once the tenant no longer takes any, and after it was revoked by hand', async () => {
    const token = await accessToken(good());
    const { credential_id: id } = (await call(token)).body as { credential_id: string };
    expectStatus(await api.http(tenant.admin.token).delete(`/v1/tokens/${id}`), 204);
    expect((await call(token)).body.code).toBe('credential.revoked');
    await registerIssuer(api, tenant, { ...honest, url: forger.url }, { bearer_scopes: [] });
    expect((await call(token)).body.code).toBe('bearer.refused');
  });

  it('reaches review and admin only if the tenant says so', async () => {
    await registerIssuer(api, tenant, { ...honest, url: forger.url }, { bearer_scopes: ['read', 'review', 'admin'] });
    // Within the roles of the holder: Olga does not administer.
    expect((await call(await accessToken(good()))).body.scopes).toEqual(['read', 'review']);
  });

  it('is verified by keys that are kept, and asked for anew when the issuer has others', async () => {
    await call(await accessToken(good()));
    const before = forger.keyRequests;
    for (let calls = 0; calls < 5; calls += 1) expect((await call(await accessToken(good()))).status).toBe(200);
    expect(forger.keyRequests).toBe(before);

    const old = await accessToken(good());
    await forger.rotate();
    let now = Date.now() + KEYS_REST_MS;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    expect((await call(await accessToken(good()))).status).toBe(200);
    expect(forger.keyRequests).toBe(before + 1);
    expect((await call(old)).body.code).toBe('bearer.refused');

    // Not at once again: invented names of keys cause no load.
    await forger.rotate();
    now += KEYS_REST_MS - 1;
    expect((await call(await accessToken(good()))).body.code).toBe('bearer.refused');
    expect(forger.keyRequests).toBe(before + 1);
    now += 1;
    expect((await call(await accessToken(good()))).status).toBe(200);
    expect(forger.keyRequests).toBe(before + 2);
  });

  it('of a real issuer is taken', async () => {
    const other = await api.tenant();
    await registerIssuer(api, other, honest);
    await new TestBrowser(api).signIn(honest, other, 'olga');
    const { api_audience: resource } = (await api.http(other.admin.token).get('/v1/issuers')).body as {
      api_audience: string;
    };
    const token = await honest.accessToken('olga', resource);
    expect((await call(token)).body).toMatchObject({
      kind: 'person',
      tenant_id: other.id,
      scopes: ['read', 'submit', 'run'],
    });
  });
});
