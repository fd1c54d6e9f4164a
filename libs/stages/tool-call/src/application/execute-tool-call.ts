import type { DispatchOrder, DispatchOutcome, IssueGrant, ToolDispatcher } from '#lib/dispatch';
import type { TenantId, ToolCallId, Tx, UnitOfWork } from '#lib/kernel';
import {
  awaitedUntil,
  cancelled,
  lapsed,
  MAX_ATTEMPTS,
  NO_ANSWER,
  type AllowedCall,
  type ExecutingCall,
} from '../domain/call-changes.js';
import type { ToolCallFacts } from '../domain/tool-call.js';
import { callExecutor, type CallJournal } from './call-journal.js';
import type { DispatchToolCall, LockedCall, SentCall } from './dispatch-tool-call.js';
import type { RecordCallAnswer } from './record-call-answer.js';
import type { RecordKeptCallAnswer } from './record-kept-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

export interface ExecuteToolCallDeps {
  readonly uow: UnitOfWork;
  readonly calls: ToolCallRepository;
  readonly dispatching: DispatchToolCall;
  readonly answers: RecordCallAnswer;
  readonly grants: Pick<IssueGrant, 'ahead'>;
  readonly dispatcher: ToolDispatcher;
  readonly recovering: Pick<RecordKeptCallAnswer, 'recover'>;
  readonly journal: CallJournal;
}

/**
 * Works on a call that is due. Sends an allowed one, lets one lapse after its time, and gives up an overdue answer. If
 * its worker died, the answer that its executor kept is written. A call that is still under way is awaited. Without
 * either, an idempotent call is sent again under a new attempt, and any other becomes unknown (T27).
 *
 * The first transaction commits the attempt and its grant. Then the call is made, and the second one writes the answer.
 * Any number of workers may try: the lock on the call lets one of them send it.
 */
export class ExecuteToolCall {
  constructor(private readonly deps: ExecuteToolCallDeps) {}

  async execute(tenantId: TenantId, id: ToolCallId): Promise<void> {
    const { uow, dispatcher } = this.deps;
    const sent = await uow.run(tenantId, (tx) => this.#begin(tx, id));
    if (sent === null) return;
    const outcome = await dispatcher.dispatch(sent.order);
    if (outcome.kind === 'offered') throw new Error(`the call ${id} was offered to an agent by a worker`);
    await uow.run(tenantId, (tx) => this.#finish(tx, sent, outcome));
  }

  async #begin(tx: Tx, id: ToolCallId): Promise<SentCall | null> {
    const locked = await this.deps.dispatching.lock(tx, id);
    if (locked === null) return null;
    const { call } = locked;
    if (call.state === 'allowed') return this.#allowed(tx, { ...locked, call });
    if (call.state !== 'executing' || locked.now < call.leaseUntil) return null;
    return this.#overdue(tx, { ...locked, call });
  }

  async #allowed(tx: Tx, { call, fault, means, ...known }: Locked<AllowedCall>): Promise<SentCall | null> {
    const by = callExecutor(tx.tenantId);
    const { now, within } = known;
    if (now >= call.allowedUntil) {
      const next = lapsed(call, now);
      await this.deps.calls.save(tx, next);
      await this.deps.journal.record(tx, next, { action: 'tool_call.expired', by, within });
      return null;
    }
    if (!isSentByUs(call)) return null;
    if (fault === null && means !== null) return this.#send(tx, call, means, known);
    if (fault === null) return null;
    const next = cancelled(call, fault, now);
    await this.deps.calls.save(tx, next);
    await this.deps.journal.record(tx, next, { action: 'tool_call.cancelled', by, data: { ...fault }, within });
    return null;
  }

  async #overdue(tx: Tx, { call, means, now, within }: Locked<ExecutingCall>): Promise<SentCall | null> {
    const kept = await this.deps.recovering.recover(tx, call, now);
    if (kept?.kind === 'under_way') await this.deps.calls.save(tx, awaitedUntil(call, kept.until));
    if (kept !== null) return null;
    const again = isSentByUs(call) && means?.tool.definition.idempotent === true && call.attempt < MAX_ATTEMPTS;
    if (again) return this.#send(tx, call, means, { now, within });
    const outcome = { kind: 'unknown', error: NO_ANSWER } as const;
    await this.deps.answers.write(tx, call, { outcome, by: callExecutor(tx.tenantId), now, within });
    return null;
  }

  async #send(
    tx: Tx,
    call: AllowedCall | ExecutingCall,
    means: NonNullable<LockedCall['means']>,
    known: Pick<LockedCall, 'now' | 'within'>,
  ): Promise<SentCall> {
    const sent = await this.deps.dispatching.send(tx, call, means, { by: callExecutor(tx.tenantId), ...known });
    const lease = { since: known.now, until: sent.call.leaseUntil };
    const order: DispatchOrder = { ...sent.order, ahead: await this.deps.grants.ahead(tx, sent.order, lease) };
    return { ...sent, order };
  }

  async #finish(tx: Tx, { call: { id, attempt }, within }: SentCall, outcome: DispatchOutcome): Promise<void> {
    const { calls, answers } = this.deps;
    // Sent one after the other and awaited once: the clock is read after the lock.
    const [call, now] = await Promise.all([calls.lock(tx, id), tx.now()]);
    if (call === null) throw new Error(`the call ${id} is gone while it was in flight`);
    const answer = { outcome, by: callExecutor(tx.tenantId), now, within };
    if (call.state === 'executing' && call.attempt === attempt) await answers.write(tx, call, answer);
    else await answers.keepLate(tx, call, { ...answer, attempt });
  }
}

type Locked<Call> = Omit<LockedCall, 'call'> & { readonly call: Call };

const isSentByUs = ({ executor }: ToolCallFacts): boolean => executor?.answeredBy === 'executor';
