import type { AuditEvent, OutboxMessage, PersonPrincipal, Tx } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AddressCheck } from '../domain/destination.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import { fakeIncidents } from './fake-incidents.js';

/** The name of the channel with an address: mail, Slack, or none. */
export const channelOf = (address: string): string | null =>
  address.includes('@') ? 'email' : address.startsWith('C') ? 'slack' : null;

/** The destinations of a tenant in memory, and the channels that reach them. */
export class FakeDestinationWorld {
  readonly tenant = sampleTenant();
  readonly admin: PersonPrincipal = this.tenant.admin;
  readonly uow = new FakeUnitOfWork();
  /** The errors of addresses that take no message. */
  readonly errors = new Map<string, string>();
  /** Every address that a test message went to, in order. */
  readonly tested: string[] = [];
  /** Runs while a test message is on its way, outside of transactions. */
  whileTesting: (address: string) => Promise<void> = () => Promise.resolve();
  readonly #fakes = fakeIncidents(this.uow, this.tenant, {
    reaches: {
      channelOf,
      addressForms: () => [],
      test: async (_tenantId, address) => {
        this.tested.push(address);
        await this.whileTesting(address);
        return this.errors.get(address) ?? null;
      },
    },
  });
  readonly settings = this.#fakes.settings;
  readonly checks = this.#fakes.checks;
  readonly audit = this.#fakes.audit;
  readonly outbox = this.#fakes.outbox;
  readonly testing = this.#fakes.parts.checkDestinations;

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** Puts settings in force: these destinations, and the platform's defaults beside them. */
  async put(destinations: IncidentSettings['destinations'], more: Partial<IncidentSettings> = {}): Promise<void> {
    const settings = { destinations, reviewDays: 5, pagerDuty: null, ...more };
    await this.inTx((tx) => this.settings.save(tx, settings, this.admin.personId));
  }

  inForce(): Promise<IncidentSettings> {
    return this.inTx((tx) => this.settings.read(tx));
  }

  async check(address: string): Promise<AddressCheck | undefined> {
    return (await this.inTx((tx) => this.checks.all(tx))).get(address);
  }

  get audited(): readonly AuditEvent[] {
    return this.audit.of(this.tenant);
  }

  get notices(): readonly OutboxMessage[] {
    return this.outbox.of(this.tenant);
  }
}
