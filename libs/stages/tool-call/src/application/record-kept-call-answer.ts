import type { KeptAnswer, KeptAnswers, RecordsAnswers, SentCallName } from '#lib/dispatch';
import type { ToolCallId, Tx } from '#lib/kernel';
import type { ExecutingCall } from '../domain/call-changes.js';
import { callExecutor } from './call-journal.js';
import type { RecordCallAnswer } from './record-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** Records the answer to a call that its worker did not. The agent reads it before the lease of the call ends (T27). */
export class RecordKeptCallAnswer implements RecordsAnswers {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lock'>,
    private readonly answers: Pick<RecordCallAnswer, 'write'>,
    private readonly kept: KeptAnswers,
  ) {}

  async recordKept(tx: Tx, { source, attempt }: SentCallName): Promise<void> {
    // The source of a single call is the call itself.
    const call = await this.calls.lock(tx, source.id as ToolCallId);
    if (call?.state === 'executing' && call.attempt === attempt) await this.recover(tx, call, await tx.now());
  }

  /** The answer that is known of a locked call. One that counts is written. Null if nothing is known. */
  async recover(tx: Tx, call: ExecutingCall, now: number): Promise<KeptAnswer | null> {
    const kept = await this.kept.of(tx, {
      source: { type: 'tool_call', id: call.id },
      step: call.id,
      attempt: call.attempt,
      idempotencyKey: call.id,
    });
    if (kept !== null && kept.kind !== 'under_way') {
      await this.answers.write(tx, call, { outcome: kept, by: callExecutor(tx.tenantId), now });
    }
    return kept;
  }
}
