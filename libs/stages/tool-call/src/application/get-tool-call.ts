import { err, notFound, ok, type Principal, type Result, type ToolCallId, type UnitOfWork } from '#lib/kernel';
import type { DecisionLog } from '#lib/policy';
import { keptAnswer, type ToolCallAnswer } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** Reads one decided call of the caller's tenant, as it was answered. */
export class GetToolCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: ToolCallRepository,
    private readonly decisions: DecisionLog,
  ) {}

  /** Fails with `resource.not_found`, also for a call that had no facts to decide on: only the audit log holds it. */
  execute(principal: Principal, id: ToolCallId): Promise<Result<ToolCallAnswer>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const call = await this.calls.find(tx, id);
      return call === undefined ? err(notFound('tool call')) : ok(await keptAnswer(tx, this.decisions, call));
    });
  }
}
