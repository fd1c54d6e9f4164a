import type { ToolCallId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { KeptChunk, OutputStanding } from '../domain/call-output.js';
import type { CallOutputStore } from './call-output.port.js';

/** Keeps output in memory. */
export class FakeCallOutputStore implements CallOutputStore {
  readonly #chunks: FakeTable<readonly KeptChunk[]>;

  constructor(database: FakeUnitOfWork) {
    this.#chunks = new FakeTable(database);
  }

  async standing(tx: Tx, id: ToolCallId): Promise<OutputStanding> {
    const chunks = await this.read(tx, id, 0);
    const bytes = chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    return { seq: chunks.at(-1)?.seq ?? 0, bytes, cut: chunks.some(({ cut }) => cut) };
  }

  async append(tx: Tx, id: ToolCallId, chunks: readonly KeptChunk[]): Promise<void> {
    this.#chunks.of(tx).set(id, [...(await this.read(tx, id, 0)), ...chunks]);
  }

  read(tx: Tx, id: ToolCallId, after: number): Promise<readonly KeptChunk[]> {
    return Promise.resolve((this.#chunks.of(tx).get(id) ?? []).filter(({ seq }) => seq > after));
  }
}
