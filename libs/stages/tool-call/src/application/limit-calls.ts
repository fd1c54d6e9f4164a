import type { AutonomyDocument } from '#lib/formats';
import { actorOf, err, ok, type AuditSink, type Failure, type Principal, type Result, type Tx } from '#lib/kernel';
import type { Session } from '#lib/session';
import type { Submitter } from '#lib/task';
import { agentBudgetSpent, BUDGET_WINDOW_MS, sessionLimit } from '../domain/call-limits.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** An entry about a limit stands for all refusals of its kind in this time, so that refusals cannot flood the log. */
const ENTRY_STANDS_FOR_MS = 10 * 60_000;

/** The next call, as far as limits are about it. */
export interface NextCall {
  readonly principal: Principal;
  readonly submitter: Submitter;
  readonly session: Session | null;
  readonly turnId: string | null;
}

/** Bounds how many calls a session has (in all, in a turn and in flight), and how many an agent makes in an hour. */
export class LimitCalls {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockCounts' | 'lockNewest' | 'firstRefusal'>,
    private readonly audit: AuditSink,
  ) {}

  /**
   * Whether the session has room for one more call; until the transaction ends no other call takes it.
   *
   * @returns `session.budget_spent`, `tool_call.turn_full`; the first of its kind in ten minutes is recorded.
   */
  async inSession(tx: Tx, next: NextCall): Promise<Result<void>> {
    const { session, turnId } = next;
    if (session === null) return ok(undefined);
    const refused = sessionLimit(session, turnId, await this.calls.lockCounts(tx, session.id, turnId));
    return refused === null ? ok(undefined) : this.#refuse(tx, next, refused, { type: 'session', id: session.id });
  }

  /**
   * Whether the agent has room for one more call in this hour, in all its sessions and outside them.
   *
   * @param now epoch milliseconds.
   * @returns `tool_call.budget_spent`, recorded in the same way.
   */
  async ofAgent(tx: Tx, next: NextCall, autonomy: AutonomyDocument | null, now: number): Promise<Result<void>> {
    const { principal } = next;
    const budget = autonomy?.autonomy.calls_per_hour;
    if (budget === undefined || principal.kind !== 'agent') return ok(undefined);
    const { agentId } = principal;
    const asked = await this.calls.lockNewest(tx, agentId, { count: budget, since: now - BUDGET_WINDOW_MS });
    if (asked === null) return ok(undefined);
    return this.#refuse(tx, next, agentBudgetSpent(budget, { asked, now }), { type: 'agent', id: agentId });
  }

  async #refuse(
    tx: Tx,
    { principal, submitter, session, turnId }: NextCall,
    refused: Failure,
    subject: { readonly type: 'session' | 'agent'; readonly id: Session['id'] | Submitter['id'] },
  ): Promise<Result<never>> {
    const refusal = { submitterId: submitter.id, about: subject.id, code: refused.code };
    if (await this.calls.firstRefusal(tx, refusal, ENTRY_STANDS_FOR_MS))
      await this.audit.record(tx, {
        action: 'tool_call.limited',
        actor: actorOf(principal),
        level: 'detailed',
        subject,
        within: session === null ? [] : [{ type: 'session', id: session.id }],
        payload: { code: refused.code, ...(turnId === null ? {} : { turn_id: turnId }), ...refused.details },
      });
    return err(refused);
  }
}
