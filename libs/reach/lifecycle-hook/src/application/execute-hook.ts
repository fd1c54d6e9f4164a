import type { RecordsAnswers, SentCallName } from '#lib/dispatch';
import { actorOf, type AuditSink, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { attemptEnd, WAITS_MS, type AttemptEnd, type HookExecution } from '../domain/hook-execution.js';
import type { HookExecutionId } from '../domain/ids.js';
import type { ExecutionStore, HookRunners } from './lifecycle-hook.ports.js';

/** Longer than a call of a hook and its grant may take. */
const LEASE_MS = 90_000;
/** A pool that was away is asked again after so long. */
const AGAIN_MS = 15_000;
/** After so long no runner takes a call any more: even an offer whose commit was answered late is over. */
const UNTAKEN_MS = 30_000;

/** The parts that execute hooks. */
export interface ExecuteHookParts {
  readonly executions: ExecutionStore;
  readonly runners: HookRunners;
  readonly audit: AuditSink;
  /** Whether a halt covers all calls in an environment. No halt is set until the transaction ends. */
  readonly isHalted: (tx: Tx, environment: string) => Promise<boolean>;
}

/**
 * One attempt of one execution. Its transaction commits before the call is offered, so that no two workers send it. A call without a taker
 * is offered again, for ten minutes. A worker that died leaves its answer with the call: the next one takes it from there. A program
 * that may have started never starts again (T27).
 */
export class ExecuteHook implements RecordsAnswers {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: ExecuteHookParts,
  ) {}

  /** Does nothing if the execution is settled, not due, or leased by another worker. Do not call inside a transaction. */
  async execute(tenantId: TenantId, id: string): Promise<void> {
    // The job of this kind names an execution.
    const execution = await this.uow.run(tenantId, (tx) => this.#take(tx, id as HookExecutionId));
    if (execution === null) return;
    try {
      await this.#carryOut(tenantId, execution);
    } catch (error) {
      await this.uow.run(tenantId, (tx) => this.#afterError(tx, execution)).catch(() => undefined);
      throw error;
    }
  }

  async #carryOut(tenantId: TenantId, execution: HookExecution): Promise<void> {
    const { attempts, environment } = execution;
    const outcome = await this.parts.runners.send(tenantId, execution, async (tx) => {
      // Under a halt nothing leaves (T35): the execution waits for its end, as it waits for a runner.
      if (environment === null || (await this.parts.isHalted(tx, environment))) return null;
      return this.parts.executions.leasedUntil(tx, execution.id, attempts);
    });
    await this.uow.run(tenantId, async (tx) => {
      await this.#end(tx, execution, attemptEnd(outcome, (await tx.now()) - execution.createdAt));
    });
  }

  /**
   * A tenant that moves refuses grants, and waits for leases. An attempt that no runner was offered has no lease any
   * more. It stays sent, so that the next worker looks for its call first. A lease that cannot be given back ends by
   * itself.
   */
  async #afterError(tx: Tx, { id, attempts }: HookExecution): Promise<void> {
    const { executions, runners } = this.parts;
    const execution = await executions.lockSent(tx, id, attempts);
    if (execution === null) return;
    const kept = await runners.kept(tx, execution);
    if (kept === null) await executions.release(tx, id, attempts, UNTAKEN_MS);
    else if (kept.kind === 'under_way') await executions.lookAgain(tx, id, attempts, kept.until);
    else await this.#end(tx, execution, attemptEnd(kept, (await tx.now()) - execution.createdAt));
  }

  async recordKept(tx: Tx, { source, attempt }: SentCallName): Promise<void> {
    const { executions, runners } = this.parts;
    // The source of a hook's call is its execution.
    const execution = await executions.lockSent(tx, source.id as HookExecutionId, attempt);
    const kept = execution === null ? null : await runners.kept(tx, execution);
    if (execution === null || kept === null || kept.kind === 'under_way') return;
    await this.#end(tx, execution, attemptEnd(kept, (await tx.now()) - execution.createdAt));
  }

  /** The execution to send; null if there is nothing to send. */
  async #take(tx: Tx, id: HookExecutionId): Promise<HookExecution | null> {
    const { executions, runners } = this.parts;
    const claimed = await executions.claim(tx, id, LEASE_MS);
    if (claimed === null) return null;
    const { execution, before } = claimed;
    const waited = (await tx.now()) - execution.createdAt;
    if (before === 'pending') {
      if (waited < WAITS_MS) return execution;
      await this.#end(tx, execution, {
        kind: 'settled',
        state: 'expired',
        said: { exitStatus: null, output: null, fault: execution.fault ?? NOT_TAKEN },
      });
      return null;
    }
    const kept = await runners.kept(tx, execution);
    if (kept === null) await executions.giveBack(tx, id, execution.attempts, execution.fault, 0);
    else if (kept.kind === 'under_way') await executions.lookAgain(tx, id, execution.attempts, kept.until);
    else await this.#end(tx, execution, attemptEnd(kept, waited));
    return null;
  }

  async #end(tx: Tx, { id, hookId, hook, attempts }: HookExecution, end: AttemptEnd): Promise<void> {
    const { executions, audit } = this.parts;
    if (end.kind === 'later') return executions.giveBack(tx, id, attempts, end.fault, AGAIN_MS);
    const settled = await executions.settle(tx, id, attempts, end.state, end.said);
    if (!settled || end.said.fault === null) return;
    await audit.record(tx, {
      action: 'lifecycle_hook_execution.failed',
      actor: actorOf({ kind: 'system', tenantId: tx.tenantId, name: 'lifecycle-hook' }),
      level: 'basic',
      subject: { type: 'lifecycle_hook', id: hookId },
      payload: { hook, execution_id: id, state: end.state, ...end.said.fault },
    });
  }
}

const NOT_TAKEN = {
  code: 'lifecycle_hook.not_taken',
  message: 'No runner of the pool took it within ten minutes.',
};
