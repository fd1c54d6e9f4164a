import type { AutonomyInForce } from '#lib/autonomy';
import type { ApprovalRequestId, PlanId, Tx } from '#lib/kernel';
import { taskFacts } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { EnvironmentRecord, Task } from '#lib/task';
import type { HeldRequest, HeldSubject, PlanSubjects } from '../application/approval.ports.js';
import type { SubjectFacts, SubjectFactsReader, SubjectOf } from '../application/subject-facts.js';
import { isLive, type LiveRequest } from '../domain/approval-request.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import { RevisionFacts } from '../domain/revision-facts.js';

/** The policy with its locked bundle, and the reader of everything else. */
export interface SubjectSources {
  readonly policy: Pick<PolicyDecisionPoint, 'lockBundleHead'>;
  readonly facts: SubjectFactsReader;
}

/** Gathers the subject of a plan's approval from the earlier stages, in the order of locks. */
export class StagePlanSubjects implements PlanSubjects {
  readonly #revisions = new RevisionFacts();

  constructor(private readonly sources: SubjectSources) {}

  async hold(tx: Tx, planId: PlanId): Promise<HeldSubject<PlanSubject, LiveRequest | null> | null> {
    const held = await this.#held(tx, { planId });
    if (held === null) return null;
    const { request } = held;
    return { ...held, request: request !== null && isLive(request) ? request : null };
  }

  async holdRequest(tx: Tx, requestId: ApprovalRequestId): Promise<HeldRequest<PlanSubject> | null> {
    const held = await this.#held(tx, { requestId });
    return held?.request == null ? null : { ...held, request: held.request };
  }

  async read(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    const found = await this.sources.facts.read(tx, { planId });
    return found === null ? null : this.#subjectOf(found);
  }

  async readRequest(tx: Tx, requestId: ApprovalRequestId): Promise<HeldRequest<PlanSubject> | null> {
    const found = await this.sources.facts.read(tx, { requestId });
    return found?.request == null ? null : { ...(await this.#heldOf(found)), request: found.request };
  }

  async #subjectOf(found: SubjectFacts): Promise<PlanSubject> {
    const { task, plan, heldTools, autonomy } = found;
    const { id, revision, state, document, expansion, submitter } = plan;
    const facts = await this.#revisions.of(id, expansion, (name, version) =>
      Promise.resolve(heldTools.find((tool) => tool.name === name && tool.version === version) ?? null),
    );
    return {
      type: 'plan',
      task,
      environment: environmentOf(task, found.environment),
      plan: { id, revision, state, digest: expansion.digest, document, expanded: expansion.plan, submitter },
      otherRevisions: found.otherRevisions,
      answerable: found.answerable,
      simulation: found.simulation,
      registry: { tools: found.tools, executors: found.executors },
      facts: { task: taskFacts(task), ...facts },
      autonomy: autonomyOf(autonomy),
      halts: found.halts,
      promotion: found.promotion,
    };
  }

  async #held(tx: Tx, of: SubjectOf): Promise<HeldSubject<PlanSubject> | null> {
    // Sent together, the bundle's lock first.
    const [, found] = await Promise.all([this.sources.policy.lockBundleHead(tx), this.sources.facts.hold(tx, of)]);
    return found === null ? null : this.#heldOf(found);
  }

  async #heldOf(found: SubjectFacts): Promise<HeldSubject<PlanSubject>> {
    const { request, claim, now, reviewedBy } = found;
    return { subject: await this.#subjectOf(found), request, claim, now, reviewedBy, reviews: () => found.reviews() };
  }
}

/** The members of an environment that an approval binds and policy reads; a repository may return more. */
function environmentOf(task: Task, record: EnvironmentRecord | undefined): EnvironmentRecord {
  if (record === undefined) throw new Error(`the environment of task ${task.id} is gone`);
  return { id: record.id, name: record.name, production: record.production, version: record.version };
}

const autonomyOf = (inForce: AutonomyInForce | null): PlanSubject['autonomy'] => ({
  revisionId: inForce?.revisionId ?? null,
  facts: inForce?.document ?? null,
  document: inForce?.document ?? null,
  emergencyOverride: inForce?.document.emergency_override ?? null,
});
