import { newId, type PersonId } from '#lib/kernel';
import { testApi, type Answer, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { asTenant, FORGED_SEAL, reportOf, reportsOf, type Reports } from '../support/database-login.js';
import { enrolPasskey } from '../support/second-factors.js';

let api: TestApi;
let reports: Reports;
let tenant: TestTenant;
let eve: TestPerson;

beforeAll(async () => {
  reports = reportsOf();
  api = await testApi({ config: { logLevel: 'error' }, logTo: reports.logTo });
  tenant = await api.tenant();
  eve = await api.person(tenant);
}, 60_000);
afterAll(() => api.close());

const rolesOf = async (person: TestPerson): Promise<unknown> =>
  ((await api.http(person.token).get('/v1/me')).body as { roles: { role: string }[] }).roles.map(({ role }) => role);
const sealOf = async (table: string, id: string): Promise<string> =>
  (await api.db.owner.query<{ seal: string }>(`select seal from ${table} where id = $1`, [id])).rows[0]?.seal ?? '';
const reported = { logged: 1, audited: 1, counted: expect.any(Number) as number };

describe('T42: a database login without the keyring gives a role', () => {
  const insertRole = async (person: PersonId, role: string, seal: string, id = newId()): Promise<string> => {
    await asTenant(api, tenant, (query) =>
      query(
        `insert into role_assignment (tenant_id, id, person_id, role, assigned_at, assigned_by, seal)
         values ($1, $2, $3, $4, now() - interval '1 day', $5, $6)`,
        [tenant.id, id, person, role, tenant.admin.id, seal],
      ),
    );
    return id;
  };

  it('of its own making: it counts for nothing, and is reported', async () => {
    const forged = await insertRole(eve.id, 'SRELead', FORGED_SEAL);
    expect(await rolesOf(eve)).toEqual([]);
    const shown = await api.http(tenant.admin.token).get(`/v1/people/${eve.id}`);
    expect(shown.body).toMatchObject({ roles: [] });
    expect(await reportOf(api, reports, 'role_assignment', forged, tenant)).toEqual(reported);
  });

  it('with the seal of a role that somebody does hold', async () => {
    const { rows } = await api.db.owner.query<{ id: string }>('select id from role_assignment where person_id = $1', [
      tenant.admin.id,
    ]);
    await insertRole(eve.id, 'PlatformAdmin', await sealOf('role_assignment', rows[0]?.id ?? ''));
    expect(await rolesOf(eve)).toEqual([]);
    const refused: Answer = await api.http(eve.token).post('/v1/people', { email: 'x@example.com', display_name: 'X' });
    expect([refused.status, refused.body.code]).toEqual([403, 'credential.scope_missing']);
  });
});

describe('T42: a database login without the keyring delegates a role', () => {
  it('with a seal of its own making: no delegate counts', async () => {
    const ada = await api.person(tenant, 'SRELead');
    const forged = newId();
    await asTenant(api, tenant, (query) =>
      query(
        `insert into absence (tenant_id, id, person_id, delegate_id, roles, from_at, until_at, created_at, seal)
         values ($1, $2, $3, $4, '{SRELead}', now() - interval '2 days', now() + interval '1 day', now() - interval '2 days', $5)`,
        [tenant.id, forged, ada.id, eve.id, FORGED_SEAL],
      ),
    );
    const inbox = await api.http(eve.token).get('/v1/inbox');
    expect(inbox.body).toMatchObject({ standing_in: [] });
    expect(await reportOf(api, reports, 'absence', forged, tenant)).toEqual(reported);
  });
});

describe('T42: a database login without the keyring gives a second factor', () => {
  it('its own passkey, to somebody else: it is not theirs, proves nothing, and is reported', async () => {
    const ada = await api.person(tenant, 'SRELead');
    const mallory = await api.person(tenant, 'DevOpsEngineer');
    await enrolPasskey(api, mallory);
    const forged = newId();
    await asTenant(api, tenant, (query) =>
      query(
        `insert into factor select (jsonb_populate_record(own,
             jsonb_build_object('id', $1::text, 'person_id', $2::text, 'passkey_id', 'forged'))).*
           from factor own where own.person_id = $3 and own.kind = 'passkey'`,
        [forged, ada.id, mallory.id],
      ),
    );
    const { body } = await api.http(ada.token).get('/v1/factors');
    expect((body as { items: unknown[] }).items).toEqual([]);
    const keys = await api.http(tenant.admin.token).get(`/v1/approver-keys?person_id=${ada.id}`);
    expect(keys.text).not.toContain('forged');
    const operation = { kind: 'vouch', person_id: eve.id, fingerprint: '00000 00000 00000 00000 00000 00000' };
    const begun = await api.http(ada.token).post('/v1/step-ups', { operation });
    expect([begun.status, begun.body.code]).toEqual([403, 'mfa.not_enrolled']);
    expect(await reportOf(api, reports, 'factor', forged, tenant)).toEqual(reported);
  });
});

describe('T42: a database login without the keyring makes somebody known', () => {
  const standingOf = async (person: TestPerson): Promise<unknown> =>
    (await api.http(tenant.admin.token).get(`/v1/people/${person.id}`)).body.standing as unknown;
  /** Somebody who came in by a token that the first admin saw. */
  async function puppet(): Promise<TestPerson> {
    const admin = api.http(tenant.admin.token);
    const email = `${newId()}@example.com`;
    const { id } = (await admin.post('/v1/people', { email, display_name: email })).body as { id: PersonId };
    const { enrolment_token } = (await admin.post(`/v1/people/${id}/enrolment`)).body as { enrolment_token: string };
    const { token } = (await api.http().post('/v1/enrolment', { enrolment_token, name: 'mine' })).body as {
      token: string;
    };
    return { id, email, token };
  }
  const oneVote = { known: false, known_by: [{ basis: 'token' }], shares_vote_with: [{ id: expect.any(String) }] };

  it('by an invented link of the operator', async () => {
    const sam = await puppet();
    const forged = newId();
    await asTenant(api, tenant, async (query) => {
      await query(
        `insert into enrolment (tenant_id, id, person_id, token_digest, created_at, expires_at, channel, seal)
         values ($1, $2, $3, sha256('forged'), now(), now() + interval '1 hour', 'operator', $4)`,
        [tenant.id, forged, sam.id, FORGED_SEAL],
      );
      await query('update enrolment set used_at = clock_timestamp() where id = $1', [forged]);
    });
    expect(await standingOf(sam)).toMatchObject(oneVote);
    expect(await reportOf(api, reports, 'enrolment', forged, tenant)).toEqual(reported);
  });

  it('by making the link that let them in one that was mailed', async () => {
    const sam = await puppet();
    const { rows } = await api.db.owner.query<{ id: string }>(
      `update enrolment set channel = 'mailed' where person_id = $1 returning id`,
      [sam.id],
    );
    expect(await standingOf(sam)).toMatchObject({ known: false, shares_vote_with: [{ id: expect.any(String) }] });
    expect(await reportOf(api, reports, 'enrolment', String(rows[0]?.id), tenant)).toEqual(reported);
  });

  it('by the word of somebody who never vouched', async () => {
    const sam = await puppet();
    const forged = newId();
    await asTenant(api, tenant, (query) =>
      query(
        `insert into person_vouch (tenant_id, id, person_id, vouched_by, vouched_at, seal) values ($1, $2, $3, $4, now(), $5)`,
        [tenant.id, forged, sam.id, eve.id, FORGED_SEAL],
      ),
    );
    expect(await standingOf(sam)).toMatchObject(oneVote);
    expect(await reportOf(api, reports, 'person_vouch', forged, tenant)).toEqual(reported);
  });

  it('by an invented issuer, which lets no person in', async () => {
    const sam = await puppet();
    const [issuer, identity] = [newId(), newId()];
    await asTenant(api, tenant, async (query) => {
      await query(
        `insert into issuer (tenant_id, id, name, display_name, issuer_url, client_id, algorithms, extra_scopes, roles_claim,
           role_mappings, provision, link_by_verified_email, bearer_scopes, created_at, updated_at, seal)
         values ($1, $2, 'mine', 'Mine', 'https://mine.example', 'me', '{ES256}', '{}', 'groups', '[]', 'mapped', false,
           '{read,admin}', now(), now(), $3)`,
        [tenant.id, issuer, FORGED_SEAL],
      );
      await query(
        `insert into issuer_standing (tenant_id, id, issuer_id, how, person_id, since, seal)
         values ($1, gen_random_uuid(), $2, 'two_people', $3, now(), $4)`,
        [tenant.id, issuer, tenant.admin.id, FORGED_SEAL],
      );
      await query(
        `insert into external_identity (tenant_id, id, issuer_id, subject, person_id, created_at, signed_in_at, seal)
         values ($1, $2, $3, 'eve', $4, now(), now(), $5)`,
        [tenant.id, identity, issuer, sam.id, FORGED_SEAL],
      );
    });
    expect(await standingOf(sam)).toMatchObject(oneVote);
    expect(await reportOf(api, reports, 'external_identity', identity, tenant)).toEqual(reported);
    const options = await api.http().get(`/v1/sign-in/options?tenant=${tenant.slug}`);
    expect(options.body).toMatchObject({ issuers: [] });
    expect(await reportOf(api, reports, 'issuer', issuer, tenant)).toEqual(reported);
  });
});
