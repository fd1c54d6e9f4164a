import { sqlOf } from '#lib/database';
import { newId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { createMfaStore } from '#lib/mfa';
import { createSignInStore } from '#lib/sign-in';
import { FORGED_SEAL } from '../support/database-login.js';
import { postgresWorld } from '../support/postgres-world.js';
import { testSeals } from '../support/seals.js';
import { sampleSettings } from '../../libs/people/sign-in/src/application/fake-issuer.js';
import { samplePasskey } from '../../libs/people/sign-in/src/application/fake-passkey.js';
import { sampleDigest } from '../../libs/people/identity/src/application/fake-credential-samples.js';
import type { Caller } from '../../libs/people/identity/src/application/identity.ports.js';
import { describeBootstrapTokenRepository } from '../../libs/people/identity/src/application/bootstrap-token.repository.contract.js';
import { describeCredentialFile } from '../../libs/people/identity/src/application/credential-file.contract.js';
import { describeCredentialRepository } from '../../libs/people/identity/src/application/credential.repository.contract.js';
import { describeEnrolmentRepository } from '../../libs/people/identity/src/application/enrolment.repository.contract.js';
import { describePeople, type SignInFacts } from '../../libs/people/identity/src/application/people.contract.js';
import { describeSeats } from '../../libs/people/identity/src/application/seats.contract.js';
import { SqlAgentRepository } from '../../libs/people/identity/src/adapters/sql-agent.repository.js';
import { SqlBootstrapTokenRepository } from '../../libs/people/identity/src/adapters/sql-bootstrap-token.repository.js';
import { SqlCredentialFile } from '../../libs/people/identity/src/adapters/sql-credential-file.js';
import { SqlSeats } from '../../libs/people/identity/src/adapters/sql-seats.js';
import { SqlCredentialRepository } from '../../libs/people/identity/src/adapters/sql-credential.repository.js';
import { SqlEnrolmentRepository } from '../../libs/people/identity/src/adapters/sql-enrolment.repository.js';
import { SqlPersonRepository } from '../../libs/people/identity/src/adapters/sql-person.repository.js';

/** Writes as the libraries of sign-in do. */
function signInFacts({ uow, home, other, db }: Awaited<ReturnType<typeof postgresWorld>>): SignInFacts {
  const { settings, identities } = createSignInStore({ system: db.systemQuery, seals: testSeals() });
  const issuersOnly = (tenantId: TenantId, signInRequired: boolean): Promise<void> => {
    const { personId } = tenantId === home.tenantId ? home.admin : other.admin;
    return uow.run(tenantId, (tx) => settings.save(tx, sampleSettings({ signInRequired }), personId));
  };
  return {
    issuersOnly,
    knownAtIssuer: async (personId) => {
      await issuersOnly(home.tenantId, false);
      await uow.run(home.tenantId, async (tx) => {
        const [issuer] = (await settings.read(tx)).issuers;
        await identities.insert(tx, { id: newId(), issuerId: issuer?.id ?? '', subject: personId, personId });
      });
    },
  };
}

async function people() {
  const [world, seals] = [await postgresWorld(), testSeals()];
  return {
    world,
    people: new SqlPersonRepository(seals),
    agents: new SqlAgentRepository(),
    credentials: new SqlCredentialRepository(seals),
    facts: signInFacts(world),
    file: new SqlCredentialFile(world.db.systemQuery, seals),
  };
}

describePeople('in PostgreSQL', people);

describeCredentialFile('SqlCredentialFile', people);

describeCredentialRepository('SqlCredentialRepository', async () => ({
  world: await postgresWorld(),
  credentials: new SqlCredentialRepository(testSeals()),
}));

describeEnrolmentRepository('SqlEnrolmentRepository', async () => {
  const world = await postgresWorld();
  const seals = testSeals();
  return {
    world,
    people: new SqlPersonRepository(seals),
    enrolments: new SqlEnrolmentRepository(world.db.systemQuery, seals),
    registers: (personId) =>
      world.uow.run(world.home.tenantId, (tx) => createMfaStore(seals).factors.insert(tx, samplePasskey({ personId }))),
  };
});

it('T42: the last enrolment of a person is one with a seal', async () => {
  const { uow, home, db } = await postgresWorld();
  const enrolments = new SqlEnrolmentRepository(db.systemQuery, testSeals());
  const personId = home.admin.personId;
  await uow.run(home.tenantId, (tx) =>
    sqlOf(tx).execute(
      `insert into enrolment (tenant_id, id, person_id, token_digest, channel, created_at, expires_at, used_at, seal)
       values ($1, $2, $3, $4, 'operator', clock_timestamp(), clock_timestamp() + interval '1 hour', clock_timestamp(), $5)`,
      [home.tenantId, newId(), personId, sampleDigest(), FORGED_SEAL],
    ),
  );
  expect(await uow.run(home.tenantId, (tx) => enrolments.lastUsed(tx, personId))).toBeNull();
});

/** Reads the clock of the database until it has moved on. */
const laterIn = (uow: UnitOfWork) => async (): Promise<void> => {
  const read = (): Promise<number> => uow.run(newId<TenantId>(), (tx) => tx.now());
  const before = await read();
  while ((await read()) <= before);
};

describeSeats('SqlSeats', async () => {
  const world = await postgresWorld();
  const seals = testSeals();
  return {
    world,
    people: new SqlPersonRepository(seals),
    enrolments: new SqlEnrolmentRepository(world.db.systemQuery, seals),
    seats: new SqlSeats(seals),
    later: laterIn(world.uow),
  };
});

describeBootstrapTokenRepository('SqlBootstrapTokenRepository', async () => {
  const world = await postgresWorld();
  return { world, tokens: new SqlBootstrapTokenRepository(), later: laterIn(world.uow) };
});

const stores = {
  people: new SqlPersonRepository(testSeals()),
  credentials: new SqlCredentialRepository(testSeals()),
};

describe.each([
  [
    'as people stand',
    async (tx: Tx, caller: Caller): Promise<boolean> =>
      (await stores.people.findMany(tx, [caller.personId], caller)).length > 0,
  ],
  [
    'by itself',
    (tx: Tx, { personId, credentialId }: Caller) => stores.credentials.stillGood(tx, personId, credentialId),
  ],
])('T17: a revocation and an act by the same credential, read %s', (_how, mayAct) => {
  async function opened() {
    const world = await postgresWorld();
    const { tenantId, admin: caller } = world.home;
    const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(tenantId, work);
    const attempts = { act: 0 };
    return {
      ...{ world, caller, within, attempts },
      act: () =>
        within((tx) => {
          attempts.act += 1;
          return mayAct(tx, caller);
        }),
      revoke: async (tx: Tx) => stores.credentials.revoke(tx, caller.credentialId, await tx.now()),
    };
  }

  it('the revocation waits until the act is done', async () => {
    const { world, caller, within, revoke, act } = await opened();
    const order: string[] = [];
    let revoked: Promise<unknown> = Promise.resolve();
    await within(async (tx) => {
      expect(await mayAct(tx, caller)).toBe(true);
      revoked = within(revoke).then(() => order.push('revoked'));
      await world.blocked();
      order.push('acted');
    });
    await revoked;
    expect(order).toEqual(['acted', 'revoked']);
    expect(await act()).toBe(false);
  });

  it('the act waits for a revocation under way, and is refused', async () => {
    const { world, within, revoke, act } = await opened();
    let acted: Promise<boolean> = Promise.resolve(true);
    await within(async (tx) => {
      await revoke(tx);
      acted = act();
      await world.blocked();
    });
    expect(await acted).toBe(false);
  });

  it('one of all credentials of the person locks in the same order', async () => {
    const { world, caller, within, act, attempts } = await opened();
    let [acted, revocations]: [Promise<boolean>, number] = [Promise.resolve(true), 0];
    await within(async (tx) => {
      revocations += 1;
      await stores.people.lock(tx, caller.personId);
      acted = act();
      await world.blocked();
      expect(await stores.credentials.revokeAllOf(tx, caller.personId, await tx.now())).toBeGreaterThan(0);
    });
    expect(await acted).toBe(false);
    // A deadlock would be tried again.
    expect([revocations, attempts.act]).toEqual([1, 1]);
  });
});
