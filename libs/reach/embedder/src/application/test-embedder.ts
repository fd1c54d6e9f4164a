import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { AskTenantEmbedder } from './ask-tenant-embedder.js';
import type { EmbedderStore } from './embedder.ports.js';

/** The outcome of a test. */
export interface EmbedderTest {
  /** The length of the vector; null if there was none. */
  readonly dimensions: number | null;
  /** Why there was none, masked; null if there was one. */
  readonly error: string | null;
}

const SENTENCE = 'Countersign asks for a vector of this sentence.';
const DEADLINE_MS = 10_000;

/** Asks the embedder for the vector of a fixed sentence, now. A worker that waits after failures goes on at once. Failure: `resource.not_found`. */
export class TestEmbedder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<EmbedderStore, 'find' | 'lookNow'>,
    private readonly asking: Pick<AskTenantEmbedder, 'execute'>,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: PersonPrincipal): Promise<Result<EmbedderTest>> {
    const there = await this.#record(by);
    if (!there) return err(notFound('embedder'));
    const answer = await this.#vector(by.tenantId);
    return ok(answer);
  }

  #record(by: PersonPrincipal): Promise<boolean> {
    return this.uow.run(by.tenantId, async (tx) => {
      const embedder = await this.embedders.find(tx);
      if (embedder === null) return false;
      await this.embedders.lookNow(tx, embedder.id);
      await this.audit.record(tx, {
        action: 'embedder.tested',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'embedder', id: embedder.id },
        payload: { url: embedder.url },
      });
      return true;
    });
  }

  async #vector(tenantId: TenantId): Promise<EmbedderTest> {
    const answer = await this.asking.execute(tenantId, [SENTENCE], DEADLINE_MS);
    if (answer === null) return { dimensions: null, error: 'It was removed meanwhile.' };
    return answer.ok
      ? { dimensions: answer.value.vectors[0]?.length ?? null, error: null }
      : { dimensions: null, error: answer.error.message };
  }
}
