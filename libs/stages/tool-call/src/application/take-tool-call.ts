import type { DispatchOrder, IssueGrant } from '#lib/dispatch';
import type { Principal, ToolCallId, Tx, UnitOfWork } from '#lib/kernel';
import { cancelled } from '../domain/call-changes.js';
import type { CallJournal } from './call-journal.js';
import { agentIdOf, type DispatchToolCall } from './dispatch-tool-call.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** The grant of a call for the agent that makes it. */
export interface CallGrant {
  /** Its jti is the call's id. */
  readonly grant: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
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

  /** @returns null for everybody else, for a call in another state, and for one that may not leave any more. */
  async execute(principal: Principal, id: ToolCallId): Promise<CallGrant | null> {
    if (principal.kind !== 'agent' || !principal.scopes.includes('run')) return null;
    const order = await this.uow.run(principal.tenantId, (tx) => this.#taken(tx, principal, id));
    return order === null ? null : this.grants.fetch(order, id);
  }

  async #taken(tx: Tx, by: Principal & { readonly kind: 'agent' }, id: ToolCallId): Promise<DispatchOrder | null> {
    const found = await this.calls.find(tx, id);
    if (found?.executor?.answeredBy !== 'agent' || agentIdOf(found) !== by.agentId) return null;
    const locked = await this.dispatching.lock(tx, id);
    if (locked === null) return null;
    const { call, fault, means, now, within } = locked;
    if (call.state === 'allowed' && now < call.allowedUntil && fault !== null) {
      const next = cancelled(call, fault, now);
      await this.calls.save(tx, next);
      await this.journal.record(tx, next, { action: 'tool_call.cancelled', by, data: { ...fault }, within });
    }
    if (means === null) return null;
    if (call.state === 'executing' && now < call.leaseUntil) return this.dispatching.orderOf(tx, call, means);
    if (call.state !== 'allowed' || now >= call.allowedUntil) return null;
    return (await this.dispatching.send(tx, call, means, { by, now, within })).order;
  }
}
