import { err, notFound, ok, type Principal, type Result, type ToolCallId, type UnitOfWork } from '#lib/kernel';
import type { KeptChunk } from '../domain/call-output.js';
import type { CallExecutor } from '../domain/tool-call.js';
import type { CallOutputStore } from './call-output.port.js';
import { mayReadCall } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** The output of a call from a number on. */
export interface CallOutput {
  /** The executor keeps the output of its calls by itself. */
  readonly answeredBy: CallExecutor['answeredBy'] | null;
  readonly chunks: readonly KeptChunk[];
  /** Whether more may come. */
  readonly open: boolean;
}

/** Reads the output that an agent sent of its call. Fails with `resource.not_found`, also for another agent's call. */
export class ReadCallOutput {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: Pick<ToolCallRepository, 'find'>,
    private readonly output: CallOutputStore,
  ) {}

  execute(by: Principal, id: ToolCallId, after: number): Promise<Result<CallOutput>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const call = await this.calls.find(tx, id);
      if (call === null || !mayReadCall(by, call)) return err(notFound('tool call'));
      const chunks = await this.output.read(tx, id, after);
      const open = call.state === 'pending' || call.state === 'allowed' || call.state === 'executing';
      return ok({ answeredBy: call.executor?.answeredBy ?? null, chunks, open });
    });
  }
}
