import { CALLS_PER_HOUR, CALLS_PER_TURN } from '#lib/formats';
import {
  actorOf,
  actsInPerson,
  err,
  ok,
  type AuditSink,
  type Failure,
  type Principal,
  type Result,
  type Tx,
} from '#lib/kernel';
import { callBudgets, type Session } from '#lib/session';
import type { Submitter } from '#lib/task';
import {
  BUDGET_WINDOW_MS,
  hourBudgetSpent,
  outsideLimit,
  sessionLimit,
  type CountedCalls,
  type UsedCalls,
} from '../domain/call-limits.js';
import type { CallFacts } from './call-facts.port.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** An entry about a limit stands for all refusals of its kind in this time. So refusals cannot flood the log. */
const ENTRY_STANDS_FOR_MS = 10 * 60_000;

/** The next call, as far as limits are about it. */
export interface NextCall {
  readonly principal: Principal;
  readonly submitter: Submitter;
  readonly session: Session | null;
  readonly turnId: string | null;
}

/** The calls that count for the next one. */
export interface CallCounts {
  /** Null for a call outside a session. */
  readonly inSession: CountedCalls | null;
  readonly used: UsedCalls;
}

type LimitFacts = Pick<CallFacts, 'autonomy' | 'now'>;

/**
 * Bounds the calls of a session: in all, in a turn and in flight. Bounds those of an agent or person outside sessions:
 * in a turn and in flight. An agent or a person also has an hourly budget. Only calls in person have none, since an
 * agent on the person's machine may have a token of theirs (T55).
 */
export class LimitCalls {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockCounts' | 'lockUse' | 'askedSince' | 'firstRefusal'>,
    private readonly audit: AuditSink,
  ) {}

  /** Counts the calls by which limits decide about the next one. Until the transaction ends no other call counts the same. */
  async count(tx: Tx, { session, submitter, turnId }: NextCall): Promise<CallCounts> {
    const [inSession, used] = await Promise.all([
      session === null ? null : this.calls.lockCounts(tx, session.id, turnId),
      this.calls.lockUse(tx, submitter, turnId),
    ]);
    return { inSession, used };
  }

  /**
   * Whether there is room for one more call, in its session or else outside sessions, and in the caller's hour.
   *
   * @returns `session.budget_spent`, `tool_call.turn_full`, `tool_call.budget_spent`; the first of its kind in ten minutes is recorded.
   */
  async room(tx: Tx, next: NextCall, { inSession, used }: CallCounts, facts: LimitFacts): Promise<Result<void>> {
    const { session, submitter, turnId, principal } = next;
    const limits = facts.autonomy?.autonomy;
    if (session !== null && inSession !== null) {
      const refused = sessionLimit(session, callBudgets(facts.autonomy).most, turnId, inSession);
      if (refused !== null) return this.#refuse(tx, next, refused, { type: 'session', id: session.id });
    }
    if (session === null) {
      const refused = outsideLimit(limits?.calls_per_turn ?? CALLS_PER_TURN, turnId, used);
      if (refused !== null) return this.#refuse(tx, next, refused, { type: submitter.kind, id: submitter.id });
    }
    const budget = limits?.calls_per_hour ?? CALLS_PER_HOUR;
    if (actsInPerson(principal) || used.inHour < budget) return ok(undefined);
    const { now } = facts;
    const spent = { since: now - BUDGET_WINDOW_MS, skipped: used.inHour - budget };
    const asked = (await this.calls.askedSince(tx, submitter, spent)) ?? now;
    return this.#refuse(tx, next, hourBudgetSpent(budget, { asked, now }), { type: submitter.kind, id: submitter.id });
  }

  async #refuse(
    tx: Tx,
    { principal, submitter, session, turnId }: NextCall,
    refused: Failure,
    subject: { readonly type: 'session' | 'agent' | 'person'; readonly id: Session['id'] | Submitter['id'] },
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
