import { Cells, type Cell, type CellMap, type Clue } from '#lib/cell-map';

/** The map as this router last read it. While the map's database is away, the last reading stands. */
export class CurrentCells {
  #cells: Cells;
  readonly #changed = new Set<() => void>();
  #reading = false;
  #again = false;

  private constructor(
    cells: Cells,
    private readonly map: Pick<CellMap, 'read' | 'watch'>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#cells = cells;
  }

  /** @throws if the map cannot be read: a router without a map has no target. */
  static async open(
    map: Pick<CellMap, 'read' | 'watch'>,
    onError: (error: unknown) => void,
  ): Promise<{ readonly cells: CurrentCells; readonly stop: () => void }> {
    const cells = new CurrentCells(await map.read(), map, onError);
    const stop = map.watch(() => {
      cells.#refresh();
    });
    return { cells, stop };
  }

  get all(): readonly Cell[] {
    return this.#cells.all;
  }

  find(clue: Clue | null): Cell | null {
    return this.#cells.find(clue);
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
        this.#cells = await this.map.read();
        for (const changed of this.#changed) changed();
      } catch (error) {
        this.onError(error);
      }
    }
    this.#reading = false;
  }
}
