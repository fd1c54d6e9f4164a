import { newId, type FactorId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Factor } from '../domain/factor.js';
import { samplePasskey, sampleTotp } from './fake-mfa-samples.js';
import type { FactorRepository } from './mfa.ports.js';

/** The contract of a repository of factors. */
export function describeFactorRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly factors: FactorRepository }>,
): void {
  describe(`${name} keeps the contract of FactorRepository`, () => {
    let world: ContractWorld;
    let factors: FactorRepository;
    beforeAll(async () => {
      ({ world, factors } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async <Kind extends Factor>(factor: Kind): Promise<Kind> => {
      await atHome((tx) => factors.insert(tx, factor));
      return factor;
    };
    const removed = (...ids: readonly FactorId[]): Promise<void> =>
      atHome(async (tx) => {
        for (const id of ids) await factors.remove(tx, id, 9_000);
      });
    const theirs = (): Promise<readonly Factor[]> => atHome((tx) => factors.list(tx, world.home.owner.personId));
    afterEach(async () => {
      await removed(...(await theirs()).map(({ id }) => id));
    });

    it('lists the factors of a person, whole, the oldest first, to nobody else', async () => {
      const { owner, admin } = world.home;
      const passkey = await kept(samplePasskey(owner, { transports: ['usb', 'nfc'], backedUp: true }));
      const totp = await kept(sampleTotp(owner));
      expect(await theirs()).toEqual([totp, passkey]);
      expect(await atHome((tx) => factors.list(tx, admin.personId))).toEqual([]);
      expect(await elsewhere((tx) => factors.list(tx, owner.personId))).toEqual([]);
    });

    it('lists none that was removed, and keeps the key of a removed passkey', async () => {
      const { id, personId, name, passkeyId, publicKey, site, createdAt } = await kept(samplePasskey(world.home.owner));
      const enrolled = { id, personId, name, passkeyId, publicKey, site, createdAt };
      expect(await atHome((tx) => factors.passkeys(tx, null))).toEqual([enrolled]);
      await removed(id);
      expect(await theirs()).toEqual([]);
      expect(await atHome((tx) => factors.passkeys(tx, null))).toEqual([]);
      expect(await atHome((tx) => factors.enrolled(tx, id))).toEqual(enrolled);
      expect(await elsewhere((tx) => factors.enrolled(tx, id))).toBeNull();
    });

    it('tells the passkeys of one person from those of everybody, and no authenticator apps', async () => {
      const { owner, admin } = world.home;
      const [mine, yours] = [await kept(samplePasskey(owner)), await kept(samplePasskey(admin, { createdAt: 3_000 }))];
      const totp = await kept(sampleTotp(owner));
      const ids = (personId: typeof owner.personId | null): Promise<readonly FactorId[]> =>
        atHome(async (tx) => (await factors.passkeys(tx, personId)).map(({ id }) => id));
      expect(await ids(null)).toEqual([mine.id, yours.id]);
      expect(await ids(owner.personId)).toEqual([mine.id]);
      expect(await atHome((tx) => factors.enrolled(tx, totp.id))).toBeNull();
      await removed(yours.id);
    });

    it('knows a passkey of anybody, also after its removal, and refuses it a second time (23505)', async () => {
      const { owner, admin } = world.home;
      const { id, passkeyId } = await kept(samplePasskey(owner));
      await removed(id);
      expect(await atHome((tx) => factors.passkeyKnown(tx, passkeyId))).toBe(true);
      expect(await atHome((tx) => factors.passkeyKnown(tx, newId()))).toBe(false);
      expect(await elsewhere((tx) => factors.passkeyKnown(tx, passkeyId))).toBe(false);
      await expect(kept(samplePasskey(admin, { passkeyId }))).rejects.toMatchObject({ code: '23505' });
    });

    it('confirms a pending factor, once there is no other of its kind (23505)', async () => {
      const { owner } = world.home;
      const former = await kept(sampleTotp(owner));
      const offered = await kept(sampleTotp(owner, { state: 'pending', confirmedAt: null, createdAt: 4_000 }));
      const confirmed = { ...offered, state: 'active', confirmedAt: 5_000 } as const;
      await expect(atHome((tx) => factors.confirm(tx, confirmed))).rejects.toMatchObject({ code: '23505' });
      await removed(former.id);
      await atHome((tx) => factors.confirm(tx, confirmed));
      expect(await theirs()).toEqual([confirmed]);
    });

    it('confirms no factor that was removed', async () => {
      const offered = await kept(sampleTotp(world.home.owner, { state: 'pending', confirmedAt: null }));
      await removed(offered.id);
      await atHome((tx) => factors.confirm(tx, { ...offered, confirmedAt: 5_000 }));
      expect(await theirs()).toEqual([]);
    });

    it('keeps the traces of a use, and takes no time step twice', async () => {
      const { owner } = world.home;
      const [totp, passkey] = [await kept(sampleTotp(owner)), await kept(samplePasskey(owner))];
      const stepped = { ...totp, lastStep: 59, lastUsedAt: 6_000 };
      const counted = { ...passkey, counter: 8, backedUp: true, lastUsedAt: 6_500 };
      await atHome(async (tx) => {
        await factors.saveUse(tx, stepped);
        await factors.saveUse(tx, counted);
      });
      expect(await theirs()).toEqual([stepped, counted]);
      await expect(atHome((tx) => factors.saveUse(tx, stepped))).rejects.toThrow(/used by somebody else/);
      await expect(atHome((tx) => factors.saveUse(tx, sampleTotp(owner)))).rejects.toThrow(/used by somebody else/);
      expect(await theirs()).toEqual([stepped, counted]);
    });
  });
}
