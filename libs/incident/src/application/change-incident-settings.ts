import {
  actorOf,
  type AuditSink,
  err,
  type Failure,
  ok,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import type { IncidentSettings, IncidentSettingsStore, MayConnect } from './incident.ports.js';

/**
 * What a tenant sets about incidents: where destinations are reached, by when an incident is reviewed, and the PagerDuty
 * integration that incidents are sent on to.
 *
 * Failures: `secret.unknown`, `incident.address_not_allowed`.
 */
export class ChangeIncidentSettings {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: IncidentSettingsStore,
    private readonly vault: Pick<SecretVault, 'resolve'>,
    private readonly mayConnect: MayConnect,
    private readonly audit: AuditSink,
  ) {}

  read(tenantId: TenantId): Promise<IncidentSettings> {
    return this.uow.run(tenantId, (tx) => this.settings.read(tx));
  }

  async execute(principal: PersonPrincipal, wanted: IncidentSettings): Promise<Result<IncidentSettings>> {
    const { tenantId, personId } = principal;
    const { pagerDuty } = wanted;
    const address = pagerDuty === null ? null : await this.#checkAddress(tenantId, pagerDuty.url);
    if (address !== null) return err(address);
    return this.uow.run(tenantId, async (tx) => {
      const key = pagerDuty === null ? null : await this.vault.resolve(tx, pagerDuty.secret);
      if (key?.ok === false) return key;
      await this.settings.save(tx, wanted, personId);
      await this.audit.record(tx, {
        action: 'incident_settings.changed',
        actor: actorOf(principal),
        level: 'full',
        subject: { type: 'tenant', id: tenantId },
        payload: {
          destinations: Object.fromEntries(
            Object.entries(wanted.destinations).map(([name, reached]) => [name, [...reached]]),
          ),
          review_days: wanted.reviewDays,
          pagerduty: pagerDuty === null ? null : { url: pagerDuty.url, routed_by: pagerDuty.secret },
        },
      });
      return ok(wanted);
    });
  }

  /** A routing key travels encrypted, but to a host that the operator allows. */
  async #checkAddress(tenantId: TenantId, text: string): Promise<Failure | null> {
    const url = new URL(text);
    const verdict = await this.mayConnect(tenantId, url);
    if (verdict === 'allowed' || (verdict === 'public' && url.protocol === 'https:')) return null;
    return {
      kind: 'unprocessable',
      code: 'incident.address_not_allowed',
      message: 'The address is not a public https address, and the operator has not allowed it.',
      action: 'Use https://events.pagerduty.com/v2/enqueue, or that of your PagerDuty region.',
      errors: [{ pointer: '/pagerduty/url', code: 'incident.address_not_allowed', message: 'is not allowed' }],
    };
  }
}
