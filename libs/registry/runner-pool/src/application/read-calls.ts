import { err, notFound, ok, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { RunnerDispatchId } from '../domain/ids.js';
import type { RunnerDispatch, RunnerDispatchRepository } from './runner-dispatch.ports.js';
import type { OutputChunk } from './runner.ports.js';

/** Output of a call, from a number on. */
export interface SeenOutput {
  readonly chunks: readonly (OutputChunk & { readonly seq: number })[];
  /** Whether output beyond the cap was left out. */
  readonly cut: boolean;
  /** Whether more may come. */
  readonly open: boolean;
}

/** Shows the calls that runners fetch, and their output while it arrives. */
export class ReadCalls {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly dispatches: Pick<RunnerDispatchRepository, 'find' | 'ofSource' | 'output'>,
  ) {}

  /** The calls of a run or of another source, in the order of their offers; at most 500. */
  ofSource(tenantId: TenantId, sourceId: string): Promise<readonly RunnerDispatch[]> {
    return this.uow.run(tenantId, (tx) => this.dispatches.ofSource(tx, sourceId));
  }

  /** Failure: `resource.not_found`. @param after the number of the last chunk that is known; 0 for all. */
  output(tenantId: TenantId, id: RunnerDispatchId, after: number): Promise<Result<SeenOutput>> {
    return this.uow.run(tenantId, async (tx): Promise<Result<SeenOutput>> => {
      const call = await this.dispatches.find(tx, id);
      if (call === null) return err(notFound('call'));
      const chunks = await this.dispatches.output(tx, id, after);
      return ok({ chunks, cut: call.outputCut, open: call.state === 'waiting' || call.state === 'taken' });
    });
  }
}
