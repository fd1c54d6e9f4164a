import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { NO_FAILURES } from '../domain/lockout.js';
import type { LockoutRepository, PasskeyRegistrationRepository, RecoveryCodeRepository } from './mfa.ports.js';

interface Stores {
  readonly lockouts: LockoutRepository;
  readonly codes: RecoveryCodeRepository;
  readonly registrations: PasskeyRegistrationRepository;
}

const AT = 20_000;
const digest = (of: number): Uint8Array => Buffer.alloc(32, of);

/** The contracts of the stores of wrong codes, recovery codes, and challenges for new passkeys. */
export function describeCodeStores(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly stores: Stores }>,
): void {
  describe(`the stores of codes ${name}`, () => {
    let world: ContractWorld;
    let stores: Stores;
    beforeAll(async () => {
      ({ world, stores } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx, stores: Stores) => Promise<T>): Promise<T> =>
      world.uow.run(world.home.tenantId, (tx) => work(tx, stores));
    const elsewhere = <T>(work: (tx: Tx, stores: Stores) => Promise<T>): Promise<T> =>
      world.uow.run(world.other.tenantId, (tx) => work(tx, stores));

    describe('LockoutRepository', () => {
      it('counts from none, and keeps the count of a person', async () => {
        const { owner, admin } = world.home;
        expect(await atHome((tx, { lockouts }) => lockouts.lock(tx, owner.personId))).toEqual(NO_FAILURES);
        const locked = { failures: 5, lockedUntil: AT };
        await atHome((tx, { lockouts }) => lockouts.save(tx, owner.personId, locked));
        expect(await atHome((tx, { lockouts }) => lockouts.lock(tx, owner.personId))).toEqual(locked);
        expect(await atHome((tx, { lockouts }) => lockouts.lock(tx, admin.personId))).toEqual(NO_FAILURES);
      });

      it('lets one transaction at a time hold the row of a person, the first one too', async () => {
        const { personId } = world.home.admin;
        expect(await waitsBehind(world, (tx) => stores.lockouts.lock(tx, personId))).toBe(true);
      });
    });

    describe('RecoveryCodeRepository', () => {
      it('has those of a person that are unused, and one less after each use', async () => {
        const { owner, admin } = world.home;
        await atHome((tx, { codes }) => codes.replace(tx, owner.personId, [digest(1), digest(2)], AT));
        await atHome((tx, { codes }) => codes.replace(tx, admin.personId, [digest(3)], AT));
        const unused = await atHome((tx, { codes }) => codes.unused(tx, owner.personId));
        expect(unused.map((code) => Buffer.from(code.digest)[0]).sort()).toEqual([1, 2]);
        expect(await elsewhere((tx, { codes }) => codes.unused(tx, owner.personId))).toEqual([]);
        const [first, second] = unused;
        await atHome((tx, { codes }) => codes.markUsed(tx, first?.id ?? '', AT + 1));
        expect(await atHome((tx, { codes }) => codes.unused(tx, owner.personId))).toEqual([second]);
        expect(await atHome((tx, { codes }) => codes.unused(tx, admin.personId))).toHaveLength(1);
      });

      it('withdraws what is left when it is replaced, by none too', async () => {
        const { personId } = world.home.owner;
        await atHome((tx, { codes }) => codes.replace(tx, personId, [digest(4)], AT));
        const [before] = await atHome((tx, { codes }) => codes.unused(tx, personId));
        await atHome((tx, { codes }) => codes.replace(tx, personId, [digest(5)], AT + 1));
        const [after, ...more] = await atHome((tx, { codes }) => codes.unused(tx, personId));
        expect(Buffer.from(after?.digest ?? [])).toEqual(digest(5));
        expect(after?.id).not.toBe(before?.id);
        expect(more).toEqual([]);
        await atHome((tx, { codes }) => codes.replace(tx, personId, [], AT + 2));
        expect(await atHome((tx, { codes }) => codes.unused(tx, personId))).toEqual([]);
      });
    });

    describe('PasskeyRegistrationRepository', () => {
      const begun = async (challenge: string, expiresAt: number): Promise<void> => {
        const { personId } = world.home.owner;
        await atHome((tx, { registrations }) =>
          registrations.insert(tx, { personId, challenge, createdAt: AT, expiresAt }),
        );
      };

      it('gives the unexpired challenges of a person, once', async () => {
        const { owner, admin } = world.home;
        const [good, late] = [newId(), newId()];
        await begun(good, AT + 2);
        await begun(late, AT + 1);
        const spend = (personId: typeof owner.personId): Promise<readonly string[]> =>
          atHome((tx, { registrations }) => registrations.spend(tx, personId, AT + 1));
        expect(await spend(admin.personId)).toEqual([]);
        expect(await elsewhere((tx, { registrations }) => registrations.spend(tx, owner.personId, AT))).toEqual([]);
        expect(await spend(owner.personId)).toEqual([good]);
        expect(await spend(owner.personId)).toEqual([]);
      });
    });
  });
}
