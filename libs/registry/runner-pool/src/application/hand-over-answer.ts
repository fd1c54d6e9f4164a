import type { RecordsAnswers } from '#lib/dispatch';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import type { RunnerDispatchId } from '../domain/ids.js';
import type { RunnerDispatchRepository } from './runner-dispatch.ports.js';

/** The records of those sources that wait for answers, by the type of the source. */
export type AnswerRecords = Readonly<Record<'run' | 'tool_call' | 'lifecycle_hook', RecordsAnswers>>;

/**
 * Hands the answer of a runner to the record of its source. Usually the worker that sent the call has written it by then. If that
 * worker died, the answer is recorded here, and not only at the end of the lease (T27). A simulation that lost its worker is made anew.
 */
export class HandOverAnswer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly dispatches: Pick<RunnerDispatchRepository, 'find' | 'handedOver'>,
    private readonly records: AnswerRecords,
  ) {}

  async execute(tenantId: TenantId, id: RunnerDispatchId): Promise<void> {
    await this.uow.run(tenantId, async (tx) => {
      // Unlocked: the record locks its source before the call, as every worker does.
      const call = await this.dispatches.find(tx, id);
      if (call?.handOverAt == null) return;
      const { sourceType: type, sourceId, step, attempt, idempotencyKey } = call;
      if (type === 'run' || type === 'tool_call' || type === 'lifecycle_hook') {
        await this.records[type].recordKept(tx, { source: { type, id: sourceId }, step, attempt, idempotencyKey });
      }
      await this.dispatches.handedOver(tx, id);
    });
  }
}
