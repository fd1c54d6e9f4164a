import { digestOf, type BlobFolder } from './blob-folder.js';

/** The contents that are written at once: the disk orders them better than one by one. */
const WRITES_AT_ONCE = 16;

/** Writes contents for one snapshot, several at once, each only once. */
export class KeptContents {
  readonly #known = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  /** The first write that failed. Nobody may be waiting for it at that moment. */
  #failed: { readonly problem: unknown } | null = null;

  constructor(
    private readonly blobs: BlobFolder,
    private readonly own: string,
  ) {}

  async keep(content: Buffer): Promise<string> {
    this.#throwIfFailed();
    const digest = digestOf(content);
    if (this.#known.has(digest)) return digest;
    this.#known.add(digest);
    if (this.#writing.size >= WRITES_AT_ONCE) await Promise.race(this.#writing);
    const write: Promise<void> = this.blobs
      .keep(this.own, digest, content)
      .catch((problem: unknown) => {
        this.#failed ??= { problem };
      })
      .finally(() => this.#writing.delete(write));
    this.#writing.add(write);
    return digest;
  }

  /** Waits for all writes. @throws the problem of the first that failed. */
  async written(): Promise<void> {
    await this.settled();
    this.#throwIfFailed();
  }

  /** Waits until no write is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #throwIfFailed(): void {
    if (this.#failed !== null) throw this.#failed.problem;
  }
}
