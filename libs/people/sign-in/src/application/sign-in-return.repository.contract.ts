import { randomBytes } from 'node:crypto';
import { newId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSettings } from './fake-issuer.js';
import type { SignInReturn, SignInReturnRepository, SignInSettingsRepository } from './sign-in.ports.js';

const MINUTE_MS = 60_000;

/** The contract of a repository of sign-ins that came back. */
export function describeSignInReturnRepository(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly returns: SignInReturnRepository;
    readonly settings: SignInSettingsRepository;
  }>,
): void {
  describe(`${name} keeps the contract of SignInReturnRepository`, () => {
    let world: ContractWorld;
    let returns: SignInReturnRepository;
    let issuerId: string;
    beforeAll(async () => {
      const opened = await open();
      ({ world, returns } = opened);
      issuerId = await atHome(async (tx) => {
        await opened.settings.save(tx, sampleSettings(), world.home.admin.personId);
        return (await opened.settings.read(tx)).issuers[0]?.id ?? '';
      });
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const sample = (expiresAt: number): SignInReturn => ({
      id: newId(),
      issuerId,
      stateDigest: randomBytes(32),
      browserDigest: randomBytes(32),
      expiresAt,
    });
    const useUp = (back: SignInReturn): Promise<boolean> => atHome((tx) => returns.useUp(tx, back));
    const later = async (minutes: number): Promise<number> => (await atHome((tx) => tx.now())) + minutes * MINUTE_MS;

    it('lets each sign-in serve one return', async () => {
      const back = sample(await later(10));
      expect(await useUp(back)).toBe(true);
      expect(await useUp(back)).toBe(false);
      expect(await useUp(sample(back.expiresAt))).toBe(true);
    });

    it('lets one of two returns at once through', async () => {
      const back = sample(await later(10));
      const both = await Promise.all([useUp(back), useUp(back)]);
      expect(both.sort()).toEqual([false, true]);
    });

    it('takes neither the same sign-in under another state, nor the same state for another sign-in', async () => {
      const back = sample(await later(10));
      await useUp(back);
      expect(await useUp({ ...back, stateDigest: randomBytes(32) })).toBe(false);
      expect(await useUp({ ...back, id: newId() })).toBe(false);
    });

    it('gives a return back if the transaction fails', async () => {
      const back = sample(await later(10));
      const failed = atHome(async (tx) => {
        await returns.useUp(tx, back);
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
      expect(await useUp(back)).toBe(true);
    });

    it('remembers a return until an hour after its sign-in expired', async () => {
      const kept = sample(await later(-59));
      const forgotten = sample(await later(-61));
      expect([await useUp(kept), await useUp(forgotten)]).toEqual([true, true]);
      expect([await useUp(kept), await useUp(forgotten)]).toEqual([false, true]);
    });
  });
}
