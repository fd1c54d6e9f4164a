import type { Assignment, CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from 'unbash';
import { holdsExpansion, holdsOperator, meansMore } from './shell-characters.js';
import type { TextReading } from './text-reading.js';

interface Span {
  readonly pos: number;
  readonly end: number;
}

/** Reads a word: its parts have to lie side by side. */
export function readWordParts(word: Word, reading: TextReading): void {
  reading.leaf(word.pos, word.end);
  const { parts } = word;
  if (parts !== undefined) readParts(parts, word.pos, word.end, reading);
  else if (holdsExpansion(word.text)) reading.lose(word.pos);
}

/** Reads a word that ends at an operator of the shell. Only words of `let` and `eval`, and patterns of `=~`, may hold one. */
export function readPlainWord(word: Word, reading: TextReading): void {
  if (!meansMore(word.text)) {
    reading.leaf(word.pos, word.end);
    return;
  }
  readWordParts(word, reading);
  if (holdsLiteralOperator(word)) reading.lose(word.pos);
}

/** True if an operator or a blank stands outside quotes and expansions, also between braces. */
function holdsLiteralOperator({ parts, text }: Pick<Word, 'parts' | 'text'>): boolean {
  if (parts === undefined) return holdsOperator(text);
  for (const part of parts) {
    if (
      part.type === 'BraceExpansion' ? holdsLiteralOperator(part) : part.type === 'Literal' && holdsOperator(part.text)
    )
      return true;
  }
  return false;
}

/** A dollar sign at the end that no backslash quotes. */
const DOLLAR = /(?:^|[^\\])(?:\\\\)*\$$/;

/** Reads `name[subscript]+=value`. */
export function readAssignment(node: Assignment, reading: TextReading): void {
  const { value } = node;
  const { source } = reading;
  const index = node.index === undefined ? '' : `[${node.index.text}]`;
  const head = `${node.name}${index}${node.append === true ? '+' : ''}=`;
  const written = source.slice(node.pos, value.pos);
  if (written !== head && joinLines(written) !== joinLines(head)) reading.lose(node.pos);
  reading.leaf(node.pos, value.pos);
  if (value.type === 'Word') {
    readPlainWord(value, reading);
    return;
  }
  reading.need('(');
  for (const element of value.elements) readWordParts(element, reading);
  reading.need(')');
}

const joinLines = (text: string): string => text.replaceAll('\\\n', '');

function readParts(parts: readonly WordPart[], start: number, end: number, reading: TextReading): void {
  let at = start;
  for (const part of parts) {
    if (part.pos !== at) reading.lose(at);
    // The parser takes the brackets of `$[[x]` for a pattern.
    if (part.type === 'Glob' && part.kind === 'bracket' && DOLLAR.test(reading.source.slice(start, at)))
      reading.lose(at);
    at = part.end;
    readPart(part, reading);
  }
  if (at !== end) reading.lose(at);
}

function readPart(part: WordPart, reading: TextReading): void {
  switch (part.type) {
    case 'DoubleQuoted':
    case 'LocaleString':
      readParts(part.parts, part.pos + (part.type === 'DoubleQuoted' ? 1 : 2), part.end - 1, reading);
      return;
    case 'CommandExpansion':
      readSubstitution(part, reading);
      return;
    case 'Literal':
      if (holdsExpansion(part.text)) reading.lose(part.pos);
      return;
    case 'ProcessSubstitution':
      if (part.script !== undefined) same(part.script, part.pos + 2, part.end - 1, reading);
      return;
    case 'ParameterExpansion':
      readParameter(part, reading);
      return;
    default:
  }
}

/** The script of a substitution fills it. */
function readSubstitution({ script, pos, end, text }: CommandExpansionPart, reading: TextReading): void {
  // The backslashes of nested backticks are gone: the positions of such a script are those of another text.
  if (script === undefined || script.source !== undefined) return;
  same(script, pos + (text.startsWith('`') ? 1 : text.startsWith('$(') ? 2 : 3), end - 1, reading);
}

function readParameter(part: ParameterExpansionPart, reading: TextReading): void {
  const { index, operation } = part;
  let at = part.parameterEnd;
  if (part.pos + 2 + (part.prefix?.length ?? 0) !== part.parameterPos) reading.lose(part.pos);
  if (index !== undefined) {
    same(index, at + 1, index.end, reading);
    at = index.end + 1;
  }
  if (operation !== undefined) {
    if (operation.pos !== at) reading.lose(at);
    at = operation.end;
  }
  if (at !== part.end - 1) reading.lose(at);
}

function same(node: Span, start: number, end: number, reading: TextReading): void {
  if (node.pos !== start) reading.lose(start);
  if (node.end !== end) reading.lose(node.end);
}
