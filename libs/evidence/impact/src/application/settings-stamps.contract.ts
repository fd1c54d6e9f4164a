import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SettingsStamps } from './impact.ports.js';

export interface OpenStamps {
  readonly world: ContractWorld;
  readonly stamps: SettingsStamps;
  /** Moves settings of the home tenant, one after the other, by their names. */
  readonly moves: Readonly<Record<string, () => Promise<unknown>>>;
}

/** The contract of {@link SettingsStamps}. */
export function describeSettingsStamps(name: string, open: () => Promise<OpenStamps>): void {
  describe(`${name} keeps the contract of SettingsStamps`, () => {
    it('has one stamp for settings that stand still, and a new one after each move', async () => {
      const { world, stamps, moves } = await open();
      const present = () => world.uow.run(world.home.tenantId, (tx) => stamps.present(tx));
      const seen = new Map([[await present(), 'nothing']]);
      for (const [moved, move] of Object.entries(moves)) {
        await move();
        const stamp = await present();
        expect([moved, seen.get(stamp)]).toEqual([moved, undefined]);
        expect(await present()).toBe(stamp);
        seen.set(stamp, moved);
      }
      await world.close();
    });
  });
}
