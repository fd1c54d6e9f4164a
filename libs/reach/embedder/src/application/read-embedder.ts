import { err, notFound, ok, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { Embedder } from '../domain/embedder.js';
import type { EmbedderStore } from './embedder.ports.js';

/** Reads the embedder, without its token. Failure: `resource.not_found`. */
export class ReadEmbedder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<EmbedderStore, 'find'>,
  ) {}

  execute(tenantId: TenantId): Promise<Result<Embedder>> {
    return this.uow.run(tenantId, async (tx) => {
      const embedder = await this.embedders.find(tx);
      return embedder === null ? err(notFound('embedder')) : ok(embedder);
    });
  }
}
