import type { VoidRequests } from '#lib/approval';
import type { HaltTarget } from '#lib/halt';
import type { AgentId, Principal, ToolCallId, Tx } from '#lib/kernel';
import type { SessionEnded, SessionEndedListener } from '#lib/session';
import type { CallsOf, ToolCallRepository } from './tool-call.port.js';

/** Denies the calls that wait for people once their session ends, their agent is disabled, or a halt covers them. Their waiters hear of it. */
export class DenyPendingCalls implements SessionEndedListener {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockPending'>,
    private readonly requests: Pick<VoidRequests, 'callWithdrawn'>,
  ) {}

  async sessionEnded(tx: Tx, { session, principal, at }: SessionEnded): Promise<void> {
    await this.#deny(tx, { kind: 'session', sessionId: session.id }, { principal, at, why: 'session_ended' });
  }

  async stopCalls(
    tx: Tx,
    target: HaltTarget,
    by: { readonly principal: Principal; readonly at: number },
  ): Promise<readonly ToolCallId[]> {
    return this.#deny(tx, target, { ...by, why: 'halted' });
  }

  async agentDisabled(
    tx: Tx,
    agentId: AgentId,
    by: { readonly principal: Principal; readonly at: number },
  ): Promise<void> {
    await this.#deny(tx, { kind: 'agent', agentId }, { ...by, why: 'agent_disabled' });
  }

  async #deny(tx: Tx, of: CallsOf, by: Parameters<VoidRequests['callWithdrawn']>[2]): Promise<readonly ToolCallId[]> {
    const ids = (await this.calls.lockPending(tx, of)).map(({ id }) => id);
    for (const id of ids) await this.requests.callWithdrawn(tx, id, by);
    return ids;
  }
}
