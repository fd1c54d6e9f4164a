import {
  err,
  notFound,
  ok,
  type Failure,
  type Principal,
  type Result,
  type ToolCallId,
  type UnitOfWork,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { chunksToKeep, type CallChunk, type OutputStanding } from '../domain/call-output.js';
import { noExecutor, type ToolCall } from '../domain/tool-call.js';
import type { CallOutputStore } from './call-output.port.js';
import { agentIdOf } from './dispatch-tool-call.js';
import { mayReadCall } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/**
 * Appends output of a call that its agent makes, while it makes it. Secrets are masked first (T32).
 *
 * Failures: `resource.not_found`, `tool_call.no_executor`, `tool_call.not_yours`, `tool_call.not_executing`, `tool_call.output_gap`.
 */
export class AppendCallOutput {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: Pick<ToolCallRepository, 'lock'>,
    private readonly output: CallOutputStore,
  ) {}

  /** @param firstSeq the number of the first chunk, from 1. @returns how much is kept now. */
  execute(
    by: Principal,
    id: ToolCallId,
    firstSeq: number,
    chunks: readonly CallChunk[],
  ): Promise<Result<Pick<OutputStanding, 'seq' | 'cut'>>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const call = await this.calls.lock(tx, id);
      if (call === null || !mayReadCall(by, call)) return err(notFound('tool call'));
      if (call.executor === null) return err(noExecutor(call));
      if (by.kind !== 'agent' || agentIdOf(call) !== by.agentId || call.executor.answeredBy !== 'agent')
        return err(notYours);
      if (call.state !== 'executing') return err(notExecuting(call));
      const standing = await this.output.standing(tx, id);
      const fresh = chunksToKeep(standing, firstSeq, chunks);
      if (fresh === null) return err(gap(standing.seq + 1));
      await this.output.append(tx, id, fresh.chunks, fresh.held);
      const { seq, cut } = fresh.chunks.at(-1) ?? standing;
      return ok({ seq, cut });
    });
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'tool_call.not_yours',
  message: 'Only the agent that makes a call sends its output.',
  action: 'Send the output with the credential of the agent that asked for the call.',
};

const notExecuting = ({ state }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.not_executing',
  message: `This call is ${stateInWords(state)}, and takes no output.`,
  action: 'Send output after you got the grant, and before you report.',
});

const gap = (expected: number): Failure => ({
  kind: 'conflict',
  code: 'tool_call.output_gap',
  message: `The next chunk of output has the number ${String(expected)}.`,
  action: 'Send the output from that number on.',
  details: { expected },
});
