import type { Redirection } from 'unbash';
import type { Argument, Call } from './inspection.js';
import { findRow } from './find-row.js';
import { assignmentEffect } from './judge-assignment.js';
import { judgeEvaluatedWord } from './judge-evaluated-word.js';
import { judgeCall, type NestedFinding } from './judge-call.js';
import { effectAt, type Effect } from './effect.js';
import { addEffect, partAt } from './judged-part.js';
import { commandReadOtherwise, elementReadOtherwise } from './other-shells.js';
import { namesFolderOfSecrets, namesSecret } from './paths.js';
import { endsOfPaths, mayBeOptions, takesWholePaths } from './passes-paths.js';
import { tellsNoText } from './reads-hidden.js';
import { deeper, endOf, startOf, type SourceContext } from './source-context.js';
import { readCall, type ReadCall } from './read-call.js';
import { argumentOf, literal, readWord } from './read-word.js';
import type { Reader, CommandContext } from './reader.js';
import { SHELL_INTEGERS } from './shell-integers.js';

/**
 * Judges words as a command, by the row of their program. Also judges them by the commands that the program executes in
 * turn.
 *
 * @returns the words as the row reads them; null if the table has no row
 */
export function judgeWords(
  words: readonly Argument[],
  commandContext: CommandContext,
  direct: boolean,
  reader: Reader,
): ReadCall | null {
  const program = words[0];
  if (program === undefined) return null;
  const rest = words.slice(1);
  const { judgement } = reader;
  const { context } = commandContext;
  const end = words.at(-1)?.end ?? program.end;
  judgement.countCommand(program.start, end);
  judgement.checkDepth(context.depth, program.start, end);
  if (program.value === null) {
    const message = `${program.text} decides which program runs.`;
    addPart(reader, program.start, end, effectAt(program, 'UNKNOWN', 2, 'shell.dynamic_program', message));
    judgeIfDenied(rest, commandContext, reader);
    return null;
  }
  if (direct) judgement.call(program.value);
  const found = findRow(program.value, reader.table);
  const part = partAt(program.start, end, program.value);
  const otherwise = commandReadOtherwise(words, context.shell);
  if (otherwise !== null) addEffect(part, effectAt(program, 'UNKNOWN', 3, 'shell.other_shell', `${otherwise}.`));
  if (found === null) {
    addEffect(
      part,
      effectAt(program, 'UNKNOWN', 2, 'shell.unknown_program', `The table does not know ${program.text}.`),
    );
    judgement.add(part);
    return null;
  }
  const { ready } = found;
  if (!found.exact) {
    const message = `${program.text} may be another program than the ${ready.row.names[0] ?? ''} of the table.`;
    addEffect(part, effectAt(program, 'UNKNOWN', 2, 'shell.unknown_program', message));
  }
  const call = readCall(rest, ready);
  if (ready.readsWords) {
    const effect = inputEffect(program, call, commandContext, reader);
    if (effect !== null) addEffect(part, effect);
  }
  const nested = judgeCall(program, rest, ready, call, part, judgement);
  judgement.add(part);
  if (nested !== null) for (const finding of nested) judgeNested(finding, program, commandContext, reader);
  return call;
}

/** The effect of words that come out of the input, or null for paths that are as they were found. */
function inputEffect(program: Argument, call: Call, commandContext: CommandContext, reader: Reader): Effect | null {
  const ends = endsOfPaths(commandContext);
  if (ends === null) {
    const message = `${program.text} takes words from a text that any program made.`;
    return effectAt(program, 'UNKNOWN', 2, 'shell.unknown_input', message);
  }
  const executed = call.command?.[0];
  if (executed === undefined) return null;
  const row = findRow(executed.value ?? '', reader.table)?.ready.row;
  const recurses = row?.options?.recurses !== undefined || row?.recursive === true;
  const ended = call.command?.some(({ value }) => value === '--') === true;
  if (recurses && !ended && mayBeOptions(commandContext)) {
    const message = `${executed.text} takes a path such as -r for an option. Write -- before the paths.`;
    return effectAt(program, 'READ_ONLY', 2, 'shell.open_argument', message);
  }
  // A shell gets the paths as its parameters.
  if (row?.inspect?.startsWith('shell-') === true && mayBeOptions(commandContext))
    reader.judgement.store('@', literal('-r', '-r', executed.start, executed.end));
  if (takesWholePaths(ends, call) || tellsNoText(executed.value ?? '')) return null;
  const message = `${program.text} takes a path with a blank or a newline in it for several words. End paths by NUL.`;
  return effectAt(program, 'UNKNOWN', 2, 'shell.unknown_input', message);
}

/** Adds a part whose program the line does not show. */
function addPart(reader: Reader, start: number, end: number, effect: Effect): void {
  const part = partAt(start, end, null);
  addEffect(part, effect);
  reader.judgement.add(part);
}

/** If an expansion before them comes to nothing, the words are the command. Their parts are kept if that is denied. */
function judgeIfDenied(words: readonly Argument[], commandContext: CommandContext, reader: Reader): void {
  const { parts } = reader.judgement;
  const before = parts.length;
  judgeWords(words, inside(commandContext), false, reader);
  if (!parts.slice(before).some(({ tier }) => tier === 3)) parts.length = before;
}

/** The context of a command in another command. */
const inside = ({ context, input, redirections }: CommandContext): CommandContext => ({
  context: deeper(context),
  input,
  redirections,
});

function judgeNested(finding: NestedFinding, program: Argument, commandContext: CommandContext, reader: Reader): void {
  const { context } = commandContext;
  switch (finding.kind) {
    case 'command':
      reader.words(finding.words, inside(commandContext), false);
      return;
    case 'assignment':
      judgeAssigned(finding, context, reader);
      return;
    case 'evaluates':
      judgeEvaluatedWord(finding.word, finding.as, reader);
      return;
    case 'script':
      if (finding.loose === true && finding.source.value !== null) reader.loosely(finding.source, deeper(context));
      else reader.evaluated(finding.source, deeper(context), finding.shell);
      return;
    case 'moves':
      reader.judgement.move(finding.to);
      return;
    case 'trustsFolder':
      reader.judgement.trustFolder(program);
      return;
    case 'input': {
      const source = inputOf(commandContext.redirections, context);
      if (source !== null) {
        reader.evaluated(source, deeper(context), finding.shell);
        return;
      }
      const message = `${program.text} executes commands that the line does not show.`;
      reader.judgement.construct(effectAt(program, 'UNKNOWN', 2, 'shell.dynamic_script', message));
    }
  }
}

/** The standard input as far as the line shows it: a here-document or a here-string. */
function inputOf(redirections: readonly Redirection[], context: SourceContext): Argument | null {
  const last = redirections.findLast(({ type, descriptor }) => type !== 'Redirect' && descriptor === undefined);
  if (last?.type === 'HereString' && last.target !== undefined) return readWord(last.target, context);
  if (last?.type !== 'HereDoc') return null;
  const { text, parts, pos, end } = last.body;
  const value = parts === undefined ? text : null;
  return argumentOf(text, value, '', 'one', ['**'], startOf(context, pos), endOf(context, end));
}

/** `NAME=value` or `NAME`, as a word of export, read or env. */
function judgeAssigned(
  { word, exported, given }: Extract<NestedFinding, { kind: 'assignment' }>,
  context: SourceContext,
  reader: Reader,
): void {
  const name = /^(?:[A-Za-z_]\w*|@)/.exec(word.prefix)?.[0];
  if (name === undefined) return;
  const otherwise = word.prefix.charAt(name.length) === '[' ? elementReadOtherwise(name, context.shell) : null;
  if (otherwise !== null)
    reader.judgement.construct(effectAt(word, 'UNKNOWN', 3, 'shell.other_shell', `${otherwise}.`));
  const equals = word.prefix.indexOf('=');
  const value = word.value === null || equals < 0 ? null : word.value.slice(equals + 1);
  const effect = assignmentEffect(name, value, exported, word);
  if (effect !== null) reader.judgement.construct(effect);
  const { text, start, end } = word;
  if (given === true && SHELL_INTEGERS.has(name)) {
    const message = `${name} is an integer of the shell, which evaluates the text that it gets, and executes commands in it.`;
    reader.judgement.construct(effectAt(word, 'UNKNOWN', 3, 'shell.evaluates_unknown_text', message));
  }
  // `unset NAME` gives it no value.
  if (value === null && equals < 0 && given !== true) return;
  const patterns = word.patterns.map((pattern) => pattern.slice(equals + 1));
  const stored =
    value === null ? argumentOf(text, null, '', 'one', patterns, start, end) : literal(text, value, start, end);
  reader.judgement.store(name, stored, given);
  // A script may read the file that its parameter names: `sh -c 'cat "$@"' _ .e*`.
  if (name !== '@' || given === true || value !== null) return;
  reader.judgement.read(stored, true);
  if (!namesSecret(stored) && !namesFolderOfSecrets(stored)) return;
  const message = `${text} may name a file that holds secrets, for the script to read.`;
  reader.judgement.construct(effectAt(word, 'READ_ONLY', 2, 'shell.reads_secret', message));
}
