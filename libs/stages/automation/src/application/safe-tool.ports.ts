import type { PersonId, Tx } from '#lib/kernel';
import type { SafeToolId } from '../domain/ids.js';
import type { SafeTool } from '../domain/safe-tool.js';

/** The tenant's list of safe tools. An entry that Countersign did not write is left out, and accepts nothing. */
export interface SafeToolRepository {
  /** One change of the list of a tenant at a time, until the transaction ends. */
  lockForChange(tx: Tx): Promise<void>;
  /** By name of the tool. */
  list(tx: Tx): Promise<readonly SafeTool[]>;
  find(tx: Tx, tool: string): Promise<SafeTool | null>;
  /** The same, and it stays in force until the transaction ends. */
  hold(tx: Tx, tool: string): Promise<SafeTool | null>;
  /** No entry of the same tool is in force, and no forged one. */
  insert(tx: Tx, entry: SafeTool): Promise<void>;
  remove(tx: Tx, entry: SafeTool, by: PersonId, at: number): Promise<void>;
  /**
   * Ends the entry of the tool that Countersign did not write.
   *
   * @returns its id; null if there is none.
   */
  removeForged(tx: Tx, tool: string, by: PersonId, at: number): Promise<SafeToolId | null>;
}
