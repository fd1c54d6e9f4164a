import type { EmbedderFailedError } from '#lib/embedding';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import type { AskTenantEmbedder, EmbedderAnswer } from './ask-tenant-embedder.js';
import type { EmbedderWork } from './embedder.ports.js';

/** The vector of a question. */
export interface FoundVector {
  readonly generation: number;
  readonly vector: Float32Array;
  /** The cosine from which on another vector is similar. */
  readonly least: number;
}

/** A question waits so long for its vector, in milliseconds. A later one is there for the next question. */
const WAIT_MS = 300;
/** The embedder may take so long. */
const DEADLINE_MS = 5_000;
/** After a failure it is not asked for so long, unless it answers somebody else meanwhile. */
const PAUSE_MS = 30_000;
/** However long it names itself: an operator who fixes it need not restart this process. */
const MAX_PAUSE_MS = 600_000;
/** Requests of one tenant at the same time. */
const AT_ONCE = 8;
const MAX_KEPT = 500;
/** Of a question, in characters. */
const MAX_CHARACTERS = 6_000;

/** Finds the vector of a question within a bounded time. A slow or dead embedder costs a question no more, and mostly nothing. */
export class FindVector {
  /** In the order of their last use. */
  readonly #kept = new Map<string, Float32Array>();
  readonly #asked = new Map<string, Promise<Float32Array | null>>();
  readonly #underWay = new Map<TenantId, number>();
  /** On the clock of this process. */
  readonly #pausedUntil = new Map<TenantId, number>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: Pick<EmbedderWork, 'known'>,
    private readonly asking: Pick<AskTenantEmbedder, 'execute'>,
    private readonly waitMs = WAIT_MS,
  ) {}

  /** @returns null if the tenant has no embedder, or it gives no vector in time. */
  async execute(tenantId: TenantId, question: string): Promise<FoundVector | null> {
    const text = question.trim().slice(0, MAX_CHARACTERS);
    if (text === '') return null;
    const embedder = await this.uow.run(tenantId, (tx) => this.work.known(tx));
    if (embedder?.least == null) return null;
    const { id, generation, least, isFailing } = embedder;
    // A test of its admin, or a worker, had an answer since.
    if (!isFailing) this.#pausedUntil.delete(tenantId);
    const key = [id, generation, text].join(' ');
    const vector = this.#kept.get(key) ?? (await this.#inTime(this.#ask(tenantId, { key, generation, text })));
    if (vector === null) return null;
    this.#keep(key, vector);
    return { generation, vector, least };
  }

  #ask(tenantId: TenantId, { key, generation, text }: Question): Promise<Float32Array | null> {
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    const underWay = this.#underWay.get(tenantId) ?? 0;
    if (underWay >= AT_ONCE || performance.now() < (this.#pausedUntil.get(tenantId) ?? 0)) return Promise.resolve(null);
    this.#underWay.set(tenantId, underWay + 1);
    const asking = this.asking
      .execute(tenantId, [text], DEADLINE_MS)
      // The database may be gone while no question waits any more.
      .catch(() => null)
      .then((answer) => {
        const vector = vectorIn(answer, generation);
        this.#note(tenantId, key, answer);
        if (vector !== null) this.#keep(key, vector);
        return vector;
      });
    this.#asked.set(key, asking);
    return asking;
  }

  #note(tenantId: TenantId, key: string, answer: EmbedderAnswer | null): void {
    this.#asked.delete(key);
    const left = (this.#underWay.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(tenantId);
    else this.#underWay.set(tenantId, left);
    if (answer?.ok === false && answer.error.failure !== 'rejected')
      this.#pausedUntil.set(tenantId, performance.now() + pauseAfter(answer.error));
    else this.#pausedUntil.delete(tenantId);
  }

  #keep(key: string, vector: Float32Array): void {
    this.#kept.delete(key);
    this.#kept.set(key, vector);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  async #inTime(asked: Promise<Float32Array | null>): Promise<Float32Array | null> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        resolve(null);
      }, this.waitMs);
    });
    try {
      return await Promise.race([asked, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Question {
  readonly key: string;
  readonly generation: number;
  readonly text: string;
}

/** None of another generation: the embedder may have become another one before it was asked. */
const vectorIn = (answer: EmbedderAnswer | null, generation: number): Float32Array | null =>
  answer?.ok === true && answer.value.generation === generation ? (answer.value.vectors[0] ?? null) : null;

const pauseAfter = ({ retryAfterMs }: EmbedderFailedError): number => Math.min(MAX_PAUSE_MS, retryAfterMs ?? PAUSE_MS);
