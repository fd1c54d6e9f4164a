import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { errorCode } from '#lib/kernel';
import { CommandError, EXIT } from './exit-codes.js';

/** @throws {CommandError} if something stands there; said before anything is asked of the server. */
export function requireAbsent(file: string): void {
  if (existsSync(file)) throw taken(file);
}

/**
 * Writes a file of mode 0600 that was not there before.
 *
 * @throws {CommandError}
 */
export async function writeNew(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') throw taken(file);
    throw new CommandError(
      EXIT.usage,
      `${file} cannot be written.`,
      'See that its folder is there, and that you may write in it.',
      [],
      'file.cannot_be_written',
    );
  }
}

const taken = (file: string): CommandError =>
  new CommandError(
    EXIT.usage,
    `${file} is there already.`,
    'Nothing is overwritten: name another file.',
    [],
    'file.exists',
  );
