import { explainError } from './explain-error.js';
import type { Io } from './io.js';
import { jsonText } from './output.js';
import { createProgram } from './program.js';

/** Runs one command line, and answers the exit code of the process. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, lines, json } = explainError(error);
    if (json !== null && program.opts<{ json?: boolean }>().json === true) io.err(`${jsonText(json)}\n`);
    else if (lines.length > 0) io.err(`${lines.join('\n')}\n`);
    return exitCode;
  }
}
