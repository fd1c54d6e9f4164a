import { type PlanSubjects, namePeople, type People } from '#lib/approval';
import type { EmergencyOverride, PlanStatus, Decision } from '#lib/formats';
import type { MfaProofs } from '#lib/identity';
import {
  type Digest,
  err,
  notFound,
  ok,
  type PersonPrincipal,
  type PlanId,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import { breakGlassInput } from '../domain/break-glass-input.js';
import { destinationNamed, type ChannelOf, type Destination } from '../domain/destination.js';
import type { AlwaysNotified, DestinationCheckStore, IncidentSettingsStore } from './incident.ports.js';

/** The answer to whether this person could invoke break-glass for a plan now, with a proved second factor. */
export interface Availability {
  readonly reasons: Decision['reasons'];
  readonly planId: PlanId;
  readonly planDigest: Digest;
  readonly planStatus: PlanStatus;
  readonly emergencyOverride: EmergencyOverride | null;
  readonly secondFactorEnrolled: boolean;
  /** The destinations and people that would hear of it. */
  readonly notified: Notified;
}

/** The destinations that the autonomy document names, and the people who are always notified. */
export interface Notified {
  readonly destinations: readonly Destination[];
  readonly people: { readonly count: number; readonly reached: number };
}

/** The justification that is assumed until the person has written one. */
const SOME_JUSTIFICATION = 'Asking whether break-glass would be available for this plan';

interface BreakGlassAvailabilityDeps {
  readonly uow: UnitOfWork;
  readonly subjects: PlanSubjects;
  readonly plans: Pick<PlanRepository, 'withStatus'>;
  readonly people: People;
  readonly proofs: MfaProofs;
  readonly policy: Pick<PolicyDecisionPoint, 'evaluate'>;
  readonly notices: {
    readonly settings: IncidentSettingsStore;
    readonly checks: Pick<DestinationCheckStore, 'all'>;
    readonly people: AlwaysNotified;
    readonly channelOf: ChannelOf;
  };
}

/** Gives the answer of an invocation without recording anything. Failure: `resource.not_found`. */
export class BreakGlassAvailability {
  constructor(private readonly deps: BreakGlassAvailabilityDeps) {}

  /** @param justification the person's words; if absent, a sufficient justification is assumed. */
  execute(
    principal: PersonPrincipal,
    planId: PlanId,
    justification = SOME_JUSTIFICATION,
  ): Promise<Result<Availability>> {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const subject = await this.deps.subjects.read(tx, planId);
      const plan = await this.deps.plans.withStatus(tx, planId);
      if (subject === null || plan === null) return err(notFound('plan'));
      const standing = await this.deps.people.standing(tx, [principal.personId]);
      const person = standing.get(principal.personId);
      const decision = this.deps.policy.evaluate(
        'break_glass',
        breakGlassInput(subject, {
          tenantId: tx.tenantId,
          now: await tx.now(),
          principal,
          roles: person === undefined || person.disabled ? [] : person.roles.map(({ role }) => role),
          mfaProved: true,
          justification,
          planStatus: plan.status,
        }),
      );
      return ok({
        reasons: decision.outcome === 'allow' ? [] : namePeople(decision, standing),
        planId,
        planDigest: subject.plan.digest,
        planStatus: plan.status,
        emergencyOverride: subject.autonomy.emergencyOverride,
        secondFactorEnrolled: (await this.deps.proofs.mfaState(tx, principal.personId)).enrolled,
        notified: await this.#notified(tx, subject.autonomy.emergencyOverride?.notifies ?? []),
      });
    });
  }

  async #notified(tx: Tx, notifies: readonly string[]): Promise<Notified> {
    const { destinations } = await this.deps.notices.settings.read(tx);
    const checks = await this.deps.notices.checks.all(tx);
    const people = await this.deps.notices.people.read(tx);
    return {
      destinations: notifies.map((name) => destinationNamed(name, destinations, checks, this.deps.notices.channelOf)),
      people: { count: people.length, reached: people.filter(({ by }) => by.length > 0).length },
    };
  }
}
