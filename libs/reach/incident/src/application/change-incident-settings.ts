import { z } from 'zod';
import {
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  done,
  err,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  ok,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { AutonomyReader } from '#lib/autonomy';
import type { MayConnect } from '#lib/connection';
import type { SecretVault } from '#lib/tenancy';
import { destinationNamed, type ChannelOf, type Destination } from '../domain/destination.js';
import { loosenedIncidentSettings, type IncidentSettings } from '../domain/incident-settings.js';
import type { CheckDestinations } from './check-destinations.js';
import type { DestinationCheckStore, IncidentSettingsStore, ReachesAddresses } from './incident.ports.js';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

interface ChangeIncidentSettingsDeps {
  readonly uow: UnitOfWork;
  readonly settings: IncidentSettingsStore;
  readonly vault: Pick<SecretVault, 'resolve'>;
  readonly mayConnect: MayConnect;
  readonly autonomy: AutonomyReader;
  readonly checks: Pick<DestinationCheckStore, 'all'>;
  readonly testing: Pick<CheckDestinations, 'testNew'>;
  readonly reaches: Pick<ReachesAddresses, 'channelOf' | 'addressForms'>;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/**
 * Changes a tenant's settings about incidents: the addresses of destinations, the time for a review, and the PagerDuty
 * integration. Settings that notify fewer people, or give a review more time, wait for a second person. A new address gets a
 * test message first. While break-glass is on, each destination that it names keeps one address that answers.
 *
 * Failures: `secret.unknown`, `incident.address_unknown`, `incident.address_not_allowed`, `incident.destination_needed`.
 */
export class ChangeIncidentSettings implements CarriesOutChange<SpeltSettings> {
  readonly payload = speltSettings;
  readonly #channelOf: ChannelOf = (address) => this.deps.reaches.channelOf(address);

  constructor(private readonly deps: ChangeIncidentSettingsDeps) {}

  read(tenantId: TenantId): Promise<IncidentSettings> {
    return this.deps.uow.run(tenantId, (tx) => this.deps.settings.read(tx));
  }

  async execute(principal: PersonPrincipal, wanted: IncidentSettings): Promise<Result<Guarded<IncidentSettings>>> {
    const address = this.#unknownAddress(wanted) ?? (await this.#checkAddress(principal.tenantId, wanted));
    if (address !== null) return err(address);
    await this.deps.testing.testNew(principal, wanted);
    return this.deps.uow.run(principal.tenantId, (tx) => this.#put(tx, principal, wanted));
  }

  async carryOut(tx: Tx, change: ConfirmedChange, payload: SpeltSettings): Promise<Result<Guarded<IncidentSettings>>> {
    // The operator's rules about addresses are checked again.
    const wanted = settingsOf(payload);
    const address = await this.#checkAddress(tx.tenantId, wanted);
    return address === null ? this.#put(tx, change, wanted) : err(address);
  }

  async #put(tx: Tx, authority: ChangeAuthority, wanted: IncidentSettings): Promise<Result<Guarded<IncidentSettings>>> {
    const { pagerDuty } = wanted;
    const key =
      pagerDuty === null ? null : await this.deps.vault.resolve(tx, pagerDuty.secret, { purpose: 'incidents' });
    if (key?.ok === false) return key;
    // Locked before the settings: a change of the autonomy document locks in the same order.
    const autonomy = await this.deps.autonomy.current(tx, { lock: 'share' });
    const before = await this.deps.settings.lock(tx);
    const silenced = await this.#silenced(tx, autonomy, before, wanted);
    if (silenced !== null) return err(silenced);
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'incident_settings',
      subject: { type: 'tenant', id: tx.tenantId },
      what: 'The destinations of incidents, and the time for a review',
      payload: spelt(wanted),
      base: spelt(before),
      loosens: loosenedIncidentSettings(before, wanted),
      detail: { before: spelt(before), after: spelt(wanted) },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await this.deps.settings.save(tx, wanted, admitted.authorId);
    const after = spelt(await this.deps.settings.read(tx));
    await this.deps.twoPersonRule.outdate(tx, admitted, {
      kind: 'incident_settings',
      why: 'The incident settings were changed meanwhile.',
      base: () => after,
    });
    await this.deps.audit.record(tx, {
      action: 'incident_settings.changed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'tenant', id: tx.tenantId },
      payload: { ...spelt(wanted), ...admitted.provenance },
    });
    return ok(done(wanted, admitted));
  }

  /** Refuses settings that would silence a destination of break-glass that answers now. */
  async #silenced(
    tx: Tx,
    autonomy: Awaited<ReturnType<AutonomyReader['current']>>,
    before: IncidentSettings,
    wanted: IncidentSettings,
  ): Promise<Failure | null> {
    const override = autonomy?.document.emergency_override;
    if (override?.enabled !== true) return null;
    const checks = await this.deps.checks.all(tx);
    const answers = ({ destinations }: IncidentSettings, name: string): boolean =>
      destinationNamed(name, destinations, checks, this.#channelOf).reach === 'answers';
    const name = (override.notifies ?? []).find((each) => answers(before, each) && !answers(wanted, each));
    return name === undefined
      ? null
      : destinationNeeded(name, destinationNamed(name, wanted.destinations, checks, this.#channelOf));
  }

  /** Refuses an address that no channel has. */
  #unknownAddress({ destinations }: IncidentSettings): Failure | null {
    const errors = Object.entries(destinations).flatMap(([name, addresses]) =>
      addresses.flatMap((address, index) =>
        this.#channelOf(address) === null
          ? [
              {
                pointer: `/destinations/${name.replaceAll('~', '~0').replaceAll('/', '~1')}/${String(index)}`,
                code: 'incident.address_unknown',
                message: 'is an address of no channel',
              },
            ]
          : [],
      ),
    );
    return errors.length === 0
      ? null
      : {
          kind: 'unprocessable',
          code: 'incident.address_unknown',
          message: 'A destination has an address that no channel takes messages for.',
          action: `Name ${either.format(this.deps.reaches.addressForms())}.`,
          errors,
        };
  }

  /** Refuses an address without https, unless the operator allows its host: the routing key must travel encrypted. */
  async #checkAddress(tenantId: TenantId, { pagerDuty }: IncidentSettings): Promise<Failure | null> {
    if (pagerDuty === null) return null;
    const url = new URL(pagerDuty.url);
    const verdict = await this.deps.mayConnect(tenantId, url);
    if (verdict === 'allowed' || (verdict === 'public' && url.protocol === 'https:')) return null;
    return {
      kind: 'unprocessable',
      code: 'incident.address_not_allowed',
      message:
        'The address is not a public https address, and the operator has not allowed it in COUNTERSIGN_ALLOWED_PRIVATE_HOSTS.',
      action: 'Use https://events.pagerduty.com/v2/enqueue, or that of your PagerDuty region.',
      errors: [{ pointer: '/pagerduty/url', code: 'incident.address_not_allowed', message: 'is not allowed' }],
    };
  }
}

function destinationNeeded(name: string, { addresses }: Destination): Failure {
  const failures = addresses.map(({ address, check }) => `${address}: ${check?.error ?? 'no test message yet'}`);
  return {
    kind: 'conflict',
    code: 'incident.destination_needed',
    message: `Break-glass is on and notifies ${name}, and no address of ${name} would answer any more.${failures.length === 0 ? '' : ` ${failures.join('; ')}.`}`,
    action: `Keep an address of ${name} that takes a test message, or switch break-glass off first.`,
    errors: [
      { pointer: `/destinations/${name}`, code: 'incident.destination_needed', message: 'has no address that answers' },
    ],
  };
}

/** The settings as a change and the audit log store them. The masking of secrets would blank a member "secret". */
const speltSettings = z.strictObject({
  destinations: z.record(z.string(), z.array(z.string())),
  review_days: z.int(),
  pagerduty: z.strictObject({ url: z.string(), routed_by: z.string() }).nullable(),
});
type SpeltSettings = z.infer<typeof speltSettings>;

const spelt = ({ destinations, reviewDays, pagerDuty }: IncidentSettings) =>
  ({
    destinations: Object.fromEntries(Object.entries(destinations).map(([name, reached]) => [name, [...reached]])),
    review_days: reviewDays,
    pagerduty: pagerDuty === null ? null : { url: pagerDuty.url, routed_by: pagerDuty.secret },
  }) satisfies SpeltSettings;

const settingsOf = ({ destinations, review_days: reviewDays, pagerduty }: SpeltSettings): IncidentSettings => ({
  destinations,
  reviewDays,
  pagerDuty: pagerduty === null ? null : { secret: pagerduty.routed_by, url: pagerduty.url },
});
