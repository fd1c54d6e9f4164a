import type { TestConnection } from '#lib/connection';
import { ok, type PersonPrincipal, type Result } from '#lib/kernel';
import type { EmbedderSettings } from '../domain/embedder.js';
import type { AskTenantEmbedder } from './ask-tenant-embedder.js';

/** The outcome of a test. */
export interface EmbedderTest {
  /** The length of the vector; null if there was none. */
  readonly dimensions: number | null;
  /** The reason why there was none, masked; null if there was one. */
  readonly error: string | null;
}

const SENTENCE = 'Countersign asks for a vector of this sentence.';
const DEADLINE_MS = 10_000;

/** Asks the embedder for the vector of a fixed sentence, now. A worker that waits after failures goes on at once. Failure: `resource.not_found`. */
export class TestEmbedder {
  constructor(
    private readonly testing: Pick<TestConnection<EmbedderSettings>, 'execute'>,
    private readonly asking: Pick<AskTenantEmbedder, 'execute'>,
  ) {}

  async execute(by: PersonPrincipal): Promise<Result<EmbedderTest>> {
    const tested = await this.testing.execute(by);
    if (!tested.ok) return tested;
    const answer = await this.asking.execute(by.tenantId, [SENTENCE], DEADLINE_MS);
    if (answer === null) return ok({ dimensions: null, error: 'It was removed meanwhile.' });
    return ok(
      answer.ok
        ? { dimensions: answer.value.vectors[0]?.length ?? null, error: null }
        : { dimensions: null, error: answer.error.message },
    );
  }
}
