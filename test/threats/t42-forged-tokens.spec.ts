import { createHash, randomBytes } from 'node:crypto';
import { spellToken } from '#lib/identity';
import { newId } from '#lib/kernel';
import { testApi, type TestApi, type TestTenant } from '../support/api.js';
import { asTenant, FORGED_SEAL, reportOf, reportsOf, type Reports } from '../support/database-login.js';

let api: TestApi;
let tenant: TestTenant;
let reports: Reports;

beforeAll(async () => {
  reports = reportsOf();
  api = await testApi({ config: { logLevel: 'error' }, logTo: reports.logTo });
  tenant = await api.tenant();
});
afterAll(() => api.close());

const sha256 = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

const insertCredential = (kind: 'person_token' | 'browser_session', token: string, id = newId()): Promise<void> =>
  asTenant(api, tenant, (query) =>
    query(
      `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at, seal)
       values ($1, $2, $3, $4, 'mine', 'cs_p_mine', $5, '{read,review,admin}', now(), now() + interval '1 hour', $6)`,
      [tenant.id, id, kind, tenant.admin.id, sha256(token), FORGED_SEAL],
    ),
  );

describe('T42: a database login without the keyring makes a token', () => {
  it('of a person, which has no holder', async () => {
    const token = spellToken('person', randomBytes(32), tenant.id);
    await insertCredential('person_token', token);
    const { status, body } = await api.http(token).get('/v1/me');
    expect([status, body.code]).toEqual([401, 'credential.unknown']);
  });

  it('of a person, which stands in no list, and is reported once somebody lists tokens', async () => {
    const id = newId();
    await insertCredential('person_token', spellToken('person', randomBytes(32), tenant.id), id);
    const listed = await api.http(tenant.admin.token).get('/v1/tokens?limit=200');
    expect(listed.text).not.toContain(id);
    expect(await reportOf(api, reports, 'credential', id, tenant)).toMatchObject({ logged: 1, audited: 1 });
  });

  it('of somebody else’s, with the digest of one of its own', async () => {
    const eve = await api.person(tenant);
    const own = createHash('sha256').update(eve.id).digest();
    const [id, { rows }] = [
      newId(),
      await api.db.owner.query<{ id: string; token_digest: Buffer }>(
        `select id, token_digest from credential where person_id = $1`,
        [eve.id],
      ),
    ];
    // Its own row out of the way, as the owner of the tables could do; the digest is unique.
    await api.db.owner.query('alter table credential disable trigger user');
    await api.db.owner.query('update credential set token_digest = $2 where id = $1', [rows[0]?.id, own]);
    await api.db.owner.query('alter table credential enable trigger user');
    await asTenant(api, tenant, (query) =>
      query(
        `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at, seal)
         select tenant_id, $1, kind, $2, name, prefix, $3, '{read,review,admin}', created_at, expires_at, seal
           from credential where id = $4`,
        [id, tenant.admin.id, rows[0]?.token_digest, rows[0]?.id],
      ),
    );
    const { status, body } = await api.http(eve.token).get('/v1/me');
    expect([status, body.code]).toEqual([401, 'credential.unknown']);
    expect(await reportOf(api, reports, 'credential', id, tenant)).toMatchObject({ logged: 1, audited: 1 });
  });

  it('of a browser session, which has no holder', async () => {
    const token = spellToken('browser_session', randomBytes(32), tenant.id);
    await insertCredential('browser_session', token);
    const { status } = await api.http().get('/v1/me', { cookie: `__Host-countersign=${token}` });
    expect(status).toBe(401);
  });

  it('to enrol as somebody with, which opens nothing', async () => {
    const token = spellToken('enrolment', randomBytes(32), tenant.id);
    await asTenant(api, tenant, (query) =>
      query(
        `insert into enrolment (tenant_id, id, person_id, token_digest, created_at, created_by, expires_at, channel, seal)
         values ($1, $2, $3, $4, now(), $3, now() + interval '1 hour', 'shown', $5)`,
        [tenant.id, newId(), tenant.admin.id, sha256(token), FORGED_SEAL],
      ),
    );
    const { status, body } = await api.http().post('/v1/enrolment', { enrolment_token: token, name: 'mine' });
    expect([status, body.code]).toEqual([401, 'enrolment.refused']);
  });

  it('to found a tenant with, which opens nothing', async () => {
    const token = spellToken('bootstrap', randomBytes(32), null);
    await api.db.app.query(
      `insert into bootstrap_token (token_digest, created_at, expires_at) values ($1, now(), now() + interval '1 hour')`,
      [sha256(token)],
    );
    const founding = {
      bootstrap_token: token,
      tenant: { slug: 'mine', name: 'Mine' },
      admin: { email: 'me@example.com', display_name: 'Me' },
    };
    const { status, body } = await api.http().post('/v1/bootstrap', founding);
    expect([status, body.code]).toEqual([401, 'bootstrap.refused']);
  });
});
