import type { CallStopper, HaltTarget, StoppedCalls } from '#lib/halt';
import { toTimestamp, type AgentId, type Principal, type Tx } from '#lib/kernel';
import type { SessionEnded, SessionEndedListener } from '#lib/session';
import { cancelled, isAllowed, type AllowedCall } from '../domain/call-changes.js';
import { SUBMITTER_DISABLED, type CallFault, type ToolCall } from '../domain/tool-call.js';
import type { CallJournal } from './call-journal.js';
import type { DenyPendingCalls } from './deny-pending-calls.js';
import type { ToolCallRepository } from './tool-call.port.js';

/**
 * Denies pending and allowed calls: of a session that ends, of a disabled agent, or under a halt (T35). A halt lists
 * those that left; the others leave them to their outcome.
 */
export class StopCalls implements CallStopper, SessionEndedListener {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockLive' | 'save'>,
    private readonly pending: Pick<DenyPendingCalls, 'stopCalls' | 'sessionEnded' | 'agentDisabled'>,
    private readonly journal: CallJournal,
  ) {}

  async stopCalls(
    tx: Tx,
    target: HaltTarget,
    { halt, ...by }: Parameters<CallStopper['stopCalls']>[2],
  ): Promise<StoppedCalls> {
    const denied = [...(await this.pending.stopCalls(tx, target, by))];
    const inFlight = [];
    for (const call of await this.calls.lockLive(tx, target)) {
      if (call.state === 'executing') inFlight.push(inFlightCall(call));
      if (!isAllowed(call, by.at)) continue;
      await this.#cancel(tx, call, { code: 'tool_call.halted', message: halt.reason }, by);
      denied.push(call.id);
    }
    return { denied, inFlight };
  }

  async sessionEnded(tx: Tx, event: SessionEnded): Promise<void> {
    await this.pending.sessionEnded(tx, event);
    for (const call of await this.calls.lockLive(tx, { kind: 'session', sessionId: event.session.id }))
      if (isAllowed(call, event.at)) await this.#cancel(tx, call, SESSION_ENDED, event);
  }

  async agentDisabled(
    tx: Tx,
    agentId: AgentId,
    by: { readonly principal: Principal; readonly at: number },
  ): Promise<void> {
    await this.pending.agentDisabled(tx, agentId, by);
    for (const call of await this.calls.lockLive(tx, { kind: 'agent', agentId }))
      if (isAllowed(call, by.at)) await this.#cancel(tx, call, SUBMITTER_DISABLED, by);
  }

  async #cancel(
    tx: Tx,
    call: AllowedCall,
    fault: CallFault,
    { principal, at }: { readonly principal: Principal; readonly at: number },
  ): Promise<void> {
    const next = cancelled(call, fault, at);
    await this.calls.save(tx, next);
    await this.journal.record(tx, next, { action: 'tool_call.cancelled', by: principal, data: { ...fault } });
  }
}

const SESSION_ENDED: CallFault = {
  code: 'tool_call.session_ended',
  message: 'The session of the call ended before the call left.',
};

const inFlightCall = ({
  id,
  attempt,
  tool,
  targets,
  dispatchedAt,
  state,
}: ToolCall & { readonly state: 'executing' }) => ({
  tool_call_id: id,
  attempt,
  tool: `${tool.name}@${String(tool.version)}`,
  targets: [...targets],
  dispatched_at: toTimestamp(dispatchedAt),
  state,
});
