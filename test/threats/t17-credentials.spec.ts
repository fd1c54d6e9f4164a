import {
  expectStatus,
  testApi,
  type TestAgent,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;
let owner: TestPerson;
let agent: TestAgent;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  owner = await api.person(tenant, 'SRELead');
  agent = await api.agent(tenant, owner);
});
afterAll(() => api.close());

/** The answer to the credential at a route that takes the scope read. */
async function refusalOf(token: string | undefined): Promise<[number, string | undefined]> {
  const { status, body } = await api.http(token).get('/v1/me');
  return [status, body.code];
}

describe('T17: a credential that is narrower, revoked, expired, or carried in a URL', () => {
  it('opens the routes of its scopes alone', async () => {
    const admin = await api.token(tenant.admin, 'admin');
    const { status, body } = await api.http(admin).get('/v1/people');
    expect([status, body.code, body.details]).toEqual([
      ...[403, 'credential.scope_missing'],
      { required_scope: 'read' },
    ]);
  });

  it('opens nothing once it is revoked', async () => {
    const minted = expectStatus(await api.http(owner.token).post('/v1/tokens', { name: 'short' }), 201).body;
    expect((await refusalOf(minted.token))[0]).toBe(200);
    expectStatus(await api.http(owner.token).delete(`/v1/tokens/${minted.id}`), 204);
    expect(await refusalOf(minted.token)).toEqual([401, 'credential.revoked']);
    // Repeating it changes nothing.
    expectStatus(await api.http(owner.token).delete(`/v1/tokens/${minted.id}`), 204);
  });

  it('opens nothing once it has expired, by the clock of the database', async () => {
    const minted = expectStatus(
      await api.http(owner.token).post('/v1/tokens', { name: 'old', expires_in_days: 1 }),
      201,
    ).body;
    await api.db.owner.query(
      `update credential set created_at = created_at - interval '2 days', expires_at = clock_timestamp() - interval '1 millisecond' where id = $1`,
      [minted.id],
    );
    expect(await refusalOf(minted.token)).toEqual([401, 'credential.expired']);
  });

  it('opens nothing once its holder, or the person behind an agent, is disabled', async () => {
    const admin = api.http(tenant.admin.token);
    const leaver = await api.person(tenant);
    const delegation = await api.delegation(agent, leaver, 'read', 'submit');
    const theirs = await api.agent(tenant, leaver);
    expectStatus(await admin.patch(`/v1/people/${leaver.id}`, { disabled: true }), 200);
    expect(await refusalOf(leaver.token)).toEqual([401, 'credential.revoked']);
    expect(await refusalOf(delegation)).toEqual([401, 'credential.revoked']);
    expect(await refusalOf(theirs.token)).toEqual([401, 'credential.backer_disabled']);
    expectStatus(await admin.patch(`/v1/agents/${theirs.id}`, { owner_id: owner.id }), 200);
    expect((await refusalOf(theirs.token))[0]).toBe(200);
    expectStatus(await admin.patch(`/v1/agents/${theirs.id}`, { disabled: true }), 200);
    expect(await refusalOf(theirs.token)).toEqual([401, 'credential.holder_disabled']);
  });

  it.each([
    ['none', undefined, 'credential.missing'],
    ['a mistyped one', `cs_p_${'A'.repeat(49)}`, 'credential.unknown'],
    ['a word', 'secret', 'credential.unknown'],
    ['not a token', 'a b', 'credential.malformed'],
  ])('is refused when it is %s', async (_what, token, code) => {
    expect(await refusalOf(token)).toEqual([401, code]);
  });

  it('is taken from the Authorization header alone', async () => {
    const http = api.http();
    for (const headers of [
      { 'x-api-key': owner.token },
      { cookie: `token=${owner.token}` },
      { 'proxy-authorization': `Bearer ${owner.token}` },
    ]) {
      const { status, body } = await http.get('/v1/me', headers);
      expect([status, body.code]).toEqual([401, 'credential.missing']);
    }
  });

  it('is refused anywhere in a URL, even with another one in the header', async () => {
    const inUrl = [
      `/v1/me?access_token=${owner.token}`,
      `/v1/people?cursor=${owner.token}`,
      `/v1/people/${owner.token}`,
      `/v1/people/${encodeURIComponent(owner.token.replace('_', '%5F'))}`.replace('%25', '%'),
      '/v1/me?token=abc',
      '/v1/me?API_KEY=abc',
    ];
    for (const path of inUrl) {
      for (const token of [undefined, tenant.admin.token]) {
        const { status, body, text } = await api.http(token).get(path);
        expect([path, status, body.code]).toEqual([path, 400, 'credential.in_url']);
        expect(text).not.toContain(owner.token);
      }
    }
  });

  it('mints nothing wider than itself', async () => {
    const narrow = await api.token(owner, 'read');
    for (const scopes of [['submit'], ['read', 'review'], ['admin']]) {
      const { status, body } = await api.http(narrow).post('/v1/tokens', { name: 'wider', scopes });
      expect([status, body.code]).toEqual([403, 'credential.scope_not_allowed']);
    }
    const delegated = await api
      .http(narrow)
      .post(`/v1/agents/${agent.id}/delegations`, { name: 'wider', scopes: ['submit'] });
    expect([delegated.status, delegated.body.code]).toEqual([403, 'credential.scope_not_allowed']);
  });

  it('holds read alone by default, for 90 days', async () => {
    const minted = expectStatus(await api.http(owner.token).post('/v1/tokens', { name: 'plain' }), 201).body;
    expect(minted.scopes).toEqual(['read']);
    expect(Date.parse(minted.expires_at) - Date.parse(minted.created_at)).toBe(90 * 86_400_000);
  });

  it('never lets an agent review, audit or administer, on any request', async () => {
    for (const scope of ['review', 'audit', 'admin']) {
      for (const [by, path] of [
        [tenant.admin, 'tokens'],
        [owner, 'tokens'],
        [tenant.admin, 'delegations'],
      ] as const) {
        const { status, body } = await api
          .http(by.token)
          .post(`/v1/agents/${agent.id}/${path}`, { name: 'x', scopes: ['read', scope] });
        expect([scope, status, body.code]).toEqual([scope, 403, 'credential.scope_not_allowed']);
      }
    }
    const byAgent = await api.http(agent.token).post('/v1/tokens', { name: 'mine' });
    expect([byAgent.status, byAgent.body.code]).toEqual([403, 'credential.person_required']);
  });

  it('names the person behind an agent, by the delegation that the person issued', async () => {
    const principal = await api.person(tenant);
    const delegation = await api.delegation(agent, principal, 'read', 'submit');
    const me = await api.http(delegation).get('/v1/me');
    expect(me.body).toMatchObject({ kind: 'agent', id: agent.id, owner_id: owner.id, on_behalf_of: principal.id });
    const longer = await api
      .http(principal.token)
      .post(`/v1/agents/${agent.id}/delegations`, { name: 'x', expires_in_days: 31 });
    expect([longer.status, longer.body.code]).toEqual([422, 'credential.lifetime']);
  });

  it('is shown once, and kept as a digest', async () => {
    const minted = expectStatus(await api.http(owner.token).post('/v1/tokens', { name: 'once' }), 201).body;
    const listed = await api.http(owner.token).get('/v1/tokens?limit=200');
    expect(listed.text).toContain(minted.id);
    expect(listed.text).not.toContain(minted.token);
    const { rows } = await api.db.owner.query(
      'select to_jsonb(credential)::text as text from credential union all select to_jsonb(audit_entry)::text from audit_entry',
    );
    for (const row of rows as { text: string }[]) expect(row.text).not.toContain(String(minted.token).slice(12));
  });

  it('remembers its last use', async () => {
    const minted = expectStatus(await api.http(owner.token).post('/v1/tokens', { name: 'used' }), 201).body;
    expect(minted.last_used_at).toBeNull();
    await api.http(minted.token).get('/v1/me');
    const listed = await api.http(owner.token).get('/v1/tokens?limit=200');
    const mine = (listed.body.items as { id: string; last_used_at: string | null }[]).find(
      ({ id }) => id === minted.id,
    );
    expect(mine?.last_used_at).not.toBeNull();
  });
});
