import type { CallStopper, HaltTarget, StoppedCalls } from '#lib/halt';
import { toTimestamp, type Tx } from '#lib/kernel';
import { cancelled } from '../domain/call-changes.js';
import type { ToolCall } from '../domain/tool-call.js';
import type { CallJournal } from './call-journal.js';
import type { DenyPendingCalls } from './deny-pending-calls.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** Applies a halt to single calls (T35): denies the pending and the allowed ones that it covers, and lists those that left. */
export class StopCalls implements CallStopper {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockLive' | 'save'>,
    private readonly pending: Pick<DenyPendingCalls, 'stopCalls'>,
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
      if (call.state !== 'allowed') continue;
      const fault = { code: 'tool_call.halted', message: halt.reason };
      const next = cancelled(call, fault, by.at);
      await this.calls.save(tx, next);
      const data = { ...fault, halt_id: halt.id };
      await this.journal.record(tx, next, { action: 'tool_call.cancelled', by: by.principal, data });
      denied.push(call.id);
    }
    return { denied, inFlight };
  }
}

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
