import {
  actorOf,
  type Actor,
  type AuditSink,
  type Outbox,
  type PersonPrincipal,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { addressesOf, destinationNamed, type AddressCheck, type Destination } from '../domain/destination.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import type { DestinationCheckStore, IncidentSettingsStore, ReachesAddresses } from './incident.ports.js';

/** How many test messages are sent at the same time. */
const AT_ONCE = 8;

/**
 * Sends test messages to the addresses of destinations, and keeps the results. It does so when the settings change, when an
 * admin asks, when Slack is set up anew, and daily. If an address begins to fail, every PlatformAdmin and SecurityReviewer is
 * notified.
 */
export class CheckDestinations {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: IncidentSettingsStore,
    private readonly checks: DestinationCheckStore,
    private readonly reaches: Pick<ReachesAddresses, 'channelOf' | 'test'>,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
  ) {}

  /** Every destination of the settings, by name, with the last test of each address. */
  read(tenantId: TenantId): Promise<readonly Destination[]> {
    return this.uow.run(tenantId, async (tx) => {
      const { destinations } = await this.settings.read(tx);
      const checks = await this.checks.all(tx);
      return Object.keys(destinations)
        .sort()
        .map((name) => destinationNamed(name, destinations, checks, (address) => this.reaches.channelOf(address)));
    });
  }

  /** Tests every address of the settings now. */
  async testAll(by: PersonPrincipal): Promise<readonly Destination[]> {
    const { destinations } = await this.uow.run(by.tenantId, (tx) => this.settings.read(tx));
    await this.#test(by.tenantId, addressesOf(destinations), actorOf(by));
    return this.read(by.tenantId);
  }

  /** Tests the addresses of new settings that have no valid test, before the settings are written. */
  async testNew(by: PersonPrincipal, wanted: Pick<IncidentSettings, 'destinations'>): Promise<void> {
    const known = await this.uow.run(by.tenantId, (tx) => this.checks.all(tx));
    const untested = addressesOf(wanted.destinations).filter((address) => known.get(address)?.outdated !== false);
    await this.#test(by.tenantId, untested, actorOf(by));
  }

  /**
   * Tests one address again, and deletes the tests of addresses that no destination has any more.
   *
   * @param id of the last test.
   */
  async testDue(tenantId: TenantId, id: string): Promise<void> {
    const address = await this.uow.run(tenantId, async (tx) => {
      const addresses = addressesOf((await this.settings.lock(tx)).destinations);
      await this.checks.keepOnly(tx, addresses);
      const found = await this.checks.addressOf(tx, id);
      return found !== null && addresses.includes(found) ? found : null;
    });
    const actor = actorOf({ kind: 'system', tenantId, name: 'incident-destination-check' });
    if (address !== null) await this.#test(tenantId, [address], actor);
  }

  async #test(tenantId: TenantId, addresses: readonly string[], actor: Actor): Promise<void> {
    for (let first = 0; first < addresses.length; first += AT_ONCE) {
      const together = addresses.slice(first, first + AT_ONCE);
      // The lock waits for a change of the Slack set-up, so that the test runs on the new set-up.
      const begunAt = await this.uow.run(tenantId, async (tx) => {
        await this.settings.lock(tx);
        return tx.now();
      });
      const errors = await Promise.all(together.map((address) => this.reaches.test(tenantId, address)));
      await this.uow.run(tenantId, async (tx) => {
        const before = await this.checks.all(tx);
        for (const [index, address] of together.entries()) {
          const error = errors[index] ?? null;
          await this.#keep(
            tx,
            before.get(address),
            { address, checkedAt: begunAt, answeredAt: error === null ? begunAt : null, error },
            actor,
          );
        }
      });
    }
  }

  async #keep(
    tx: Tx,
    before: AddressCheck | undefined,
    check: Omit<AddressCheck, 'outdated'>,
    actor: Actor,
  ): Promise<void> {
    if (!(await this.checks.save(tx, check))) return;
    if (before !== undefined && !before.outdated && (before.error === null) === (check.error === null)) return;
    const failed = check.error !== null;
    await this.audit.record(tx, {
      action: failed ? 'incident_destination.failed' : 'incident_destination.answered',
      actor,
      level: 'full',
      subject: { type: 'tenant', id: tx.tenantId },
      payload: { address: check.address, ...(failed ? { error: check.error } : {}) },
    });
    if (failed && before !== undefined) {
      await this.outbox.write(tx, { topic: 'incident_destination.failed', payload: { address: check.address } });
    }
  }
}
