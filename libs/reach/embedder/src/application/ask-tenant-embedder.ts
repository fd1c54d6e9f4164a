import type { ConnectionStore } from '#lib/connection';
import { EmbedderFailedError } from '#lib/embedding';
import { maskSecretText, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { Embedder, EmbedderSettings } from '../domain/embedder.js';
import type { EmbedderClient } from './embedder.ports.js';

/** A success is noted so often, if the one before was a success too. */
const NOTED_EVERY_MS = 60_000;

/** The vectors that an embedder gave, one for each text, in their order. */
export interface GivenVectors {
  readonly generation: number;
  readonly vectors: readonly Float32Array[];
}

/** An answer of an embedder. */
export type EmbedderAnswer =
  | { readonly ok: true; readonly value: GivenVectors }
  | { readonly ok: false; readonly error: EmbedderFailedError };

/** Asks the embedder of a tenant. Texts are masked before they leave, and no transaction waits for the answer. */
export class AskTenantEmbedder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<ConnectionStore<EmbedderSettings>, 'find' | 'token' | 'note'>,
    private readonly client: EmbedderClient,
  ) {}

  /** @returns null if the tenant names no embedder. */
  async execute(tenantId: TenantId, texts: readonly string[], deadlineMs: number): Promise<EmbedderAnswer | null> {
    const target = await this.uow.run(tenantId, async (tx) => {
      const embedder = await this.embedders.find(tx);
      if (embedder === null) return null;
      return { embedder, token: await this.embedders.token(tx, embedder.id), at: await tx.now() };
    });
    if (target === null) return null;
    const { embedder, token, at } = target;
    const answer = await this.#ask(tenantId, embedder, token, texts.map(maskSecretText), deadlineMs);
    const error = answer.ok ? null : answer.error;
    const { error: before, answeredAt } = embedder;
    // A text that it rejects says nothing about the embedder, and not every answer is news.
    const isKnown = error === null && before === null && answeredAt !== null && at - answeredAt < NOTED_EVERY_MS;
    if (error?.failure !== 'rejected' && !isKnown)
      await this.uow.run(tenantId, (tx) => this.embedders.note(tx, embedder, error?.message ?? null));
    return answer;
  }

  async #ask(
    tenantId: TenantId,
    { url, ca, model, dimensions, generation }: Embedder,
    token: string | null,
    texts: readonly string[],
    deadlineMs: number,
  ): Promise<EmbedderAnswer> {
    try {
      const vectors = await this.client.ask(tenantId, { url, ca, model, dimensions, token, texts, deadlineMs });
      return { ok: true, value: { generation, vectors } };
    } catch (error) {
      if (error instanceof EmbedderFailedError) return { ok: false, error };
      throw error;
    }
  }
}
