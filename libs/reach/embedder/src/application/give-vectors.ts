import type { ConnectionStore } from '#lib/connection';
import { EmbedderFailedError, nextBatchSize } from '#lib/embedding';
import type { ConnectionId, TenantId, UnitOfWork } from '#lib/kernel';
import { CALIBRATION, leastOf } from '../domain/calibration.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import type { AskTenantEmbedder, EmbedderAnswer } from './ask-tenant-embedder.js';
import {
  MAX_BATCH_SIZE,
  type EmbedderWork,
  type KnownEmbedder,
  type VectorsWanted,
  type WantedText,
} from './embedder.ports.js';

const DEADLINE_MS = 20_000;
/** Longer than all requests of a turn take. */
const CLAIMED_MS = 600_000;
/** Texts without a vector are looked for so often. */
const LOOK_MS = 30_000;
/** After a failure, for the first time; then twice as long each time. */
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 600_000;
/** Of a text, in characters: about 2,000 tokens. */
const MAX_CHARACTERS = 6_000;

/** Gives texts of a tenant their vectors, batch by batch, in a worker. No transaction waits for the embedder. */
export class GiveVectors {
  /** The text of each embedder that was late alone the last time. Another process does not know it, and waits once more. */
  readonly #lateAlone = new Map<ConnectionId, string>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<ConnectionStore<EmbedderSettings>, 'find' | 'lockForChange' | 'note'>,
    private readonly work: EmbedderWork,
    private readonly asking: Pick<AskTenantEmbedder, 'execute'>,
    private readonly wanted: VectorsWanted,
  ) {}

  /** @returns 0 if more is to be done at once; null if the row says when. */
  async execute(tenantId: TenantId, id: ConnectionId): Promise<number | null> {
    const claimed = await this.uow.run(tenantId, async (tx) => {
      const embedder = await this.work.claim(tx, id, CLAIMED_MS);
      if (embedder === null) return null;
      return { embedder, texts: await this.wanted.without(tx, embedder.generation, embedder.batch) };
    });
    if (claimed === null) return null;
    const { embedder, texts } = claimed;
    const failure = (await this.#measure(tenantId, embedder)) ?? (await this.#give(tenantId, embedder, texts));
    const more = failure === null && texts.length === embedder.batch;
    await this.uow.run(tenantId, (tx) =>
      failure === null
        ? this.work.rest(tx, embedder, more ? 0 : LOOK_MS)
        : this.work.restAfterFailure(tx, embedder, (failures) => waitAfter(failure, failures)),
    );
    return more ? 0 : null;
  }

  /** Measures a new generation, before its first vector is compared. */
  async #measure(tenantId: TenantId, embedder: KnownEmbedder): Promise<EmbedderFailedError | null> {
    if (embedder.least !== null) return null;
    const vectors: Float32Array[] = [];
    for (let first = 0; first < CALIBRATION.length; first += embedder.batch) {
      const sentences = CALIBRATION.slice(first, first + embedder.batch);
      const answer = await this.#askKnown(tenantId, embedder, sentences);
      if (answer?.ok !== true) return failureOf(answer);
      vectors.push(...answer.value.vectors);
    }
    const least = leastOf(vectors);
    await this.uow.run(tenantId, (tx) =>
      least === null
        ? this.embedders.note(tx, embedder, 'The model tells meanings hardly apart. Name another one.')
        : this.work.saveLeast(tx, embedder, least),
    );
    return least === null ? new EmbedderFailedError('unavailable', 'no measure', MAX_WAIT_MS) : null;
  }

  /** A server that rejects sentences of ours works with no text at all, and its admin has to see why. */
  async #askKnown(
    tenantId: TenantId,
    embedder: KnownEmbedder,
    sentences: readonly string[],
  ): Promise<EmbedderAnswer | null> {
    const answer = await this.#ask(tenantId, embedder, sentences);
    if (answer?.ok === false && answer.error.failure === 'rejected') {
      const { message } = answer.error;
      await this.uow.run(tenantId, (tx) => this.embedders.note(tx, embedder, message));
    }
    return answer;
  }

  /** Asks, and keeps how many texts the next turn puts into a request. */
  async #ask(tenantId: TenantId, embedder: KnownEmbedder, texts: readonly string[]): Promise<EmbedderAnswer | null> {
    const startedAt = performance.now();
    const answer = await this.asking.execute(tenantId, texts, DEADLINE_MS);
    const isLate = failureOf(answer)?.failure === 'late';
    if (answer?.ok !== true && !isLate) return answer;
    const tookMs = isLate ? null : performance.now() - startedAt;
    const asked = { texts: texts.length, tookMs, deadlineMs: DEADLINE_MS };
    const batch = nextBatchSize(embedder.batch, asked, MAX_BATCH_SIZE);
    if (batch !== embedder.batch) await this.uow.run(tenantId, (tx) => this.work.saveBatch(tx, embedder, batch));
    return answer;
  }

  async #give(
    tenantId: TenantId,
    embedder: KnownEmbedder,
    texts: readonly WantedText[],
    isOneOfMany = false,
  ): Promise<EmbedderFailedError | null> {
    const { generation } = embedder;
    if (texts.length === 0) return null;
    const shortened = texts.map(({ text }) => text.slice(0, MAX_CHARACTERS));
    const answer = await this.#ask(tenantId, embedder, shortened);
    if (answer?.ok === false && this.#isAboutTexts(answer.error, embedder, texts)) {
      // Is it these texts, or every text?
      const known = isOneOfMany ? null : await this.#askKnown(tenantId, embedder, CALIBRATION.slice(0, 1));
      if (known?.ok === false) return known.error;
      if (texts.length > 1) return this.#oneByOne(tenantId, embedder, texts);
      await this.#keep(tenantId, generation, texts, [null]);
      return null;
    }
    if (answer?.ok !== true) return failureOf(answer);
    const { value } = answer;
    if (value.generation === generation) await this.#keep(tenantId, generation, texts, value.vectors);
    return null;
  }

  /** After a late answer the next turn asks for fewer. A text that is late twice alone may be one that the embedder works on for too long. */
  #isAboutTexts(
    { failure }: EmbedderFailedError,
    { id, generation }: KnownEmbedder,
    texts: readonly WantedText[],
  ): boolean {
    const [only] = texts;
    if (failure !== 'late' || texts.length !== 1 || only === undefined) return failure === 'rejected';
    const text = `${String(generation)} ${only.id}`;
    const wasLate = this.#lateAlone.get(id) === text;
    this.#lateAlone.set(id, text);
    return wasLate;
  }

  /** Nothing if the embedder was removed or named anew meanwhile: its vectors are gone then. */
  #keep(
    tenantId: TenantId,
    generation: number,
    texts: readonly WantedText[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      await this.embedders.lockForChange(tx);
      const embedder = await this.embedders.find(tx);
      if (embedder?.generation === generation) await this.wanted.keep(tx, generation, texts, vectors);
    });
  }

  /** One text that the embedder rejects, or works on for too long, must not keep the others from their vectors. */
  async #oneByOne(
    tenantId: TenantId,
    embedder: KnownEmbedder,
    texts: readonly WantedText[],
  ): Promise<EmbedderFailedError | null> {
    for (const text of texts) {
      const failure = await this.#give(tenantId, embedder, [text], true);
      if (failure !== null) return failure;
    }
    return null;
  }
}

/** Without an answer the embedder is gone. */
const failureOf = (answer: EmbedderAnswer | null): EmbedderFailedError | null =>
  answer?.ok === false ? answer.error : null;

const waitAfter = ({ retryAfterMs }: EmbedderFailedError, failures: number): number =>
  Math.min(MAX_WAIT_MS, retryAfterMs ?? FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
