import { z } from 'zod';
import { storedId } from '#lib/formats';
import {
  done,
  err,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { loosenedRoutes, type SlackRoutes } from '../domain/loosened-routes.js';
import type { SlackInstallations, SlackSettings } from './slack.ports.js';
import { outdateSlack, routesBase } from './outdate-slack.js';

/**
 * Sets the channel of each environment and the people on duty. A change that takes messages away from a channel or a
 * person waits for a second person. Requests and break-glass could pass unseen.
 *
 * Failure: `slack.unknown_person`.
 */
export class RouteSlack implements CarriesOutChange<SpeltRoutes> {
  readonly payload = speltRoutes;

  constructor(
    private readonly uow: UnitOfWork,
    readonly installations: SlackInstallations,
    readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal, wanted: SlackRoutes): Promise<Result<Guarded<SlackSettings>>> {
    return this.uow.run(by.tenantId, (tx) => this.#route(tx, by, wanted));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: SpeltRoutes): Promise<Result<Guarded<SlackSettings>>> {
    return this.#route(tx, change, { channels: wanted.channels, onDuty: wanted.on_duty });
  }

  async #route(tx: Tx, authority: ChangeAuthority, wanted: SlackRoutes): Promise<Result<Guarded<SlackSettings>>> {
    // The lock keeps other changes of the set-up out until the transaction ends.
    await this.installations.lockApp(tx);
    const before = await this.installations.settings(tx);
    const names = await this.installations.namesOf(tx, [...before.onDuty, ...wanted.onDuty]);
    const stranger = wanted.onDuty.find((id) => !names.has(id));
    if (stranger !== undefined) return err(unknownPerson(stranger));
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'slack_routes',
      subject: { type: 'tenant', id: tx.tenantId },
      what: 'Who is told in Slack',
      payload: { ...spelt(wanted) },
      base: routesBase(before),
      loosens: loosenedRoutes(before, wanted, (id) => names.get(id) ?? id),
      detail: { before: { ...spelt(before) }, after: { ...spelt(wanted) } },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await this.installations.setChannels(tx, wanted.channels);
    await this.installations.setOnDuty(tx, wanted.onDuty);
    await outdateSlack(tx, this, admitted);
    await this.audit.record(tx, {
      action: 'slack.routed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'tenant', id: tx.tenantId },
      payload: { ...spelt(wanted), ...admitted.provenance },
    });
    return ok(done(await this.installations.settings(tx), admitted));
  }
}

const unknownPerson = (id: PersonId): Failure => ({
  kind: 'unprocessable',
  code: 'slack.unknown_person',
  message: `There is no person ${id} to be on duty.`,
  action: 'Name people of your organisation by their ids.',
});

/** Routes as a change and the audit log store them. */
const speltRoutes = z.strictObject({
  channels: z.record(z.string(), z.string()),
  on_duty: z.array(storedId<PersonId>()),
});
type SpeltRoutes = z.infer<typeof speltRoutes>;

const spelt = ({ channels, onDuty }: SlackRoutes): SpeltRoutes => ({ channels: { ...channels }, on_duty: [...onDuty] });
