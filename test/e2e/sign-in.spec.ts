import type { PersonId } from '#lib/kernel';
import { type Answer, expectStatus, assignByHand, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { describedIn, registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';

let api: TestApi;
let issuer: TestIssuer;
let tenant: TestTenant;

beforeAll(async () => {
  // oidc-provider warns developers on the console.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  issuer = await testIssuer([
    { sub: 'olga', name: 'Olga', groups: ['sre-leads', 'everybody'] },
    { sub: 'ada', name: 'Ada', groups: ['admins'] },
    { sub: 'nina', name: 'Nina', groups: ['everybody'] },
    { sub: 'invited', email: 'Invited@Example.com', groups: ['sre-leads'] },
  ]);
  api = await testApi({ config: { allowedPrivateHosts: [issuer.host] } });
});
beforeEach(async () => {
  tenant = await api.tenant();
  await registerIssuer(api, tenant, issuer);
});
afterAll(async () => {
  await issuer.close();
  await api.close();
});

const entries = async (): Promise<{ action: string; payload: Record<string, unknown> }[]> => {
  const { rows } = await api.db.owner.query<{ action: string; payload: Record<string, unknown> }>(
    'select action, payload::jsonb as payload from audit_entry where tenant_id = $1 order by occurred_at, id',
    [tenant.id],
  );
  return rows;
};

const roleOf = async (
  name: string,
): Promise<{ role: string; assigned_at: string; assigned_by_issuer: string | null }[]> => {
  const people = expectStatus(await api.http(tenant.admin.token).get('/v1/people?limit=200'), 200).body.items as {
    display_name: string;
    roles: { role: string; assigned_at: string; assigned_by_issuer: string | null }[];
  }[];
  return people.find(({ display_name }) => display_name === name)?.roles ?? [];
};

describe('the first sign-in', () => {
  it('makes somebody a person, with the roles that their groups give, and opens a browser session', async () => {
    const browser = new TestBrowser(api);
    const back = await browser.signIn(issuer, tenant, 'olga');
    expect([back.status, back.headers.location]).toEqual([303, '/']);
    const browserSession = await browser.current();
    expect(browserSession.body).toMatchObject({
      signed_in: true,
      person: { display_name: 'Olga', email: 'olga@issuer.example.com', roles: ['SRELead'] },
      tenant: { slug: tenant.slug },
      mfa: { totp: false, passkeys: 0 },
    });
    const me = (await browser.get('/v1/me')).body as { scopes: string[] };
    expect(me).toMatchObject({ kind: 'person', display_name: 'Olga' });
    expect(me.scopes).toEqual(['read', 'submit', 'run', 'review', 'halt']);
    expect((await entries()).map(({ action }) => action).slice(-3)).toEqual([
      'person.provisioned',
      'role.assigned',
      'browser_session.opened',
    ]);
  });

  it('refuses a person without a mapped role, unless the tenant accepts everybody', async () => {
    const refused = await new TestBrowser(api).signIn(issuer, tenant, 'nina');
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in.not_provisioned']);
    expect((await entries()).at(-1)).toMatchObject({
      action: 'sign_in.refused',
      payload: { subject: 'nina', code: 'sign_in.not_provisioned' },
    });
    await registerIssuer(api, tenant, issuer, { provision: 'anybody' });
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'nina');
    expect((await browser.get('/v1/me')).body.scopes).toEqual(['read', 'submit', 'run', 'halt']);
  });

  it('never takes somebody for another by an address alone; by a verified one if the tenant says so', async () => {
    const admin = api.http(tenant.admin.token);
    const invited = expectStatus(
      await admin.post('/v1/people', { email: 'invited@example.com', display_name: 'Ina' }),
      201,
    ).body as { id: string };
    const refused = await new TestBrowser(api).signIn(issuer, tenant, 'invited');
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in.email_taken']);
    await registerIssuer(api, tenant, issuer, { link_by_verified_email: true });
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'invited');
    expect((await browser.current()).body.person).toMatchObject({ id: invited.id, display_name: 'Ina' });
  });

  it('leaves an admin no way to be them: a person who signs in at an issuer gets no enrolment', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const { id } = (await browser.current()).body.person as { id: string };
    const refused = await api.http(tenant.admin.token).post(`/v1/people/${id}/enrolment`);
    expect([refused.status, refused.body.code]).toEqual([403, 'enrolment.signs_in_at_issuer']);
    expect((await browser.current()).body).toMatchObject({ signed_in: true });
  });

  it('shows a browser a page that explains the failure', async () => {
    const browser = new TestBrowser(api);
    const html = { accept: 'text/html,application/xhtml+xml' };
    const back = await browser.get(`/sign-in/callback/${tenant.id}/demo?state=never-begun&code=1`, html);
    expect([back.status, back.headers.location]).toEqual([303, '/welcome?problem=sign_in.unknown_return']);
    const unknown = await browser.get('/sign-in?tenant=nobody&return_to=/inbox', { ...html, 'sec-fetch-site': 'none' });
    expect(unknown.headers.location).toBe('/welcome?problem=sign_in.no_issuer&tenant=nobody&return_to=%2Finbox');
  });

  it('leads to no page of others', async () => {
    for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example', '/a b']) {
      const browser = new TestBrowser(api);
      const query = `tenant=${tenant.slug}&return_to=${encodeURIComponent(elsewhere)}`;
      const back = await browser.comeBack(await issuer.choose(await browser.begin(query), 'olga'));
      expect([elsewhere, back.headers.location]).toEqual([elsewhere, '/']);
    }
  });
});

describe('a later sign-in', () => {
  it('keeps the beginning of a role that is still given, and takes away the others', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const [before] = await roleOf('Olga');
    await browser.signIn(issuer, tenant, 'olga');
    expect(await roleOf('Olga')).toEqual([before]);

    await registerIssuer(api, tenant, issuer, { role_mappings: [{ value: 'everybody', role: 'DevOpsEngineer' }] });
    expect((await browser.current()).body.person.roles).toEqual(['SRELead']);
    await browser.signIn(issuer, tenant, 'olga');
    const after = await roleOf('Olga');
    expect(after.map(({ role }) => role)).toEqual(['DevOpsEngineer']);
    expect(after[0]?.assigned_by_issuer).not.toBeNull();
  });

  it('leaves roles that a person assigned', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const { id } = (await browser.current()).body.person as { id: string };
    const assignedBy = tenant.admin.id;
    await assignByHand(api, tenant.id, { personId: id as PersonId, role: 'SecurityReviewer', assignedBy });
    await registerIssuer(api, tenant, issuer, { role_mappings: [], provision: 'nobody' });
    await browser.signIn(issuer, tenant, 'olga');
    expect((await roleOf('Olga')).map(({ role }) => role)).toEqual(['SecurityReviewer']);
  });

  it('is refused to a disabled person, and their browser session is over at once', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const { id } = (await browser.current()).body.person as { id: string };
    expectStatus(await api.http(tenant.admin.token).patch(`/v1/people/${id}`, { disabled: true }), 200);
    expect((await browser.get('/v1/me')).body.code).toBe('credential.revoked');
    expect((await browser.current()).body).toEqual({ signed_in: false });
    const refused = await new TestBrowser(api).signIn(issuer, tenant, 'olga');
    expect([refused.status, refused.body.code]).toEqual([403, 'sign_in.person_disabled']);
  });
});

describe('a browser session', () => {
  it('is a cookie for this host alone, which no script reads, and of which a digest is kept', async () => {
    const browser = new TestBrowser(api);
    const back = await browser.signIn(issuer, tenant, 'olga');
    const cookie = String(back.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-countersign=cs_s_[\w-]+; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/);
    const token = browser.cookies.get('__Host-countersign') ?? '';
    const { rows } = await api.db.owner.query<{ text: string }>(
      `select to_jsonb(credential)::text as text from credential union all select to_jsonb(browser_session)::text from browser_session`,
    );
    for (const { text } of rows) expect(text).not.toContain(token.slice(12));
    // It is good nowhere else.
    expect((await api.http(token).get('/v1/me')).body.code).toBe('credential.unknown');
  });

  it('changes nothing without a page of ours: no token, no origin, another’s', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const attempts: Record<string, string>[] = [
      { 'x-countersign-csrf': '' },
      { 'x-countersign-csrf': 'A'.repeat(43) },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:8421' },
    ];
    for (const headers of attempts) {
      const { status, body } = await browser.post('/v1/browser-sessions/current/sign-out', undefined, headers);
      expect([headers, status, body.code]).toEqual([headers, 403, 'browser_session.csrf']);
    }
    expect((await browser.current()).body.signed_in).toBe(true);
  });

  it('signs out here and at the issuer', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const token = browser.cookies.get('__Host-countersign') ?? '';
    const { redirect_to: there } = expectStatus(await browser.post('/v1/browser-sessions/current/sign-out'), 200)
      .body as {
      redirect_to: string;
    };
    const query = new URL(there).searchParams;
    expect(there.startsWith(`${issuer.url}/session/end?`)).toBe(true);
    expect(query.get('post_logout_redirect_uri')).toBe('http://127.0.0.1:8420/welcome');
    expect(query.get('id_token_hint')?.split('.').length).toBe(3);
    expect((await fetch(there)).status).toBe(200);
    expect(browser.cookies.has('__Host-countersign')).toBe(false);
    browser.cookies.set('__Host-countersign', token);
    expect((await browser.get('/v1/me')).body.code).toBe('credential.revoked');
  });

  it('takes the place of the one that the browser had before', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const before = browser.cookies.get('__Host-countersign') ?? '';
    await browser.signIn(issuer, tenant, 'olga');
    expect((await browser.current()).body).toMatchObject({ signed_in: true });
    browser.cookies.set('__Host-countersign', before);
    expect((await browser.get('/v1/me')).body.code).toBe('credential.revoked');
  });

  it('is one of a list, and each can be ended', async () => {
    const [here, there] = [new TestBrowser(api), new TestBrowser(api)];
    await here.signIn(issuer, tenant, 'olga');
    await there.signIn(issuer, tenant, 'olga');
    const { items } = (await here.get('/v1/browser-sessions')).body as {
      items: { id: string; current: boolean; address: string }[];
    };
    expect(items.map(({ current }) => current)).toEqual([false, true]);
    expect(items.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
    const other = items.find(({ current }) => !current)?.id ?? '';
    expectStatus(await here.send('DELETE', `/v1/browser-sessions/${other}`), 204);
    expect((await there.current()).body).toEqual({ signed_in: false });
    expect(((await here.get('/v1/browser-sessions')).body as { items: unknown[] }).items.length).toBe(1);
    expect((await entries()).at(-1)).toMatchObject({
      action: 'browser_session.ended',
      payload: { reason: 'ended elsewhere' },
    });
  });

  it('is given another token when its holder proved more; the old one is good for some seconds, then for nothing', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const old = browser.cookies.get('__Host-countersign') ?? '';
    const person = await api.installation.identity.authenticator.authenticateBrowserSession(old);
    if (!person.ok) throw new Error(person.error.code);
    const before = (await browser.current()).body as { csrf_token: string };
    const next = (await api.installation.signIn.rotateBrowserSession.execute(person.value)) ?? '';
    // A request under way still arrives, and a page that is open goes on.
    expect((await browser.get('/v1/me')).status).toBe(200);
    browser.cookies.set('__Host-countersign', next);
    expect((await browser.current()).body).toMatchObject({ signed_in: true, csrf_token: before.csrf_token });
    await api.db.owner.query(
      `update browser_session set rotated_at = rotated_at - interval '11 seconds' where tenant_id = $1`,
      [tenant.id],
    );
    browser.cookies.set('__Host-countersign', old);
    expect((await browser.get('/v1/me')).body.code).toBe('credential.unknown');
    // Nothing that anybody holds by hand can be rotated.
    await expect(
      api.db.owner.query(
        `update credential set token_digest = sha256('x') where tenant_id = $1 and kind = 'person_token'`,
        [tenant.id],
      ),
    ).rejects.toMatchObject({ code: 'CS001' });
  });

  it('is over when it has rested for an hour, and after twelve in any case', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const age = (what: string): Promise<unknown> =>
      api.db.owner.query(`update credential set ${what} where tenant_id = $1 and kind = 'browser_session'`, [
        tenant.id,
      ]);
    await age(`created_at = created_at - interval '59 minutes', last_used_at = last_used_at - interval '59 minutes'`);
    // The requests that an open page sends by itself do not use the browser session.
    const unattended = await browser.get('/v1/me', { 'x-countersign-unattended': '1' });
    const streamed = await browser.get('/v1/me', { accept: 'text/event-stream' });
    expect([unattended.status, streamed.status]).toEqual([200, 200]);
    const { rows } = await api.db.owner.query(
      `select last_used_at < clock_timestamp() - interval '58 minutes' as rested from credential
        where tenant_id = $1 and kind = 'browser_session'`,
      [tenant.id],
    );
    expect(rows).toEqual([{ rested: true }]);
    expect((await browser.get('/v1/me')).status).toBe(200);
    await age(`created_at = created_at - interval '2 hours', last_used_at = last_used_at - interval '61 minutes'`);
    expect((await browser.get('/v1/me')).body.code).toBe('browser_session.idle');
    await age(`created_at = created_at - interval '12 hours', expires_at = clock_timestamp()`);
    expect((await browser.get('/v1/me')).body.code).toBe('credential.expired');
  });

  it('is over sooner if the tenant says so, and never later', async () => {
    const admin = api.http(tenant.admin.token);
    const put = async (limits: object): Promise<Answer> => {
      const before = await admin.get('/v1/issuers');
      const issuers = describedIn(before);
      return admin.put('/v1/issuers', { issuers, ...limits }, { 'if-match': before.headers.etag ?? '' });
    };
    expect((await put({ browser_session_minutes: 721 })).body.errors).toMatchObject([
      { pointer: '/browser_session_minutes' },
    ]);
    expect((await put({ browser_session_idle_minutes: 4 })).body.errors).toMatchObject([
      { pointer: '/browser_session_idle_minutes' },
    ]);
    const set = expectStatus(await put({ browser_session_minutes: 30, browser_session_idle_minutes: 5 }), 200).body;
    expect(set).toMatchObject({ browser_session_minutes: 30, browser_session_idle_minutes: 5 });

    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'olga');
    const { rows } = await api.db.owner.query<{ minutes: number }>(
      `select round(extract(epoch from expires_at - created_at) / 60)::int as minutes from credential
        where tenant_id = $1 and kind = 'browser_session' order by created_at desc limit 1`,
      [tenant.id],
    );
    expect(rows).toEqual([{ minutes: 30 }]);
    const rested = (minutes: number): Promise<unknown> =>
      api.db.owner.query(
        `update credential set created_at = created_at - interval '1 hour',
                last_used_at = clock_timestamp() - $2 * interval '1 minute' where tenant_id = $1 and kind = 'browser_session'`,
        [tenant.id, minutes],
      );
    await rested(4);
    expect((await browser.get('/v1/me')).status).toBe(200);
    await rested(6);
    expect((await browser.get('/v1/me')).body.code).toBe('browser_session.idle');
    expectStatus(await put({}), 200);
  });
});

describe('a review or an administrative action', () => {
  const signedInLongAgo = (minutes: number): Promise<unknown> =>
    api.db.owner.query(
      `update person set created_at = created_at - interval '2 days', signed_in_at = clock_timestamp() - $2 * interval '1 minute'
        where tenant_id = $1 and signed_in_at is not null`,
      [tenant.id, minutes],
    );
  const decide = (browser: TestBrowser): Promise<{ status: number; body: { code?: string } }> =>
    browser.post('/v1/people', { email: 'new@example.com', display_name: 'New' });

  it('takes a sign-in that is recent enough, by any credential', async () => {
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'ada');
    const minted = expectStatus(
      await browser.post('/v1/tokens', { name: 'of her own', scopes: ['read', 'admin'] }),
      201,
    ).body as { token: string };
    await signedInLongAgo(721);
    const byCookie = await decide(browser);
    expect([byCookie.status, byCookie.body.code]).toEqual([401, 'sign_in.not_fresh']);
    const byToken = await api.http(minted.token).post('/v1/people', { email: 'n@example.com', display_name: 'New' });
    expect([byToken.status, byToken.body.code]).toEqual([401, 'sign_in.not_fresh']);
    expect((await browser.get('/v1/people')).status).toBe(200);
    // The issuer is asked anew, and says when that was.
    await browser.signIn(issuer, tenant, 'ada');
    expect((await decide(browser)).status).toBe(201);
  });

  it('takes one of everybody if the tenant demands it, which only somebody who signed in can demand', async () => {
    const admin = api.http(tenant.admin.token);
    const before = await admin.get('/v1/issuers');
    const demanded = {
      sign_in_required: true,
      issuers: describedIn(before),
    };
    const ifMatch = { 'if-match': before.headers.etag ?? '' };
    const locked = await admin.put('/v1/issuers', demanded, ifMatch);
    expect([locked.status, locked.body.code]).toEqual([409, 'issuer.sign_in_first']);
    const { id } = expectStatus(
      await admin.post('/v1/people', { email: 'early@example.com', display_name: 'Early' }),
      201,
    ).body as { id: string };
    const { enrolment_token } = expectStatus(await admin.post(`/v1/people/${id}/enrolment`), 201).body as {
      enrolment_token: string;
    };
    const browser = new TestBrowser(api);
    await browser.signIn(issuer, tenant, 'ada');
    expectStatus(await browser.send('PUT', '/v1/issuers', demanded, ifMatch), 200);
    const refused = await admin.post('/v1/people', { email: 'x@example.com', display_name: 'X' });
    expect([refused.status, refused.body.code]).toEqual([401, 'sign_in.issuer_only']);
    const now = await browser.get('/v1/issuers');
    const empty = await browser.send(
      'PUT',
      '/v1/issuers',
      { sign_in_required: true, issuers: [] },
      {
        'if-match': now.headers.etag ?? '',
      },
    );
    expect([empty.status, empty.body.code]).toEqual([409, 'issuer.last_way_in']);
    // No invitation is a way around it: neither one from before nor a new one.
    const fromBefore = await api.http().post('/v1/enrolment', { enrolment_token, name: 'laptop' });
    expect([fromBefore.status, fromBefore.body.code]).toEqual([403, 'sign_in.issuer_only']);
    const anew = await browser.send('POST', `/v1/people/${id}/enrolment`);
    expect([anew.status, anew.body.code]).toEqual([403, 'sign_in.issuer_only']);
  });
});

describe('issuers', () => {
  it('are refused if they cannot be reached, or not without harm', async () => {
    const admin = api.http(tenant.admin.token);
    const before = await admin.get('/v1/issuers');
    const ifMatch = { 'if-match': before.headers.etag ?? '' };
    const put = (issuer_url: string): ReturnType<typeof admin.put> =>
      admin.put(
        '/v1/issuers',
        { issuers: [{ name: 'x', display_name: 'X', issuer_url, client_id: 'countersign' }] },
        ifMatch,
      );
    const codes: Record<string, string> = {
      'http://issuer.example.com': 'issuer.invalid',
      'https://127.0.0.1:9': 'issuer.unreachable',
      'https://169.254.169.254': 'issuer.unreachable',
      [`${issuer.url}/elsewhere`]: 'issuer.unreachable',
    };
    for (const [url, code] of Object.entries(codes)) {
      const { status, body } = await put(url);
      expect([url, status, body.code]).toEqual([url, 422, code]);
    }
  });

  it('can be tested: their description and keys are read, and nothing changes', async () => {
    const admin = api.http(tenant.admin.token);
    const test = (name: string) => admin.post(`/v1/issuers/${name}/test`);
    const works = expectStatus(await test('demo'), 200).body as { keys: number };
    expect(works).toEqual({ issuer_url: issuer.url, keys: works.keys, problem: null });
    expect(works.keys).toBeGreaterThan(0);
    const nobody = await test('nobody');
    expect([nobody.status, nobody.body.code]).toEqual([404, 'resource.not_found']);
    const person = api.http((await api.person(tenant, 'SRELead')).token);
    expect((await person.post('/v1/issuers/demo/test')).status).toBe(403);
  });

  it('are changed only by a person who read the last revision', async () => {
    const admin = api.http(tenant.admin.token);
    const without = await admin.put('/v1/issuers', { issuers: [] });
    expect([without.status, without.body.code]).toEqual([428, 'request.if_match_required']);
    const stale = await admin.put('/v1/issuers', { issuers: [] }, { 'if-match': '"7"' });
    expect([stale.status, stale.body.code]).toEqual([412, 'request.if_match_failed']);
  });

  it('can be chosen from before anybody is signed in, and a tenant that is not there has none', async () => {
    const options = async (slug: string): Promise<unknown> =>
      (await api.http().get(`/v1/sign-in/options?tenant=${slug}`)).body;
    const issuers = [{ name: 'demo', display_name: 'Demo issuer' }];
    expect(await options(tenant.slug)).toEqual({ issuers, passkeys: true, founded: true });
    expect(await options('nobody')).toEqual({ issuers: [], passkeys: true, founded: true });
  });
});
