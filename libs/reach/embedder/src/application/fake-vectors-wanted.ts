import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { VectorsWanted, WantedText } from './embedder.ports.js';

/** A text with its vector of a generation: null if the embedder rejects the text. */
interface Row extends WantedText {
  readonly made: { readonly generation: number; readonly vector: Float32Array | null } | null;
}

/** Keeps texts and their vectors in memory. */
export class FakeVectorsWanted implements VectorsWanted {
  readonly #rows: FakeTable<Row>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  /** Puts a text, which has no vector. */
  put(tx: Pick<Tx, 'tenantId'>, text: WantedText): void {
    this.#rows.of(tx).set(text.id, { ...text, made: null });
  }

  /** The vectors that were kept, by the ids of their texts. */
  vectors(tx: Pick<Tx, 'tenantId'>): ReadonlyMap<string, NonNullable<Row['made']>> {
    return new Map([...this.#rows.of(tx).values()].flatMap(({ id, made }) => (made === null ? [] : [[id, made]])));
  }

  without(tx: Tx, generation: number, most: number): Promise<readonly WantedText[]> {
    const waiting = [...this.#rows.of(tx).values()].filter(({ made }) => made?.generation !== generation);
    return Promise.resolve(
      waiting
        .reverse()
        .slice(0, most)
        .map(({ id, text }) => ({ id, text })),
    );
  }

  async countWithout(tx: Tx, generation: number, most: number): Promise<number> {
    return (await this.without(tx, generation, most)).length;
  }

  keep(
    tx: Tx,
    generation: number,
    texts: readonly WantedText[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void> {
    for (const [at, { id, text }] of texts.entries()) {
      const row = this.#rows.of(tx).get(id);
      if (row?.text !== text) continue;
      this.#rows.of(tx).set(id, { ...row, made: { generation, vector: vectors[at] ?? null } });
    }
    return Promise.resolve();
  }
}
