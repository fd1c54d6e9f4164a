import type { Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import type { IncidentSettingsStore } from './incident.ports.js';

const DEFAULTS: IncidentSettings = { destinations: {}, reviewDays: 5, pagerDuty: null };

/** The contract of a store of settings about incidents. */
export function describeIncidentSettings(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly settings: IncidentSettingsStore }>,
): void {
  describe(`${name} keeps the contract of IncidentSettingsStore`, () => {
    let world: ContractWorld;
    let settings: IncidentSettingsStore;
    beforeAll(async () => {
      ({ world, settings } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);

    it("reads the platform's defaults until settings are saved, then those, whole", async () => {
      expect(await atHome((tx) => settings.read(tx))).toEqual(DEFAULTS);
      expect(await atHome((tx) => settings.lock(tx))).toEqual(DEFAULTS);
      const first: IncidentSettings = {
        destinations: { 'security-team': ['C012AB3CD', 'security@example.com'], managers: [] },
        reviewDays: 3,
        pagerDuty: { secret: 'pagerduty@1', url: 'https://events.pagerduty.com/v2/enqueue' },
      };
      for (const saved of [first, { destinations: {}, reviewDays: 7, pagerDuty: null }]) {
        await atHome((tx) => settings.save(tx, saved, world.home.admin.personId));
        expect(await atHome((tx) => settings.read(tx))).toEqual(saved);
        expect(await atHome((tx) => settings.lock(tx))).toEqual(saved);
      }
      expect(await elsewhere((tx) => settings.read(tx))).toEqual(DEFAULTS);
    });

    it("lets one transaction at a time hold a tenant's settings, even if it has none", async () => {
      expect(await waitsBehind(world, (tx) => settings.lock(tx))).toBe(true);
    });
  });
}
