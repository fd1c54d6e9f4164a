import type { Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationSecrets } from './automation-webhook.ports.js';

const MINUTE_MS = 60_000;

export interface OpenSecrets {
  readonly world: ContractWorld;
  readonly secrets: AutomationSecrets;
  /** Another automation of the home tenant. */
  automation(): Promise<AutomationId>;
  /** Waits until the clock shows that moment. */
  until(moment: number): Promise<void>;
}

/** The contract of the secrets of automations. */
export function describeAutomationSecrets(name: string, open: () => Promise<OpenSecrets>): void {
  describe(`${name} keeps the contract of AutomationSecrets`, () => {
    let opened: OpenSecrets;
    let id: AutomationId;
    let now: number;
    beforeAll(async () => {
      opened = await open();
    });
    beforeEach(async () => {
      id = await opened.automation();
      now = await atHome((tx) => tx.now());
    });
    afterAll(() => opened.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world.home.tenantId, work);
    const renew = (secret: string, earlierUntil: number): Promise<void> =>
      atHome((tx) => opened.secrets.renew(tx, id, secret, earlierUntil));
    const valid = (of = id) => atHome((tx) => opened.secrets.valid(tx, of));

    it('are good until a later one ends them, the newest first', async () => {
      expect(await valid()).toEqual([]);
      await renew('first', 0);
      await renew('second', now + MINUTE_MS);
      expect(await valid()).toEqual(['second', 'first']);
      await renew('third', now);
      expect(await valid()).toEqual(['third']);
    });

    it('belong to one automation of one tenant', async () => {
      await renew('first', 0);
      expect(await valid(await opened.automation())).toEqual([]);
      expect(await opened.world.uow.run(opened.world.other.tenantId, (tx) => opened.secrets.valid(tx, id))).toEqual([]);
    });

    it('are good no longer if a further one comes', async () => {
      const soon = now + 20;
      await renew('first', 0);
      await renew('second', soon);
      await renew('third', now + MINUTE_MS);
      await opened.until(soon);
      expect(await valid()).toEqual(['third', 'second']);
    });
  });
}
