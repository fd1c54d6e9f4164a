import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The record that a running server wrote about itself. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
}

/**
 * Reads `postmaster.pid` (the lines are fixed in PostgreSQL's `miscadmin.h`: 1 is the process, 4 the port).
 *
 * @returns undefined if there is none, or one cut short by a crash.
 */
export async function readPostmasterFile(dataFolder: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFile(dataFolder), 'utf8').catch(() => '');
  const [pid = '', , , port = ''] = text.split('\n');
  return /^\d+$/.test(pid) && /^\d+$/.test(port) ? { pid: Number(pid), port: Number(port) } : undefined;
}

export const postmasterFile = (dataFolder: string): string => join(dataFolder, 'postmaster.pid');
