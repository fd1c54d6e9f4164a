import type { DispatchOrder, IssueGrant } from '#lib/dispatch';
import type { Principal, ToolCallId, Tx, UnitOfWork } from '#lib/kernel';
import { cancelled } from '../domain/call-changes.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { CallJournal } from './call-journal.js';
import { agentIdOf, type DispatchToolCall } from './dispatch-tool-call.js';
import { outcomeOf, type ToolCallAnswer } from './tool-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** The grant of a call for the agent that makes it. */
export interface CallGrant {
  /** Its jti is the call's id. */
  readonly grant: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A call as it stands now. */
export interface TakenCall {
  readonly answer: ToolCallAnswer;
  /** Null for everybody but the agent that makes the call. Null, too, for a call in another state, or that may not leave any more. */
  readonly granted: CallGrant | null;
}

/** A call that was locked. */
interface LockedToTake {
  readonly call: ToolCall;
  /** Null if it may not leave. */
  readonly order: DispatchOrder | null;
}

/**
 * Hands an allowed call to the agent that asked for it, if its executor is an agent. The call is executing from then on, and its
 * report is awaited for the time limit of its tool. Asked again meanwhile, the agent gets the same grant.
 */
export class TakeToolCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: ToolCallRepository,
    private readonly dispatching: DispatchToolCall,
    private readonly grants: Pick<IssueGrant, 'fetch'>,
    private readonly journal: CallJournal,
  ) {}

  /** @param answer to the call, as its reader knows it. It is returned as it is to everybody but the agent that makes the call. */
  async execute(principal: Principal, answer: ToolCallAnswer): Promise<TakenCall> {
    if (principal.kind !== 'agent' || !principal.scopes.includes('run')) return { answer, granted: null };
    const locked = await this.uow.run(principal.tenantId, (tx) => this.#taken(tx, principal, answer.id));
    if (locked === null) return { answer, granted: null };
    const { call, order } = locked;
    return {
      answer: { ...answer, ...outcomeOf(call) },
      granted: order === null ? null : await this.grants.fetch(order, call.id),
    };
  }

  /** @returns null for the call of somebody else, and for one that its agent does not make. */
  async #taken(tx: Tx, by: Principal & { readonly kind: 'agent' }, id: ToolCallId): Promise<LockedToTake | null> {
    const found = await this.calls.find(tx, id);
    if (found?.executor?.answeredBy !== 'agent' || agentIdOf(found) !== by.agentId) return null;
    const locked = await this.dispatching.lock(tx, id);
    if (locked === null) return null;
    const { call, fault, means, now, within } = locked;
    if (call.state === 'allowed' && now < call.allowedUntil && fault !== null) {
      const next = cancelled(call, fault, now);
      await this.calls.save(tx, next);
      await this.journal.record(tx, next, { action: 'tool_call.cancelled', by, data: { ...fault }, within });
      return { call: next, order: null };
    }
    if (means !== null && call.state === 'executing' && now < call.leaseUntil)
      return { call, order: this.dispatching.orderOf(tx, call, means) };
    if (means === null || call.state !== 'allowed' || now >= call.allowedUntil) return { call, order: null };
    return this.dispatching.send(tx, call, means, { by, now, within });
  }
}
