import {
  type PlanSubject,
  type PlanSubjects,
  namePeople,
  type People,
  type PersonStanding,
  planKey,
  type VoidRequests,
} from '#lib/approval';
import {
  endedMeanwhile,
  type MfaProofs,
  type SteppedUpOperation,
  type TakenProof,
  takeRequiredProof,
} from '#lib/identity';
import type { Decision } from '#lib/formats';
import {
  actorOf,
  type AuditSink,
  type DecisionId,
  err,
  type Failure,
  type IncidentId,
  maskSecretText,
  newId,
  notFound,
  ok,
  type PersonId,
  type PersonPrincipal,
  type PlanId,
  type Result,
  type RunId,
  type Tx,
  type UnitOfWork,
  inPlan,
} from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import type { PolicyDecisionPoint, RecordedDecision } from '#lib/policy';
import { BreakGlassAuthority, type CreateRun, type Run, inRun } from '#lib/run';
import { breakGlassInput } from '../domain/break-glass-input.js';
import { incidentEvidence } from '../domain/evidence-documents.js';
import type { OpenIncident } from '../domain/incident.js';
import type { IncidentJournal } from './incident-journal.js';
import type { IncidentRepository, IncidentSettingsStore } from './incident.ports.js';

/** The run and the incident of a break-glass. */
export interface GlassBroken {
  readonly runId: RunId;
  readonly incidentId: IncidentId;
}

/** The parts that decide and carry out an invocation. */
export interface InvokeBreakGlassParts {
  readonly subjects: PlanSubjects;
  readonly plans: Pick<PlanRepository, 'withStatus'>;
  readonly people: People;
  readonly proofs: MfaProofs;
  readonly policy: Pick<PolicyDecisionPoint, 'decide'>;
  readonly approvals: Pick<VoidRequests, 'glassBroken'>;
  readonly runs: Pick<CreateRun, 'execute'>;
  readonly incidents: IncidentRepository;
  readonly settings: IncidentSettingsStore;
  readonly journal: IncidentJournal;
  readonly audit: AuditSink;
}

/** An invocation as the person made it. */
interface Invocation {
  readonly plan_id: string;
  /** The digest of the plan that the person saw. */
  readonly plan_digest: string;
  readonly justification: string;
  readonly step_up_id?: string | undefined;
}

const DAY_MS = 86_400_000;

/**
 * A person executes a plan at once, past approval, autonomy mode, freezes and simulation (ADR-009, Emergency Override).
 * One transaction locks the plan, takes the proof of the second factor, and decides. It voids the live approval
 * request, creates the run and opens the incident. A refusal is on record too.
 *
 * Failures: `resource.not_found`, `credential.ended`, `break_glass.digest_mismatch`; those of `MfaProofs.take`, `mfa.required`,
 * `mfa.not_enrolled`; `policy.denied` with the policy's reasons (`break_glass.disabled` if it is switched off);
 * `break_glass.plan_not_live`, `approval.plan_outdated`, `run.already_live`, `run.nothing_to_run`.
 */
export class InvokeBreakGlass {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: InvokeBreakGlassParts,
  ) {}

  execute(principal: PersonPrincipal, invocation: Invocation): Promise<Result<GlassBroken>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const { subjects, audit } = this.parts;
      // A schema has checked its form; the next line looks whether there is such a plan.
      const planId = invocation.plan_id as PlanId;
      const held = await subjects.hold(tx, planId);
      if (held === null) return err(notFound('plan'));
      const { subject, request: live, now } = held;
      const invoked = await this.#invoke(tx, principal, subject, invocation, now);
      if (!invoked.ok) {
        const { failure, decisionId } = invoked.error;
        await audit.record(tx, {
          action: 'break_glass.refused',
          actor: actorOf(principal),
          level: 'critical',
          subject: planKey(planId),
          within: inPlan({ taskId: subject.task.id, planId }),
          ...(decisionId === null ? {} : { decisionId }),
          payload: {
            code: failure.code,
            message: failure.message,
            reasons: (failure.reasons ?? []).map((reason) => ({ ...reason })),
            justification: maskSecretText(invocation.justification),
          },
        });
        return err(failure);
      }
      const { run, incident, signed } = invoked.value;
      if (live !== null) {
        await this.parts.approvals.glassBroken(tx, live, { incidentId: incident.id, principal, at: now });
      }
      await audit.record(tx, {
        action: 'break_glass.invoked',
        actor: actorOf(principal),
        level: 'critical',
        subject: planKey(planId),
        within: inRun(run),
        decisionId: incident.decisionId,
        evidence: signed,
        payload: {
          plan_digest: run.planDigest,
          incident_id: incident.id,
          justification: incident.justification,
          second_factor: { method: incident.mfa.method, proved_at: incident.mfa.provedAt },
          voided_request: live?.id ?? null,
        },
      });
      return ok({ runId: run.id, incidentId: incident.id });
    });
  }

  async #invoke(
    tx: Tx,
    principal: PersonPrincipal,
    subject: PlanSubject,
    invocation: Invocation,
    now: number,
  ): Promise<
    Result<{ readonly run: Run; readonly incident: OpenIncident; readonly signed: TakenProof['evidence'] }, Refused>
  > {
    const { people } = this.parts;
    const held = await people.standing(tx, [principal.personId], principal);
    // Read again: a role that ended while the first read waited for its person counts there.
    const standing = held.size === 0 ? held : await people.standing(tx, [principal.personId]);
    const person = standing.get(principal.personId);
    if (person === undefined) return refused(endedMeanwhile);
    if (invocation.plan_digest !== subject.plan.digest) return refused(digestMismatch(subject.plan.digest));
    const operation: SteppedUpOperation = {
      kind: 'break_glass',
      plan_id: invocation.plan_id,
      plan_digest: invocation.plan_digest,
      justification: invocation.justification,
    };
    const wanted = { personId: principal.personId, stepUpId: invocation.step_up_id, operation };
    const proof = await takeRequiredProof(this.parts.proofs, tx, wanted, 'Break-glass');
    const decided = await this.#decide(
      tx,
      { principal, standing, person },
      subject,
      invocation.justification,
      proof.ok,
      now,
    );
    if (decided === null) return refused(notFound('plan'));
    const { decision, id } = decided.recorded;
    if (!proof.ok && onlyProofIsMissing(decision)) {
      const details = { operation, ...proof.error.details };
      return refused({ ...proof.error, reasons: decision.reasons, details }, id);
    }
    if (!proof.ok || decision.outcome !== 'allow') return refused(denied(decided.reasons), id);
    const incidentId = newId<IncidentId>();
    const authority = BreakGlassAuthority.byDecision(subject, decided.recorded, incidentId, now);
    if (!authority.ok) return refused(authority.error, id);
    const run = await this.parts.runs.execute(tx, authority.value, principal);
    if (!run.ok) return refused(run.error, id);
    const incident = await this.#open(tx, principal, subject, run.value, {
      id: incidentId,
      proof: proof.value,
      justification: maskSecretText(invocation.justification),
    });
    return ok({ run: run.value, incident, signed: proof.value.evidence });
  }

  /** Null if the plan is gone. */
  async #decide(
    tx: Tx,
    { principal, standing, person }: Invoker,
    subject: PlanSubject,
    justification: string,
    mfaProved: boolean,
    now: number,
  ): Promise<{ readonly recorded: RecordedDecision; readonly reasons: Decision['reasons'] } | null> {
    const plan = await this.parts.plans.withStatus(tx, subject.plan.id);
    if (plan === null) return null;
    const input = breakGlassInput(subject, {
      tenantId: tx.tenantId,
      now,
      principal,
      roles: person.disabled ? [] : person.roles.map(({ role }) => role),
      mfaProved,
      justification,
      planStatus: plan.status,
    });
    const planId = subject.plan.id;
    const about = { subject: { type: 'plan', id: planId }, within: inPlan({ taskId: subject.task.id, planId }) };
    const recorded = await this.parts.policy.decide(tx, 'break_glass', input, about);
    return { recorded, reasons: namePeople(recorded.decision, standing) };
  }

  async #open(
    tx: Tx,
    principal: PersonPrincipal,
    subject: PlanSubject,
    run: Run,
    facts: { readonly id: IncidentId; readonly proof: TakenProof; readonly justification: string },
  ): Promise<OpenIncident> {
    const { incidents, settings, journal } = this.parts;
    const { reviewDays, destinations } = await settings.read(tx);
    const notifies = subject.autonomy.emergencyOverride?.notifies ?? [];
    const opened: OpenIncident = {
      id: facts.id,
      state: 'open',
      taskId: run.taskId,
      planId: run.planId,
      planDigest: run.planDigest,
      environmentId: run.environmentId,
      decisionId: run.decisionId,
      invokedBy: principal.personId,
      credentialId: principal.credentialId,
      justification: facts.justification,
      mfa: { method: facts.proof.method, provedAt: facts.proof.provedAt },
      notifies,
      eventCount: 0,
      openedAt: run.createdAt,
      reviewDueAt: run.createdAt + reviewDays * DAY_MS,
      escalatedAt: null,
      escalations: 0,
      escalateAt: run.createdAt + reviewDays * DAY_MS,
    };
    await incidents.insert(tx, opened);
    const incident = await journal.record(tx, opened, {
      kind: 'opened',
      actor: actorOf(principal),
      text: facts.justification,
      data: {
        run_id: run.id,
        plan_digest: run.planDigest,
        environment: subject.environment.name,
        notifies: [...notifies],
        reached_nowhere: notifies.filter((name) => !Object.hasOwn(destinations, name)),
      },
      at: run.createdAt,
      notice: 'opened',
      evidence: [incidentEvidence(opened, run.id)],
    });
    await incidents.save(tx, incident);
    return incident;
  }
}

/** The person who invokes it, as they stand now. */
interface Invoker {
  readonly principal: PersonPrincipal;
  readonly standing: ReadonlyMap<PersonId, PersonStanding>;
  readonly person: PersonStanding;
}

/** A refusal, with its decision if policy decided. */
interface Refused {
  readonly failure: Failure;
  readonly decisionId: DecisionId | null;
}

const refused = (failure: Failure, decisionId: DecisionId | null = null) => err({ failure, decisionId });

const onlyProofIsMissing = ({ reasons }: Decision): boolean => reasons.every(({ code }) => code === 'mfa.required');

const denied = (reasons: Decision['reasons']): Failure => ({
  kind: 'forbidden',
  code: 'policy.denied',
  message: reasons.map(({ message }) => message).join('; '),
  action: 'Read the reasons. If break-glass is off, or you may not use it, have the plan approved.',
  reasons,
});

const digestMismatch = (digest: string): Failure => ({
  kind: 'conflict',
  code: 'break_glass.digest_mismatch',
  message: 'The plan is not the one that you saw.',
  action: 'Look at the plan again, and name the digest that it shows.',
  details: { plan_digest: digest },
});
