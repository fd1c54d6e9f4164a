import type { TenantId, UnitOfWork } from '#lib/kernel';
import { MAX_COUNTED } from '#lib/words';
import type { EmbedderWork, VectorsWanted } from './embedder.ports.js';

/** The work that an embedder has before it. */
export interface EmbedderAtWork {
  /** Texts that have no vector yet; one more than {@link MAX_COUNTED} stands for any number beyond it. */
  readonly waiting: number;
  /** When a worker looks for them again, in epoch milliseconds. */
  readonly nextAt: number;
}

/** Reads the work that the embedder of a tenant has before it. */
export class ReadEmbedderWork {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: Pick<EmbedderWork, 'known'>,
    private readonly wanted: Pick<VectorsWanted, 'countWithout'>,
  ) {}

  /** @returns null without an embedder. */
  execute(tenantId: TenantId): Promise<EmbedderAtWork | null> {
    return this.uow.run(tenantId, async (tx) => {
      const known = await this.work.known(tx);
      if (known === null) return null;
      const waiting = await this.wanted.countWithout(tx, known.generation, MAX_COUNTED + 1);
      return { waiting, nextAt: known.nextAt };
    });
  }
}
