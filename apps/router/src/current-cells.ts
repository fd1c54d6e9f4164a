import type { Cell, CellMap, Clue } from '#lib/cell-map';
import type { KeptMap, Reading } from './kept-map.js';

/** The file of the last reading is at most so old while the map's database answers. */
const KEPT_EVERY_MS = 60_000;

interface CurrentCellsDeps {
  /** Keeps the last reading beyond the process. */
  readonly kept: Pick<KeptMap, 'read' | 'write'>;
  /** A reading counts for so long while no newer one can be made. */
  readonly mostAgeMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The map as it was last read. While the map's database is away, the last reading stands, up to an age. */
export class CurrentCells {
  readonly #changed = new Set<() => void>();
  #reading = false;
  #again = false;
  #keptAt = -Infinity;

  private constructor(
    private last: Reading,
    private readonly map: Pick<CellMap, 'read' | 'watch'>,
    private readonly deps: CurrentCellsDeps,
  ) {}

  /** @throws if the map cannot be read, and no kept reading of it is young enough. A router without a map has no target. */
  static async open(
    map: Pick<CellMap, 'read' | 'watch'>,
    deps: CurrentCellsDeps,
  ): Promise<{ readonly cells: CurrentCells; readonly stop: () => void }> {
    const cells = new CurrentCells(await firstReading(map, deps), map, deps);
    await cells.#keep();
    const stop = map.watch(() => {
      cells.#refresh();
    });
    return { cells, stop };
  }

  get all(): readonly Cell[] {
    return this.last.cells.all;
  }

  /** Since the map was read, in milliseconds. */
  get ageMs(): number {
    return this.deps.now() - this.last.at;
  }

  /** Whether the reading counts no more. */
  get tooOld(): boolean {
    return this.ageMs > this.deps.mostAgeMs;
  }

  find(clue: Clue | null): Cell | null {
    return this.last.cells.find(clue);
  }

  /** Calls after each reading. @returns how to stop. */
  onChange(changed: () => void): () => void {
    this.#changed.add(changed);
    return () => {
      this.#changed.delete(changed);
    };
  }

  /** A change during a reading causes one more, so that none is missed. */
  #refresh(): void {
    this.#again = true;
    if (!this.#reading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    while (this.#again) {
      this.#again = false;
      try {
        this.last = await readingOf(this.map, this.deps.now);
        for (const changed of this.#changed) changed();
        await this.#keep();
      } catch (error) {
        this.deps.onError(error);
      }
    }
    this.#reading = false;
  }

  async #keep(): Promise<void> {
    const { kept, now, onError } = this.deps;
    if (now() - this.#keptAt < KEPT_EVERY_MS) return;
    this.#keptAt = now();
    // A router that cannot keep its map still has it.
    await kept.write(this.last).catch(onError);
  }
}

async function readingOf(map: Pick<CellMap, 'read'>, now: () => number): Promise<Reading> {
  // From before the question, so that it is never older than it says.
  const at = now();
  return { cells: await map.read(), at };
}

async function firstReading(
  map: Pick<CellMap, 'read'>,
  { kept, mostAgeMs, now, onError }: CurrentCellsDeps,
): Promise<Reading> {
  try {
    return await readingOf(map, now);
  } catch (error) {
    const last: Reading | null = await kept.read().catch((unreadable: unknown) => {
      onError(unreadable);
      return null;
    });
    if (last === null || now() - last.at > mostAgeMs) throw error;
    onError(error);
    return last;
  }
}
