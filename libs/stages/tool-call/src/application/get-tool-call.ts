import { err, notFound, ok, type Principal, type Result, type ToolCallId, type UnitOfWork } from '#lib/kernel';
import { mayReadCall, type ToolCallAnswer, type ToolCallAnswers } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** Reads one call of the caller's tenant, with its answer. */
export class GetToolCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: Pick<ToolCallRepository, 'find'>,
    private readonly answers: ToolCallAnswers,
  ) {}

  /**
   * Fails with `resource.not_found`, also for another agent's call, and for one without facts to decide on. Only the
   * audit log holds that.
   */
  execute(principal: Principal, id: ToolCallId): Promise<Result<ToolCallAnswer>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const call = await this.calls.find(tx, id);
      if (call === null || !mayReadCall(principal, call)) return err(notFound('tool call'));
      return ok(await this.answers.of(tx, call));
    });
  }
}
