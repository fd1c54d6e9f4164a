import { parse } from 'unbash';
import { classifyCommand } from './classify-command.js';
import { COMMAND_TABLE } from './command-table.js';
import { findRow } from './find-row.js';
import { takesValue } from './option-index.js';
import { plainCommand } from './plain-command.js';
import { readCall, type ReadCall } from './read-call.js';
import { readWord } from './read-word.js';
import type { Shell } from './verdict.js';

/** The scope of an approval for a session: the same program, subcommand and flags, with any operands. */
export interface CommandShape {
  readonly program: string;
  /** Empty if the program has none. */
  readonly subcommand: string;
  /** Sorted, each once. A flag that writes or connects stands with its value: `--output=x`. */
  readonly flags: readonly string[];
}

/** Flags with a value that is an operand in all but name: another namespace, another count. */
const FREE: ReadonlySet<string> = new Set(['plain', 'value', 'optional', 'reads', 'recurses', 'informs']);

/** Reasons that a person can approve for all operands. An unknown option, a secret or a file that is code is asked for each time. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'shell.read_only',
  'shell.build_test',
  'shell.write',
  'shell.network',
  'shell.destructive',
  'shell.writes_file',
  'shell.option_writes',
  'shell.option_deletes',
  'shell.option_network',
]);

/**
 * The shape of a line, for "allow for session" (seeds 003 and 004). Only a line of one literal command has one. A command that
 * executes others has none, nor has one that the table does not know in full: its next call could do anything else. For builds, the
 * target belongs to the subcommand: `make test` does not allow `make deploy`.
 *
 * @returns null if the line has no shape, so that each call of it is asked for anew
 */
export function shapeOf(command: string, shell: Shell = 'unknown'): CommandShape | null {
  const verdict = classifyCommand(command, shell);
  const [part, another] = verdict.parts;
  if (verdict.tier === 3 || verdict.class === 'UNKNOWN' || part?.program == null || another !== undefined) return null;
  if (!part.reasons.every(({ code }) => REPEATABLE.has(code))) return null;
  const tree = plainCommand(parse(command), command);
  const found = findRow(part.program, COMMAND_TABLE);
  if (tree === null || found?.exact !== true) return null;
  const place = { source: command, shift: 0, whole: null, shell, depth: 0 };
  const words = tree.suffix.flatMap((node) => (node.type === 'Word' ? [readWord(node, place)] : []));
  const call = readCall(words, found.row);
  if (call.command !== null || call.clauses.length > 0) return null;
  const target = verdict.class === 'BUILD_TEST' ? (call.operands[0]?.value ?? '') : '';
  const subcommand = [call.subcommand, target].filter((word) => word !== '').join(' ');
  return { program: part.program, subcommand, flags: flagsOf(call) };
}

function flagsOf(call: ReadCall): string[] {
  const flags = call.options.map(({ name, kind, value }) =>
    FREE.has(kind) || value === null || !takesValue(kind) ? name : `${name}=${value.value ?? value.text}`,
  );
  return [...new Set(flags)].sort();
}
