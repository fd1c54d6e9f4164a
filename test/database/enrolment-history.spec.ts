import { createHash } from 'node:crypto';
import { sqlOf } from '#lib/database';
import { newId, type PersonId, type TenantId } from '#lib/kernel';
import { createDirectory, type EnrolmentMaker } from '#lib/identity';
import { FORGED_SEAL } from '../support/database-login.js';
import { testSeals } from '../support/seals.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeTenant, refusalOf } from './arrange.js';

const directoryOf = ({ systemQuery: system }: TestDatabase) => createDirectory({ system, seals: testSeals() });

/** A person who came in by a token that another made, or the bootstrap. */
async function enrolled(
  db: TestDatabase,
  tenant: TenantId,
  email: string,
  by: PersonId | null,
  channel = by === null ? 'bootstrap' : 'shown',
): Promise<PersonId> {
  const id = newId<PersonId>();
  await db.owner.query(
    `insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, $3, $3, clock_timestamp())`,
    [tenant, id, email],
  );
  const { enrolments } = directoryOf(db);
  await db.uow.run(tenant, async (tx) => {
    const digest = createHash('sha256').update(id).digest();
    // One of these, as the tests name them.
    const maker = { channel, createdBy: by } as EnrolmentMaker;
    await enrolments.insert(tx, {
      id: newId(),
      personId: id,
      digest,
      ...maker,
      expiresAt: (await tx.now()) + 3_600_000,
    });
  });
  await db.owner.query('update enrolment set used_at = clock_timestamp() where person_id = $1', [id]);
  return id;
}

describe('T65: the database login rewrites how people came in', () => {
  let db: TestDatabase;
  let tenant: TenantId;
  let ada: PersonId;
  let sam: PersonId;
  beforeAll(async () => {
    db = await testDatabase();
    tenant = await makeTenant(db.uow, 'acme');
    ada = await enrolled(db, tenant, 'ada@acme.example', null);
    sam = await enrolled(db, tenant, 'sam@acme.example', ada);
    await db.owner.query('update person set enrolled_at = clock_timestamp() where id = $1', [sam]);
    await db.owner.query(
      `insert into role_assignment (tenant_id, id, person_id, role, assigned_at, seal)
       values ($1, gen_random_uuid(), $2, 'PlatformAdmin', clock_timestamp() - interval '1 year', $3)`,
      [tenant, sam, FORGED_SEAL],
    );
  });
  afterAll(() => db.close());

  const asApp = (sql: string, ...values: unknown[]): Promise<number> =>
    db.uow.run(tenant, (tx) => sqlOf(tx).execute(sql, values));

  it.each([
    ['the maker of a token', 'update enrolment set created_by = person_id'],
    ['who saw its secret', `update enrolment set channel = 'mailed'`],
    ['the person that it let in', 'update enrolment set person_id = created_by'],
    ['that somebody came in', 'delete from enrolment'],
    ['who vouched', 'update person_vouch set vouched_by = vouched_by'],
    ['that somebody vouched', 'delete from person_vouch'],
    ['who put an issuer in force', `update issuer_standing set how = 'confirmed'`],
    ['that somebody put it in force alone', 'delete from issuer_standing'],
  ])('not %s (42501)', async (_what, statement) => {
    expect(await refusalOf(asApp(statement))).toBe('42501');
  });

  it('nor when a token was used, which is said once (CS001)', async () => {
    expect(await refusalOf(asApp('update enrolment set used_at = null where person_id = $1', sam))).toBe('CS001');
    expect(await refusalOf(asApp('update enrolment set used_at = clock_timestamp() where person_id = $1', sam))).toBe(
      'CS001',
    );
  });

  it.each([
    [
      'when a person was disabled',
      `update person set disabled_at = clock_timestamp() - interval '73 hours' where id = $1`,
    ],
    ['when a person enrolled', `update person set enrolled_at = clock_timestamp() - interval '73 hours' where id = $1`],
    ['that a person enrolled', 'update person set enrolled_at = null where id = $1'],
    [
      'when a person lost a role',
      'update role_assignment set revoked_at = assigned_at, revoked_by = person_id where person_id = $1',
    ],
  ])('nor %s (CS001)', async (_what, statement) => {
    expect(await refusalOf(asApp(statement, sam))).toBe('CS001');
  });

  it('and the owner of the schema deletes no way in either (CS001)', async () => {
    expect(await refusalOf(db.owner.query('delete from enrolment'))).toBe('CS001');
    expect(await refusalOf(db.owner.query('truncate enrolment'))).toBe('CS001');
  });

  it.each([
    ['a token of the operator that names a hand', 'operator', true],
    ['a mailed one that names none', 'mailed', false],
    ['one of another channel', 'whispered', true],
  ])('nor is there %s (23514)', async (_what, channel, byHand) => {
    const inserted = asApp(
      `insert into enrolment (tenant_id, id, person_id, token_digest, created_at, created_by, channel, expires_at, seal)
       values ($1, gen_random_uuid(), $2, sha256($3::text::bytea), clock_timestamp(), $4, $3, clock_timestamp() + interval '1 hour', $5)`,
      tenant,
      sam,
      channel,
      byHand ? ada : null,
      FORGED_SEAL,
    );
    expect(await refusalOf(inserted)).toBe('23514');
  });
});

describe('how people stand', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  it('is read from every way in, also of the people who let them in', async () => {
    const tenant = await makeTenant(db.uow, 'acme');
    const ada = await enrolled(db, tenant, 'ada@acme.example', null);
    const sam = await enrolled(db, tenant, 'sam@acme.example', ada);
    const lea = await enrolled(db, tenant, 'lea@acme.example', sam);
    const standing = await db.uow.run(tenant, (tx) => directoryOf(db).seats.standingOf(tx, [ada, sam, lea]));
    expect(standing.get(ada)).toMatchObject({ known: true, sharedWith: [], knownBy: [{ basis: 'founder' }] });
    expect(standing.get(sam)).toMatchObject({
      known: false,
      sharedWith: [ada],
      knownBy: [{ basis: 'token', by: ada }],
    });
    expect(standing.get(lea)).toMatchObject({ known: false, sharedWith: [ada, sam] });
  });

  it('an invitation that went to the mailbox of its sender shows nothing', async () => {
    const tenant = await makeTenant(db.uow, 'globex');
    const ada = await enrolled(db, tenant, 'ada@globex.example', null);
    const mailed = async (email: string): Promise<unknown> => {
      const id = await enrolled(db, tenant, email, ada, 'mailed');
      const standing = await db.uow.run(tenant, (tx) => directoryOf(db).seats.standingOf(tx, [id]));
      return standing.get(id)?.known;
    };
    expect(await mailed('Ada+sam@globex.example')).toBe(false);
    expect(await mailed('sam@globex.example')).toBe(true);
  });
});
