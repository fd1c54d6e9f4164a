import { err, notFound, ok, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { Embedder } from '../domain/embedder.js';
import type { EmbedderStore, VectorsWanted } from './embedder.ports.js';

/** An embedder, and the texts that it has given no vector yet. */
export interface EmbedderAtWork {
  readonly embedder: Embedder;
  readonly waiting: number;
}

/** Reads the embedder, without its token, and the work that it has before it. Failure: `resource.not_found`. */
export class ReadEmbedder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<EmbedderStore, 'find'>,
    private readonly wanted: Pick<VectorsWanted, 'countWithout'>,
  ) {}

  execute(tenantId: TenantId): Promise<Result<EmbedderAtWork>> {
    return this.uow.run(tenantId, async (tx) => {
      const embedder = await this.embedders.find(tx);
      if (embedder === null) return err(notFound('embedder'));
      return ok({ embedder, waiting: await this.wanted.countWithout(tx, embedder.generation) });
    });
  }
}
