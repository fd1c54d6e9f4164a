import type { ToolCallId, Tx } from '#lib/kernel';
import type { HeldOutput, KeptChunk, OutputStanding } from '../domain/call-output.js';

/** The output that agents append to their calls. It is only ever added to; the text that is held back changes with it. */
export interface CallOutputStore {
  standing(tx: Tx, id: ToolCallId): Promise<OutputStanding>;
  /** @param held the text that is held back from now on. */
  append(tx: Tx, id: ToolCallId, chunks: readonly KeptChunk[], held: HeldOutput): Promise<void>;
  /** In order, without chunks that have no text. @param after the number of the last chunk that is known; 0 for all. */
  read(tx: Tx, id: ToolCallId, after: number): Promise<readonly KeptChunk[]>;
}
