import { expectStatus, testApi, type Answer, type TestApi, type TestTenant } from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
});
afterAll(() => api.close());

const admin = () => api.http(tenant.admin.token);
const refusal = ({ status, body }: Answer): [number, string | undefined] => [status, body.code as string | undefined];

const founding = (token: string, slug: string): object => ({
  bootstrap_token: token,
  tenant: { slug, name: slug },
  admin: { email: 'first@example.com', display_name: 'First' },
});

describe('founding a tenant', () => {
  it('makes its first admin and its environments, all on record', async () => {
    const me = await admin().get('/v1/me');
    expect(me.body).toMatchObject({
      tenant_id: tenant.id,
      tenant_slug: tenant.slug,
      kind: 'person',
      roles: [{ role: 'PlatformAdmin' }],
    });
    const environments = await admin().get('/v1/environments');
    expect(
      (environments.body.items as { name: string; production: boolean }[]).map(({ name, production }) => [
        name,
        production,
      ]),
    ).toEqual([
      ['development', false],
      ['production', true],
      ['staging', false],
    ]);
    const { rows } = await api.db.owner.query(
      'select action from audit_entry where tenant_id = $1 order by occurred_at, id limit 2',
      [tenant.id],
    );
    expect(rows).toEqual([{ action: 'tenant.founded' }, { action: 'person.enrolled' }]);
  });

  it('happens once for a token, of many at once', async () => {
    const { token } = await api.installation.identity.issueBootstrapToken.execute();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => api.http().post('/v1/bootstrap', founding(token, `race-${String(n)}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
    expect(refusal(await api.http().post('/v1/bootstrap', founding(token, 'again')))).toEqual([
      401,
      'bootstrap.refused',
    ]);
  });

  it('does not use the token up for a name that is taken', async () => {
    const { token } = await api.installation.identity.issueBootstrapToken.execute();
    expect(refusal(await api.http().post('/v1/bootstrap', founding(token, tenant.slug)))).toEqual([
      409,
      'tenancy.slug_taken',
    ]);
    expectStatus(await api.http().post('/v1/bootstrap', founding(token, 'another-name')), 201);
  });

  it('is over after 24 hours', async () => {
    const { token, expiresAt } = await api.installation.identity.issueBootstrapToken.execute();
    const { rows } = await api.db.owner.query<{ age: string }>(
      `update bootstrap_token set created_at = created_at - interval '24 hours', expires_at = expires_at - interval '24 hours'
        where used_at is null returning extract(epoch from expires_at - created_at) as age`,
    );
    expect(rows.map(({ age }) => Number(age))).toEqual([86_400]);
    expect(expiresAt).toBeGreaterThan(0);
    expect(refusal(await api.http().post('/v1/bootstrap', founding(token, 'late')))).toEqual([
      401,
      'bootstrap.refused',
    ]);
  });

  it('takes no bootstrap or enrolment token for a credential', async () => {
    const { token } = await api.installation.identity.issueBootstrapToken.execute();
    expect(refusal(await api.http(token).get('/v1/me'))).toEqual([401, 'credential.unknown']);
  });
});

describe('enrolment', () => {
  it('works once, of many at once', async () => {
    const person = await api.person(tenant);
    const { enrolment_token } = expectStatus(await admin().post(`/v1/people/${person.id}/enrolment`), 201).body;
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.http().post('/v1/enrolment', { enrolment_token, name: 'laptop' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  });

  it('revokes the person’s credentials, and makes their roles count from then on only', async () => {
    const person = await api.person(tenant, 'SRELead');
    const before = (await api.http(person.token).get('/v1/me')).body.roles[0].counts_from as string;
    const { enrolment_token } = expectStatus(await admin().post(`/v1/people/${person.id}/enrolment`), 201).body;
    const { token } = expectStatus(await api.http().post('/v1/enrolment', { enrolment_token, name: 'new' }), 201).body;
    expect(refusal(await api.http(person.token).get('/v1/me'))).toEqual([401, 'credential.revoked']);
    const me = (await api.http(token).get('/v1/me')).body;
    expect(Date.parse(me.roles[0].counts_from)).toBeGreaterThan(Date.parse(before));
    const { assigned_at, role } = (await admin().get(`/v1/people/${person.id}`)).body.roles[0];
    expect([role, Date.parse(assigned_at) < Date.parse(me.roles[0].counts_from)]).toEqual(['SRELead', true]);
  });

  it('gives no scope that the person’s roles do not open', async () => {
    const person = await api.person(tenant);
    for (const scope of ['review', 'audit', 'admin']) {
      const { enrolment_token } = expectStatus(await admin().post(`/v1/people/${person.id}/enrolment`), 201).body;
      const answer = await api.http().post('/v1/enrolment', { enrolment_token, name: 'x', scopes: [scope] });
      expect(refusal(answer)).toEqual([403, 'credential.scope_not_allowed']);
    }
  });
});

describe('roles', () => {
  it('are assigned by somebody else, and keep the time and the author', async () => {
    const person = await api.person(tenant, 'DevOpsEngineer', 'OnCall');
    const { body } = await admin().get(`/v1/people/${person.id}`);
    expect(body.roles).toEqual([
      {
        role: 'DevOpsEngineer',
        assigned_at: expect.any(String),
        assigned_by: tenant.admin.id,
        assigned_by_issuer: null,
      },
      { role: 'OnCall', assigned_at: expect.any(String), assigned_by: tenant.admin.id, assigned_by_issuer: null },
    ]);
    expect(refusal(await admin().post(`/v1/people/${tenant.admin.id}/roles`, { role: 'SRELead' }))).toEqual([
      403,
      'identity.self_assignment',
    ]);
    expect(refusal(await admin().post(`/v1/people/${person.id}/roles`, { role: 'any' }))).toEqual([
      422,
      'identity.role_name',
    ]);
    expect(refusal(await admin().post(`/v1/people/${person.id}/roles`, { role: 'OnCall' }))).toEqual([
      409,
      'identity.role_held',
    ]);
  });

  it('leave a PlatformAdmin, even when two try to remove each other at once', async () => {
    const other = await api.tenant();
    const second = await api.person(other, 'PlatformAdmin');
    const [one, two] = await Promise.all([
      api.http(other.admin.token).delete(`/v1/people/${second.id}/roles/PlatformAdmin`),
      api.http(second.token).delete(`/v1/people/${other.admin.id}/roles/PlatformAdmin`),
    ]);
    expect([one.status, two.status].filter((status) => status === 204)).toHaveLength(1);
    const left = one.status === 204 ? other.admin : second;
    expect(refusal(await api.http(left.token).delete(`/v1/people/${left.id}/roles/PlatformAdmin`))).toEqual([
      409,
      'identity.last_admin',
    ]);
    expect(refusal(await api.http(left.token).patch(`/v1/people/${left.id}`, { disabled: true }))).toEqual([
      409,
      'identity.last_admin',
    ]);
  });

  it('taken away, open nothing from the next request on', async () => {
    const second = await api.person(tenant, 'PlatformAdmin');
    expectStatus(await api.http(second.token).post('/v1/people', { email: 'a1@example.com', display_name: 'A' }), 201);
    expectStatus(await admin().delete(`/v1/people/${second.id}/roles/PlatformAdmin`), 204);
    expect(
      refusal(await api.http(second.token).post('/v1/people', { email: 'a2@example.com', display_name: 'A' })),
    ).toEqual([403, 'identity.role_required']);
  });
});

describe('people, agents and lists', () => {
  it('refuses an address and a name that are taken', async () => {
    const person = await api.person(tenant);
    expect(refusal(await admin().post('/v1/people', { email: person.email.toUpperCase(), display_name: 'B' }))).toEqual(
      [409, 'identity.email_taken'],
    );
    expectStatus(await admin().post('/v1/agents', { name: 'deployer', owner_id: person.id }), 201);
    expect(refusal(await admin().post('/v1/agents', { name: 'deployer', owner_id: person.id }))).toEqual([
      409,
      'identity.agent_name_taken',
    ]);
  });

  it('lets only the owner and an admin mint an agent’s token', async () => {
    const [owner, other] = [await api.person(tenant), await api.person(tenant, 'SRELead')];
    const agent = await api.agent(tenant, owner);
    expectStatus(await api.http(owner.token).post(`/v1/agents/${agent.id}/tokens`, { name: 'ci' }), 201);
    expect(refusal(await api.http(other.token).post(`/v1/agents/${agent.id}/tokens`, { name: 'ci' }))).toEqual([
      403,
      'identity.not_agent_owner',
    ]);
  });

  it('shows a person their own tokens, and an admin all', async () => {
    const [one, two] = [await api.person(tenant), await api.person(tenant)];
    const mine = (await api.http(one.token).get('/v1/tokens')).body.items as { id: string; person_id: string }[];
    expect(mine.map(({ person_id }) => person_id)).toEqual([one.id]);
    const id = mine[0]?.id ?? '';
    expect(refusal(await api.http(two.token).delete(`/v1/tokens/${id}`))).toEqual([404, 'resource.not_found']);
    expectStatus(await admin().delete(`/v1/tokens/${id}`), 204);
  });

  it('pages by cursor, and refuses one of another list', async () => {
    const seen: string[] = [];
    let path: string | null = '/v1/people?limit=3';
    let cursor = '';
    while (path !== null) {
      const { items, next_cursor } = expectStatus(await admin().get(path), 200).body as {
        items: { id: string }[];
        next_cursor: string | null;
      };
      seen.push(...items.map(({ id }) => id));
      cursor = next_cursor ?? cursor;
      path = next_cursor === null ? null : `/v1/people?limit=3&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort()).toEqual(seen);
    expect(seen.length).toBeGreaterThan(6);
    expect(refusal(await admin().get(`/v1/agents?cursor=${encodeURIComponent(cursor)}`))).toEqual([
      422,
      'request.cursor_invalid',
    ]);
    expect(refusal(await admin().get('/v1/people?cursor=%7B%7D'))).toEqual([422, 'request.cursor_invalid']);
  });
});

describe('environments and secrets', () => {
  it('shows an agent who people are, but not their addresses, absences or incidents', async () => {
    const person = await api.person(tenant, 'SRELead');
    const agent = await api.agent(tenant, person);
    const delegation = await api.delegation(agent, person, 'read');
    for (const token of [agent.token, delegation]) {
      const http = api.http(token);
      const one = expectStatus(await http.get(`/v1/people/${person.id}`), 200);
      expect(one.body).toMatchObject({ id: person.id, display_name: person.email, email: null });
      const { items } = expectStatus(await http.get('/v1/people?limit=200'), 200).body as {
        items: { email: string | null }[];
      };
      expect([...new Set(items.map(({ email }) => email))]).toEqual([null]);
      for (const path of ['/v1/absences', '/v1/incidents', `/v1/incidents/${person.id}`])
        expect([path, ...refusal(await http.get(path))]).toEqual([path, 403, 'credential.person_required']);
    }
    expect((await api.http(person.token).get(`/v1/people/${person.id}`)).body.email).toBe(person.email);
  });

  it('changes an environment only from the version that was read', async () => {
    const { items } = (await admin().get('/v1/environments')).body as { items: { id: string; name: string }[] };
    const id = items.find(({ name }) => name === 'staging')?.id ?? '';
    const path = `/v1/environments/${id}`;
    expect(refusal(await admin().patch(path, { production: true }))).toEqual([428, 'request.if_match_required']);
    const { etag } = (await admin().get(path)).headers;
    const changed = expectStatus(await admin().patch(path, { production: true }, { 'if-match': etag ?? '' }), 200);
    expect([changed.body.production, changed.body.version]).toEqual([true, 2]);
    expect(refusal(await admin().patch(path, { production: false }, { 'if-match': etag ?? '' }))).toEqual([
      412,
      'request.if_match_failed',
    ]);
  });

  it('stores a secret and never shows it', async () => {
    const value = 'hunter2-and-then-some';
    const stored = expectStatus(await admin().put('/v1/secrets/fleet-password', { value }), 200);
    expect(stored.body).toMatchObject({ name: 'fleet-password', version: 1, reference: 'fleet-password@1' });
    expect(expectStatus(await admin().put('/v1/secrets/fleet-password', { value }), 200).body.version).toBe(2);
    const listed = await admin().get('/v1/secrets');
    expect(listed.body.items).toHaveLength(2);
    expect(stored.text + listed.text).not.toContain(value);
    expect(expectStatus(await admin().post('/v1/secrets/rotation'), 200).body).toEqual({ reencrypted: 0 });
  });
});
