import type { Tx } from '#lib/kernel';
import { answered, cancelled, isAllowed } from '../domain/call-changes.js';
import { callExecutor, type CallJournal } from './call-journal.js';
import type { CallOutputStore } from './call-output.port.js';
import { endCallOutput } from './end-call-output.js';
import type { ToolCallRepository } from './tool-call.port.js';

/**
 * Applies a restore from a backup to single calls (T30). The backup lacks events that did happen, so that no call leaves by what it
 * shows: an allowed call is denied, and an executing one becomes unknown, an idempotent one too.
 */
export class StopForRestore {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockLive' | 'save'>,
    private readonly journal: CallJournal,
    private readonly output: Pick<CallOutputStore, 'standing' | 'append'>,
  ) {}

  async execute(tx: Tx, { reason }: { readonly reason: string }): Promise<void> {
    const [by, now] = [callExecutor(tx.tenantId), await tx.now()];
    const fault = { code: 'tool_call.restored', message: reason };
    for (const call of await this.calls.lockLive(tx, { kind: 'tenant' })) {
      if (isAllowed(call, now)) {
        const next = cancelled(call, fault, now);
        await this.calls.save(tx, next);
        await this.journal.record(tx, next, { action: 'tool_call.cancelled', by, data: { ...fault } });
      } else if (call.state === 'executing') {
        const next = answered(call, { kind: 'unknown', error: fault }, now);
        await this.calls.save(tx, next);
        await endCallOutput(tx, this.output, call);
        await this.journal.record(tx, next, { action: 'tool_call.unknown', by, data: { error: fault } });
      }
    }
  }
}
