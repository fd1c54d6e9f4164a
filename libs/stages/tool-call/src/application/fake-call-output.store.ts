import type { ToolCallId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { NOTHING_HELD, type HeldOutput, type KeptChunk, type OutputStanding } from '../domain/call-output.js';
import type { CallOutputStore } from './call-output.port.js';

/** Keeps output in memory. */
export class FakeCallOutputStore implements CallOutputStore {
  readonly #chunks: FakeTable<readonly KeptChunk[]>;
  readonly #held: FakeTable<HeldOutput>;

  constructor(database: FakeUnitOfWork) {
    this.#chunks = new FakeTable(database);
    this.#held = new FakeTable(database);
  }

  standing(tx: Tx, id: ToolCallId): Promise<OutputStanding> {
    const chunks = this.#chunks.of(tx).get(id) ?? [];
    const bytes = chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const held = this.#held.of(tx).get(id) ?? NOTHING_HELD;
    return Promise.resolve({ seq: chunks.at(-1)?.seq ?? 0, bytes, cut: chunks.some(({ cut }) => cut), held });
  }

  append(tx: Tx, id: ToolCallId, chunks: readonly KeptChunk[], held: HeldOutput): Promise<void> {
    this.#chunks.of(tx).set(id, [...(this.#chunks.of(tx).get(id) ?? []), ...chunks]);
    this.#held.of(tx).set(id, held);
    return Promise.resolve();
  }

  read(tx: Tx, id: ToolCallId, after: number): Promise<readonly KeptChunk[]> {
    return Promise.resolve((this.#chunks.of(tx).get(id) ?? []).filter(({ seq, text }) => seq > after && text !== ''));
  }
}
