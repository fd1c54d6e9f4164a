import type { ToolCallId, Tx } from '#lib/kernel';
import type { KeptChunk, OutputStanding } from '../domain/call-output.js';

/** The output that agents append to their calls. It is only ever added to. */
export interface CallOutputStore {
  standing(tx: Tx, id: ToolCallId): Promise<OutputStanding>;
  append(tx: Tx, id: ToolCallId, chunks: readonly KeptChunk[]): Promise<void>;
  /** In order. @param after the number of the last chunk that is known; 0 for all. */
  read(tx: Tx, id: ToolCallId, after: number): Promise<readonly KeptChunk[]>;
}
