import type { Assignment, Command, Word } from 'unbash';
import type { Argument } from './inspection.js';
import { assignmentEffect } from './judge-assignment.js';
import { effectAt } from './effect.js';
import { elementReadOtherwise } from './other-shells.js';
import { readsOutside } from './outside-paths.js';
import { namesSecret } from './paths.js';
import { endOf, startOf, type SourceContext } from './source-context.js';
import type { ReadCall } from './read-call.js';
import { argumentOf, literal } from './read-word.js';
import type { Input, Reader } from './reader.js';
import { subscript } from './walk-parts.js';

/**
 * Walks a simple command: its assignments, its words, its redirections; then judges the words.
 *
 * @returns the words as the row of their program reads them; null if the table has no row
 */
export function walkCommand(
  command: Command,
  context: SourceContext,
  input: Input | null,
  reader: Reader,
): ReadCall | null {
  const { judgement } = reader;
  const before = judgement.parts.length;
  const { name } = command;
  for (const node of command.prefix) {
    if (node.type === 'Assignment') walkAssignment(node, name !== undefined, context, reader);
  }
  const words: Argument[] = [];
  if (name !== undefined) {
    words.push(reader.word(name, context));
    for (const node of command.suffix) {
      if (node.type === 'Word') words.push(reader.word(node, context));
      else if (node.type === 'Assignment') words.push(walkAssignedWord(node, context, reader));
    }
  }
  const { redirects } = command;
  if (redirects.length > 0) reader.redirections(redirects, context);
  if (name !== undefined) return reader.words(words, { context, input, redirections: redirects }, true);
  if (judgement.parts.length === before) {
    const at = { start: startOf(context, command.pos), end: endOf(context, command.end) };
    judgement.construct(
      effectAt(at, 'READ_ONLY', 1, 'shell.no_program', 'This sets variables of the shell, or opens files.'),
    );
  }
  return null;
}

/** `NAME=value` before a program, or on its own. */
function walkAssignment(node: Assignment, exported: boolean, context: SourceContext, reader: Reader): void {
  const value = walkValue(node, context, reader);
  const effect = assignmentEffect(node.name, value.value, exported, value);
  if (effect !== null) reader.judgement.construct(effect);
}

/** `NAME=value` behind export, declare and their like: one word of the command, which the row judges. */
function walkAssignedWord(node: Assignment, context: SourceContext, reader: Reader): Argument {
  const value = walkValue(node, context, reader);
  const [start, end] = [startOf(context, node.pos), endOf(context, node.end)];
  const head = node.index === undefined ? `${node.name}=` : `${node.name}[${node.index.text}]=`;
  if (value.value !== null) return literal(node.text, head + value.value, start, end);
  const patterns = value.patterns.map((pattern) => head + pattern);
  return argumentOf(node.text, null, head + value.prefix, 'one', patterns, start, end);
}

function walkValue(node: Assignment, context: SourceContext, reader: Reader): Argument {
  const { judgement } = reader;
  if (node.index !== undefined) subscript(node.index, context, reader);
  const [start, end] = [startOf(context, node.pos), endOf(context, node.end)];
  if (node.index !== undefined || node.value.type === 'ArrayValue') {
    const otherwise = elementReadOtherwise(node.name, context.shell);
    if (otherwise !== null)
      judgement.construct(effectAt({ start, end }, 'UNKNOWN', 3, 'shell.other_shell', `${otherwise}.`));
  }
  const values = node.value.type === 'ArrayValue' ? node.value.elements : [node.value];
  if (node.value.type === 'ArrayValue' && context.substituted && values.some(hasBackslash)) {
    const message = 'Inside a substitution, bash loses the backslashes of an array. Set it outside.';
    judgement.construct(effectAt({ start, end }, 'UNKNOWN', 3, 'shell.unparsable', message));
  }
  const words = values.map((word) => {
    if (node.value.type === 'ArrayValue') elementSubscript(word, context, reader);
    const value = reader.word(word, context);
    judgement.store(node.name, value, node.append === true && node.value.type === 'Word');
    if (namesSecret(value)) {
      const message = `The variable ${node.name} names a path that may hold secrets.`;
      judgement.construct(effectAt(value, 'READ_ONLY', 2, 'shell.reads_secret', message));
    } else if (readsOutside(value)) {
      const message = `The variable ${node.name} names a path that may lie outside the workspace.`;
      judgement.construct(effectAt(value, 'READ_ONLY', 2, 'shell.reads_outside', message));
    }
    return value;
  });
  const [only] = words;
  if (node.value.type === 'Word' && only !== undefined)
    return argumentOf(only.text, only.value, only.prefix, only.words, only.patterns, start, end);
  return argumentOf(node.text, null, '', 'many', ['**'], start, end);
}

/** `[subscript]=value` in an array. */
function elementSubscript(word: Word, context: SourceContext, reader: Reader): void {
  const text = /^\[([\s\S]*?)\]\+?=/.exec(word.text)?.[1];
  if (text === undefined) return;
  const pos = word.pos + 1;
  subscript({ ...readableWord(text, pos) }, context, reader);
}

/** True if a backslash stands in a word outside quotes. */
const hasBackslash = ({ parts, text }: Word): boolean =>
  parts === undefined ? text.includes('\\') : parts.some((part) => part.type === 'Literal' && part.text.includes('\\'));

const readableWord = (text: string, pos: number): Word => ({
  type: 'Word',
  text,
  value: text,
  pos,
  end: pos + text.length,
});
