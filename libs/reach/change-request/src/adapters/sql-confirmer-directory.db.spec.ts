import { sqlOf } from '#lib/database';
import { createDirectory, sealedEnrolment } from '#lib/identity';
import { newId, type PersonId, type SealedRow, type Tx } from '#lib/kernel';
import { createSignInStore } from '#lib/sign-in';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import { sampleDigest } from '../../../../people/identity/src/application/fake-credential-samples.js';
import { sampleSettings } from '../../../../people/sign-in/src/application/fake-issuer.js';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeConfirmerDirectory } from '../application/confirmer-directory.contract.js';
import { samplePossible, type KeptPerson } from '../application/fake-confirmer-directory.js';
import { SqlConfirmerDirectory } from './sql-confirmer-directory.js';

const HOUR = 3_600_000;

/** A directory of people, in rows as identity and sign-in write them. */
async function open() {
  const world = await postgresWorld();
  const broken: SealedRow[] = [];
  const seals = testSeals((row) => broken.push(row));
  const system = world.db.systemQuery;
  const { people } = createDirectory({ system, seals });
  const { settings, identities } = createSignInStore({ system, seals });
  const { personId: by } = world.home.admin;
  await world.uow.run(world.home.tenantId, (tx) => settings.save(tx, sampleSettings(), by));

  const enrolled = async (
    tx: Tx,
    personId: PersonId,
    { by: createdBy, at }: KeptPerson['enrolments'][number],
    forged?: string,
  ) => {
    const [id, channel] = [newId(), createdBy === null ? 'operator' : 'shown'] as const;
    const seal = forged ?? (await seals.seal(sealedEnrolment(tx.tenantId, { id, personId, channel, createdBy })));
    await sqlOf(tx).execute(
      `insert into enrolment (tenant_id, id, person_id, token_digest, channel, created_at, created_by, expires_at, used_at, seal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $6, $9)`,
      [tx.tenantId, id, personId, sampleDigest(), channel, new Date(at), createdBy, new Date(at + HOUR), seal],
    );
  };
  const keep = async (tx: Tx, person: KeptPerson): Promise<void> => {
    const { personId: id, displayName, disabledAt, assignments, enrolments } = person;
    await people.insert(tx, { id, displayName, email: `${id}@example.com` });
    for (const { role, assignedAt, revokedAt } of assignments) {
      await people.assignRole(tx, { id: newId(), personId: id, role, assignedBy: by, at: assignedAt });
      if (revokedAt !== null) await people.revokeRole(tx, { personId: id, role, revokedBy: by, at: revokedAt });
    }
    for (const enrolment of enrolments) await enrolled(tx, id, enrolment);
    await people.save(tx, { id, displayName, disabledAt, enrolledAt: enrolments.at(-1)?.at ?? null });
    if (!person.atIssuer) return;
    const [issuer] = (await settings.read(tx)).issuers;
    await identities.insert(tx, { id: newId(), issuerId: issuer?.id ?? '', subject: id, personId: id });
  };
  return { world, people, directory: new SqlConfirmerDirectory(people, seals), keep, enrolled, broken };
}

describeConfirmerDirectory('SqlConfirmerDirectory', open);

describe('T42: a row that a database login wrote', () => {
  const ROLE = 'WrittenRole';

  async function holder(members: Partial<KeptPerson> = {}) {
    const opened = await open();
    const { tenantId } = opened.world.home;
    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => opened.world.uow.run(tenantId, work);
    const personId = newId<PersonId>();
    const now = (await atHome((tx) => tx.now())) + HOUR;
    await atHome((tx) => opened.keep(tx, samplePossible(personId, ROLE, now, members)));
    return { ...opened, atHome, personId, now };
  }

  it('gives nobody the confirming role, and is reported', async () => {
    const { directory, atHome, personId, now, broken } = await holder({ assignments: [] });
    const forged = newId();
    await atHome((tx) =>
      sqlOf(tx).execute(
        `insert into role_assignment (tenant_id, id, person_id, role, assigned_at, seal) values ($1, $2, $3, $4, $5, $6)`,
        [tx.tenantId, forged, personId, ROLE, new Date(now), FORGED_SEAL],
      ),
    );
    expect(await atHome((tx) => directory.lockPossible(tx, ROLE, 0))).toEqual([]);
    expect(broken).toMatchObject([{ table: 'role_assignment', id: forged }]);
    expect(await atHome((tx) => directory.holders(tx, ROLE))).toEqual([]);
    expect(await atHome((tx) => directory.lockConfirmer(tx, personId))).toMatchObject({ roles: [] });
  });

  it('does not hide the enrolment that another person issued, and is reported', async () => {
    const { world, directory, atHome, personId, now, enrolled, broken } = await holder();
    const { personId: by } = world.home.admin;
    await atHome((tx) => enrolled(tx, personId, { by, at: now + 1 }));
    await atHome((tx) => enrolled(tx, personId, { by: null, at: now + 2 }, FORGED_SEAL));
    expect(await atHome((tx) => directory.lockConfirmer(tx, personId))).toMatchObject({
      reenrolled: { by, at: now + 1 },
    });
    expect(broken).toMatchObject([{ table: 'enrolment' }]);
  });

  it('makes no first enrolment a second one', async () => {
    const { directory, atHome, personId, now, enrolled } = await holder({ enrolments: [] });
    await atHome((tx) => enrolled(tx, personId, { by: null, at: now }, FORGED_SEAL));
    await atHome((tx) => enrolled(tx, personId, { by: null, at: now + 1 }));
    expect(await atHome((tx) => directory.lockConfirmer(tx, personId))).toMatchObject({ reenrolled: null });
  });
});

describe('while a transaction counts the second persons of a change', () => {
  const ROLE = 'PlatformAdmin';

  async function admin() {
    const { world, people, directory, keep } = await open();
    const { tenantId, admin: other } = world.home;
    const personId = newId<PersonId>();
    const now = (await world.uow.run(tenantId, (tx) => tx.now())) + HOUR;
    await world.uow.run(tenantId, (tx) => keep(tx, samplePossible(personId, ROLE, now)));
    return {
      world,
      count: (tx: Tx) => directory.lockPossible(tx, ROLE, now),
      confirm: (tx: Tx) => directory.lockConfirmer(tx, personId),
      revoke: (tx: Tx) => people.revokeRole(tx, { personId, role: ROLE, revokedBy: other.personId, at: now + 1 }),
      disable: (tx: Tx) => people.save(tx, { id: personId, displayName: 'Gone', disabledAt: now + 1, enrolledAt: now }),
      left: { personId, leftAt: now + 1 },
    };
  }

  it.each(['revoke', 'disable'] as const)('no other transaction can %s one of them', async (leave) => {
    const { world, count, ...acts } = await admin();
    expect(await waitsBehind(world, count, acts[leave])).toBe(true);
  });

  it.each(['revoke', 'disable'] as const)(
    'it waits for a transaction that does %s one, and sees that',
    async (leave) => {
      const { world, count, left, ...acts } = await admin();
      let counted: unknown;
      const countsThen = async (tx: Tx): Promise<void> => {
        counted = await count(tx);
      };
      expect(await waitsBehind(world, acts[leave], countsThen)).toBe(true);
      expect(counted).toEqual([left]);
    },
  );

  it('two can count at once', async () => {
    const { world, count } = await admin();
    expect(await waitsBehind(world, count)).toBe(false);
  });

  it('a confirmer who is disabled meanwhile does not count', async () => {
    const { world, confirm, disable } = await admin();
    let found: unknown;
    const confirmsThen = async (tx: Tx): Promise<void> => {
      found = await confirm(tx);
    };
    expect(await waitsBehind(world, disable, confirmsThen)).toBe(true);
    expect(found).toBeNull();
  });
});
