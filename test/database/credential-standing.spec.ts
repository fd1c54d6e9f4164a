import { createHash } from 'node:crypto';
import { sqlOf } from '#lib/database';
import { newId, type CredentialId, type PersonId, type TenantId } from '#lib/kernel';
import { SqlSignInStandings } from '../../libs/people/sign-in/src/adapters/sql-sign-in-standings.js';
import { FORGED_SEAL } from '../support/database-login.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

describe('credential_standing', () => {
  const digest = createHash('sha256').update('a token').digest();
  const owner = newId<TenantId>();
  const other = newId<TenantId>();
  const credential = newId<CredentialId>();
  const person = newId<PersonId>();
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
    await db.owner.query(
      `insert into tenant (id, slug, name, created_at) values ($1, 'owner', 'Owner', now()), ($2, 'other', 'Other', now())`,
      [owner, other],
    );
    await db.owner.query(
      `insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, 'a@example.com', 'A', now())`,
      [owner, person],
    );
    await db.owner.query(
      `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at, seal)
       values ($1, $2, 'person_token', $3, 'test', 'cs_p_000000', $4, '{read}', now(), now() + interval '1 hour', $5)`,
      [owner, credential, person, digest, FORGED_SEAL],
    );
  });
  afterAll(() => db.close());

  it('finds the credential across tenants, and nothing for another digest', async () => {
    const found = await db.systemQuery.read('credential_standing', digest);
    expect(found).toMatchObject([{ tenant_id: owner, id: credential, display_name: 'A', roles: [] }]);
    expect(await db.systemQuery.read('credential_standing', createHash('sha256').digest())).toEqual([]);
  });

  it('T20: leaves its connection without a tenant, and a transaction in its own', async () => {
    const client = await db.app.connect();
    try {
      const call = 'select id from credential_standing($1)';
      expect((await client.query(call, [digest])).rows).toEqual([{ id: credential }]);
      expect((await client.query('select id from tenant')).rows).toEqual([]);
    } finally {
      client.release();
    }
    const seen = await db.uow.run(other, async (tx) => {
      await sqlOf(tx).query('select id from credential_standing($1)', [digest]);
      return sqlOf(tx).query('select id from tenant');
    });
    expect(seen).toEqual([{ id: other }]);
  });

  it('T20: sign_in_standing reads in the tenant that is named, and leaves a transaction in its own', async () => {
    const standings = new SqlSignInStandings(db.systemQuery);
    expect(await standings.read(owner, person)).toMatchObject({
      signedInAt: null,
      atIssuer: false,
      reauthenticateAfterMinutes: 720,
      dormantAfterDays: 90,
    });
    expect(await standings.read(other, person)).toBeNull();
    const seen = await db.uow.run(other, async (tx) => {
      expect(await standings.readWithin(tx, person)).toBeNull();
      await sqlOf(tx).query('select from sign_in_standing($1, $2)', [owner, person]);
      return sqlOf(tx).query('select id from tenant');
    });
    expect(seen).toEqual([{ id: other }]);
  });

  it.each(['credential_standing', 'sign_in_standing'])('%s reads with the rights of the caller', async (name) => {
    const { rows } = await db.owner.query<{ prosecdef: boolean }>('select prosecdef from pg_proc where proname = $1', [
      name,
    ]);
    expect(rows).toEqual([{ prosecdef: false }]);
  });
});
