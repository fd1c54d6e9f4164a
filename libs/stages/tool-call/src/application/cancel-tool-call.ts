import type { VoidRequests } from '#lib/approval';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { AgentRepository } from '#lib/identity';
import {
  err,
  notFound,
  ok,
  type Failure,
  type Principal,
  type Result,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { cancelled, type AllowedCall } from '../domain/call-changes.js';
import { tooLate } from '../domain/decide-tool-call.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { CallJournal } from './call-journal.js';
import { mayReadCall, type ToolCallAnswer, type ToolCallAnswers } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

export interface CancelToolCallDeps {
  readonly uow: UnitOfWork;
  readonly calls: Pick<ToolCallRepository, 'find' | 'lock' | 'save'>;
  readonly agents: Pick<AgentRepository, 'find'>;
  readonly requests: Pick<VoidRequests, 'callWithdrawn'>;
  readonly answers: ToolCallAnswers;
  readonly journal: CallJournal;
}

/**
 * Takes a call back that was not taken up yet. Its submitter does, the person it acts for, the agent's owner, or a
 * PlatformAdmin.
 *
 * Failures: `resource.not_found`, `tool_call.not_yours`, `tool_call.too_late`.
 */
export class CancelToolCall {
  constructor(private readonly deps: CancelToolCallDeps) {}

  execute(by: Principal, id: ToolCallId): Promise<Result<ToolCallAnswer>> {
    const { uow, calls, requests, answers } = this.deps;
    return uow.run(by.tenantId, async (tx) => {
      const call = await calls.lock(tx, id);
      if (call === null || !mayReadCall(by, call)) return err(notFound('tool call'));
      if (!(await this.#mayCancel(tx, by, call))) return err(notYours);
      const at = await tx.now();
      if (call.state === 'allowed') return ok(await answers.of(tx, await this.#cancel(tx, by, call, at)));
      if (call.state !== 'pending') return err(tooLate(call));
      await requests.callWithdrawn(tx, id, { principal: by, at, why: 'withdrawn' });
      // The end of its request settled it.
      const left = await calls.find(tx, id);
      return left === null ? err(notFound('tool call')) : ok(await answers.of(tx, left));
    });
  }

  async #cancel(tx: Tx, by: Principal, call: AllowedCall, at: number): Promise<ToolCall> {
    const denial = { code: 'tool_call.cancelled', message: 'The call was taken back before it was taken up.' };
    const next = cancelled(call, denial, at);
    await this.deps.calls.save(tx, next);
    await this.deps.journal.record(tx, next, { action: 'tool_call.cancelled', by, data: denial });
    return next;
  }

  async #mayCancel(tx: Tx, by: Principal, { submitter }: ToolCall): Promise<boolean> {
    if (by.kind === 'agent') return true;
    if (by.kind === 'system') return false;
    if (by.roles.some(({ role }) => role === PLATFORM_ADMIN)) return true;
    if (submitter.id === by.personId || submitter.onBehalfOf === by.personId) return true;
    return submitter.kind === 'agent' && (await this.deps.agents.find(tx, submitter.id))?.ownerId === by.personId;
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'tool_call.not_yours',
  message: 'You did not make this call, and do not answer for the agent that did.',
  action: `Ask its submitter, the accountable owner of the agent, or a ${PLATFORM_ADMIN}.`,
};
