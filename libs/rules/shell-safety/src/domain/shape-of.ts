import { parse } from 'unbash';
import { classifyCommand } from './classify-command.js';
import { COMMAND_TABLE } from './command-table.js';
import { findRow } from './find-row.js';
import { destinationOf } from './inspect/copies.js';
import { lineOf } from './source-context.js';
import { plainCommand } from './plain-command.js';
import type { Behaviour } from './program-row.js';
import { readCall, type ReadCall } from './read-call.js';
import { readWord } from './read-word.js';
import type { Shell, ShellClass } from './verdict.js';

/**
 * The scope of an approval for a session: the same program, subcommand and flags. Operands are free if they only name
 * things in the workspace.
 */
export interface CommandShape {
  readonly program: string;
  /** That of the line: a reading call does not cover a changing one. */
  readonly class: ShellClass;
  /** With the operands of {@link shapingOperands}. Empty if the program has neither. */
  readonly subcommand: string;
  /** Sorted, each once, and with its value, which may choose another place: `--context=dev`. */
  readonly flags: readonly string[];
}

/**
 * The classes with destinations, packages and targets for operands, such as `+main` of a push: none of them is free. A source is one too:
 * it decides which files `rsync -a src host:` sends, and which code `git clone` brings.
 */
const BY_OPERANDS: ReadonlySet<ShellClass> = new Set(['BUILD_TEST', 'NETWORK']);
/** The operands that only name files, which are judged one by one. Others may be units, settings or verbs. */
const FILES: ReadonlySet<Behaviour['operands']> = new Set(['reads', 'pattern_then_reads', 'writes']);
/**
 * The programs with files that decide the effect. Such a file is a chart, a stored plan, a package, or the target of a
 * link. It is also a folder with all below it, or follows an attribute.
 */
const SOURCES: ReadonlySet<string> = new Set(
  (
    'helm terraform tofu dpkg ar ln gln link symlink find gfind ' +
    'chattr chflags setfacl setfattr setcap chcon restorecon semanage setsebool'
  ).split(' '),
);
/** The programs with a kind of resource, a mode or an owner for their first operand. */
const FIRST_OPERAND: ReadonlySet<string> = new Set('kubectl oc chmod gchmod chown gchown chgrp gchgrp'.split(' '));
/** The state of the repository, which the line does not show, decides which files these write. */
const NO_SHAPE: ReadonlySet<string> = new Set(['git reset']);

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
 * The shape of a line, for "allow for session". Only a line of one literal command has one. A command that executes
 * others has none: its next call could do anything else. Nor has one that the table does not know in full. A
 * destination, a target or a kind belongs to the shape: `make test` does not allow `make deploy`, nor
 * `git push origin main` a push of `+main`.
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
  const line = lineOf(command, shell);
  const words = tree.suffix.flatMap((node) => (node.type === 'Word' ? [readWord(node, line)] : []));
  const call = readCall(words, found.ready);
  if (call.command !== null || call.clauses.length > 0) return null;
  if (NO_SHAPE.has(`${found.ready.row.names[0] ?? ''} ${call.subcommand}`)) return null;
  const operands = shapingOperands(part.program, verdict.class, call);
  const subcommand = [call.subcommand, ...operands, ...foldersOutside(call, operands)].filter((word) => word !== '');
  // In the order in which approvers read it.
  return { program: part.program, subcommand: subcommand.join(' '), flags: flagsOf(call), class: verdict.class };
}

/** The operands that choose the action. */
function shapingOperands(program: string, shellClass: ShellClass, call: ReadCall): readonly string[] {
  const words = call.operands.map(({ value, text }) => value ?? text);
  if (BY_OPERANDS.has(shellClass) || SOURCES.has(program)) return words;
  // Of `pod/a`, the kind.
  if (FIRST_OPERAND.has(program)) return words.slice(0, 1).map((word) => word.replace(/\/.*/su, ''));
  if (call.mode.behaviour.inspect === 'copies') return [destinationOf(call.operands, call.options)];
  return FILES.has(call.mode.behaviour.operands) ? [] : words;
}

/** A path that may lie outside the workspace: absolute, below a home, or through a folder above. */
const LEAVES = /^[/~]|(?:^|\/)\.\.(?:\/|$)/;

/** The folders of the other operands that may lie outside the workspace: `rm a` does not allow `rm ~/b`, nor `rm /tmp/a` an `rm /srv/b`. */
function foldersOutside({ operands }: ReadCall, shaping: readonly string[]): readonly string[] {
  const folders = operands
    .map(({ value, text }) => value ?? text)
    .filter((word) => LEAVES.test(word) && !shaping.includes(word))
    .map((word) => (/(?:^|\/)\.{1,2}\/*$/.test(word) ? word : word.replace(/[^/]*\/*$/, '')));
  return [...new Set(folders)].sort();
}

function flagsOf(call: ReadCall): string[] {
  const flags = call.options.map(({ name, value }) => (value === null ? name : `${name}=${value.value ?? value.text}`));
  return [...new Set(flags)].sort();
}
