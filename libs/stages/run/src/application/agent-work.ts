import type { JsonObject } from '#lib/canonical';
import type { GrantOrder, IssueGrant } from '#lib/dispatch';
import {
  type AgentId,
  err,
  notFound,
  ok,
  type Principal,
  type Result,
  type RunId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { ExecutorDirectory } from '#lib/tool';
import { invocationOf } from '../domain/plan-steps.js';
import type { Run } from '../domain/run.js';
import { isInFlight, type InFlightStep, purposeOf, type RunStep } from '../domain/run-step.js';
import type { StepAttempt } from '../domain/step-attempt.js';
import { type DispatchStep, idempotencyKeyOf, submittingAgent } from './dispatch-step.js';
import type { LockRunContext } from './lock-run-context.js';
import type { RunContext } from './run.ports.js';
import type { RunRepository } from './run.repository.js';

/** One call for an agent to carry out. Times are epoch milliseconds. */
export interface WorkItem {
  readonly attempt: StepAttempt;
  readonly step: RunStep;
  readonly arguments: JsonObject;
  readonly idempotencyKey: string;
  /** The agent's own tools verify and redeem it; its jti is the attempt's id. */
  readonly grant: string;
  readonly grantExpiresAt: number;
  /** Until when a report counts. */
  readonly leaseUntil: number;
}

interface Offered extends Omit<WorkItem, 'grant' | 'grantExpiresAt'> {
  readonly order: GrantOrder;
}

/**
 * Lists the calls to executors of kind `agent` for the agent that submitted the plan and carries them out itself. Other callers
 * get an empty list. Grants are issued here, so that no call is handed out under a halt.
 *
 * Failures: `resource.not_found`.
 */
export class AgentWork {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly context: LockRunContext,
    private readonly dispatching: DispatchStep,
    private readonly executors: Pick<ExecutorDirectory, 'asBound'>,
    private readonly grants: Pick<IssueGrant, 'fetch'>,
  ) {}

  async execute(principal: Principal, runId: RunId): Promise<Result<readonly WorkItem[]>> {
    const offered = await this.uow.run(principal.tenantId, (tx) => this.#offered(tx, principal, runId));
    if (!offered.ok) return offered;
    const work: WorkItem[] = [];
    for (const { order, ...item } of offered.value) {
      const fetched = await this.grants.fetch(order, item.attempt.id);
      if (fetched !== null) work.push({ ...item, grant: fetched.grant, grantExpiresAt: fetched.expiresAt });
    }
    return ok(work);
  }

  async #offered(tx: Tx, principal: Principal, runId: RunId): Promise<Result<readonly Offered[]>> {
    const found = await this.runs.find(tx, runId);
    if (found === null) return err(notFound('run'));
    const { context, run } = await this.context.execute(tx, found);
    const agentId = submittingAgent(context);
    if (principal.kind !== 'agent' || principal.agentId !== agentId) return ok([]);
    const offered: Offered[] = [];
    for (const step of await this.runs.steps(tx, runId)) {
      const item = isInFlight(step) ? await this.#item(tx, run, context, step, agentId) : null;
      if (item !== null) offered.push(item);
    }
    return ok(offered);
  }

  async #item(tx: Tx, run: Run, context: RunContext, step: InFlightStep, agentId: AgentId): Promise<Offered | null> {
    const purpose = purposeOf(step);
    const attempt = await this.runs.latestAttempt(tx, step.id, purpose);
    const invocation = invocationOf(context.subject.plan.expanded, step, purpose);
    if (attempt?.agentId !== agentId || invocation === null || step.fence !== attempt.fence) return null;
    const executor = await this.executors.asBound(tx, run.environmentId, invocation.executor);
    if (executor === null) return null;
    const { number } = attempt;
    return {
      attempt,
      step,
      arguments: invocation.arguments,
      idempotencyKey: idempotencyKeyOf(step.id, purpose),
      leaseUntil: step.leaseUntil,
      order: this.dispatching.grantOrder(tx.tenantId, run, context, {
        step,
        number,
        purpose,
        invocation,
        audience: executor.audience,
      }),
    };
  }
}
