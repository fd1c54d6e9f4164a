import type { AutonomyInForce } from '#lib/autonomy';
import type { HaltFacts } from '#lib/policy-inputs';
import type { AgentId, ApprovalRequestId, PersonId, PlanId, Tx } from '#lib/kernel';
import type { Expansion, Plan } from '#lib/plan';
import type { EnvironmentRecord, Submitter, Task } from '#lib/task';
import type { ExecutorRecord, ToolVersion } from '#lib/tool';
import type { ApprovalRequest, Review } from '../domain/approval-request.js';
import type { SubjectSimulation } from '../domain/approval-subject.js';
import type { Claim } from '../domain/claim.js';

/** A plan revision that has an expansion. */
export type ExpandedRevision = Pick<Plan, 'id' | 'revision' | 'state' | 'document' | 'submitter'> & {
  readonly expansion: Expansion;
};

/** The records that an approval of a plan rests on. */
export interface SubjectFacts {
  /** The database's clock after all locks, epoch milliseconds. */
  readonly now: number;
  readonly task: Task;
  readonly plan: ExpandedRevision;
  /** The submitters of the task's other revisions. */
  readonly otherRevisions: readonly Submitter[];
  readonly environment: EnvironmentRecord;
  readonly autonomy: AutonomyInForce | null;
  /** The tool versions in force, by name. */
  readonly tools: ReadonlyMap<string, ToolVersion>;
  /** The tool versions that the plan holds. */
  readonly heldTools: readonly ToolVersion[];
  /** By name. */
  readonly executors: ReadonlyMap<string, ExecutorRecord>;
  readonly simulation: SubjectSimulation | null;
  /** By agent: the people who answer for it. */
  readonly answerable: ReadonlyMap<AgentId, readonly PersonId[]>;
  /** The halts that apply. */
  readonly halts: readonly HaltFacts[];
  /** The canary phases of the plan have run. */
  readonly promotion: boolean;
  /** The request that was asked for; under locks, else the plan's request that is open or approved. */
  readonly request: ApprovalRequest | null;
  /** The person who looks at the request. */
  readonly claim: Claim | null;
  /** The authors of the reviews that count. */
  readonly reviewedBy: readonly PersonId[];
  /** The reviews that count. @throws {FailureError} `record.not_authentic`. */
  reviews(): Promise<readonly Review[]>;
}

/** A plan, or the request about one. */
export type SubjectOf = { readonly planId: PlanId } | { readonly requestId: ApprovalRequestId };

/** Reads them in one statement. */
export interface SubjectFactsReader {
  /**
   * Locks autonomy document, tools, task, plan, executors and request, in this order, until the transaction ends. Null if
   * the plan is not there or has no expansion. @throws {FailureError} `record.not_authentic`.
   */
  hold(tx: Tx, of: SubjectOf): Promise<SubjectFacts | null>;
  /** The same without locks. */
  read(tx: Tx, of: SubjectOf): Promise<SubjectFacts | null>;
}
