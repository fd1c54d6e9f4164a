import { newId, type TenantId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleDigest } from './fake-credential-samples.js';
import type { BootstrapTokenRepository } from './identity.ports.js';

const HOUR_MS = 3_600_000;

interface Setting {
  readonly world: Pick<ContractWorld, 'uow' | 'close'>;
  readonly tokens: BootstrapTokenRepository;
  /** Resolves once the clock shows another millisecond. */
  readonly later: () => Promise<void>;
}

/** The contract of a repository of bootstrap tokens. */
export function describeBootstrapTokenRepository(name: string, open: () => Promise<Setting>): void {
  describe(`${name} keeps the contract of BootstrapTokenRepository`, () => {
    let setting: Setting;
    beforeAll(async () => {
      setting = await open();
    });
    afterAll(() => setting.world.close());

    /** In a tenant without members, of its own. */
    const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => setting.world.uow.run(newId<TenantId>(), work);
    const issued = async (lifetimeMs = HOUR_MS): Promise<Uint8Array> => {
      const digest = sampleDigest();
      await inTenant((tx) => setting.tokens.insert(tx, { digest, lifetimeMs }));
      return digest;
    };
    const use = (...digests: readonly Uint8Array[]): Promise<boolean> =>
      inTenant((tx) => setting.tokens.use(tx, digests));

    it('keeps a token for its lifetime', async () => {
      const [now, expiresAt] = await inTenant(async (tx) => [
        await tx.now(),
        await setting.tokens.insert(tx, { digest: sampleDigest(), lifetimeMs: HOUR_MS }),
      ]);
      expect(expiresAt).toBeGreaterThanOrEqual(now + HOUR_MS);
      expect(expiresAt).toBeLessThan(now + 2 * HOUR_MS);
    });

    it('lets any tenant use a token, once, by one of its digests', async () => {
      const digest = await issued();
      expect(await use(sampleDigest(), digest)).toBe(true);
      expect(await use(digest)).toBe(false);
    });

    it('lets one of two transactions use a token', async () => {
      const digest = await issued();
      expect((await Promise.all([use(digest), use(digest)])).sort()).toEqual([false, true]);
    });

    it('gives a token back if the transaction fails', async () => {
      const digest = await issued();
      const failed = inTenant(async (tx) => {
        await setting.tokens.use(tx, [digest]);
        throw new Error('the founding fails');
      });
      await expect(failed).rejects.toThrow('the founding fails');
      expect(await use(digest)).toBe(true);
    });

    it('refuses an unknown token, and an expired one', async () => {
      expect(await use(sampleDigest())).toBe(false);
      const expired = await issued(1);
      await setting.later();
      await setting.later();
      expect(await use(expired)).toBe(false);
    });

    it('refuses a second token with the same digest (23505)', async () => {
      const digest = await issued();
      const again = inTenant((tx) => setting.tokens.insert(tx, { digest, lifetimeMs: HOUR_MS }));
      await expect(again).rejects.toMatchObject({ code: '23505' });
    });
  });
}
