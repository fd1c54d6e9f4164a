import {
  actsInPerson,
  err,
  notFound,
  ok,
  type Failure,
  type PersonPrincipal,
  type Result,
  type ToolCallId,
  type UnitOfWork,
} from '#lib/kernel';
import { resolved } from '../domain/call-changes.js';
import type { CallJournal } from './call-journal.js';
import type { ToolCallAnswer, ToolCallAnswers } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/**
 * Records a person's finding about an unknown call.
 *
 * Failures: `resource.not_found`, `tool_call.person_only` for a token, `tool_call.not_unknown`.
 */
export class ResolveToolCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: ToolCallRepository,
    private readonly journal: CallJournal,
    private readonly answers: ToolCallAnswers,
  ) {}

  execute(
    principal: PersonPrincipal,
    id: ToolCallId,
    finding: { readonly outcome: 'succeeded' | 'failed'; readonly note: string },
  ): Promise<Result<ToolCallAnswer>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const call = await this.calls.lock(tx, id);
      if (call === null) return err(notFound('tool call'));
      if (!actsInPerson(principal)) return err(personOnly);
      const next = resolved(call, finding.outcome, await tx.now());
      if (!next.ok) return next;
      await this.calls.save(tx, next.value);
      const data = { outcome: finding.outcome, note: finding.note };
      await this.journal.record(tx, next.value, { action: 'tool_call.resolved', by: principal, data });
      return ok(await this.answers.of(tx, next.value));
    });
  }
}

const personOnly: Failure = {
  kind: 'forbidden',
  code: 'tool_call.person_only',
  message: 'Only a person in a browser resolves an unknown call. An agent may hold a token of its owner.',
  action: 'Sign in to a browser and resolve the call there.',
};
