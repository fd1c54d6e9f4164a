import type { CommandTable } from './command-table.js';
import type { ReadyRow } from './ready-row.js';

/** The folders in which a path is the program of that name. Others are writable for somebody (T51). */
const TRUSTED_FOLDERS: ReadonlySet<string> = new Set(['/bin', '/usr/bin', '/sbin', '/usr/sbin']);

/** A program's row, and whether the row vouches for it. */
export interface FoundRow {
  readonly ready: ReadyRow;
  /** False if the word only resembles the name: another folder, or upper case, which macOS takes for the same file. */
  readonly exact: boolean;
}

/** The row of a program as a line names it. A word with a slash is the program only in a trusted folder. */
export function findRow(program: string, table: CommandTable): FoundRow | null {
  const ready = table.get(program);
  if (ready !== undefined) return { ready, exact: true };
  const slash = program.lastIndexOf('/');
  const name = program.slice(slash + 1);
  const byName = table.get(name);
  if (slash >= 0 && byName !== undefined) return { ready: byName, exact: TRUSTED_FOLDERS.has(program.slice(0, slash)) };
  const lower = table.get(name.toLowerCase());
  return lower === undefined ? null : { ready: lower, exact: false };
}
