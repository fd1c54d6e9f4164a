import type { Assignment, CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from 'unbash';
import type { TextReading } from './text-reading.js';

interface Span {
  readonly pos: number;
  readonly end: number;
}

/** Reads a word: its parts have to lie side by side. */
export function readWordParts(word: Word, reading: TextReading): void {
  reading.leaf(word);
  const { parts } = word;
  if (parts !== undefined) readParts(parts, word.pos, word.end, reading);
  else if (EXPANDS.test(word.text)) reading.lose(word.pos);
}

/** Reads a word that ends at an operator of the shell. Only words of `let` and `eval`, and patterns of `=~`, may hold one. */
export function readPlainWord(word: Word, reading: TextReading): void {
  if (!MEANS_MORE.test(word.text)) {
    reading.leaf(word);
    return;
  }
  readWordParts(word, reading);
  if (!literalsOf(word).every((literal) => WITHOUT_OPERATOR.test(literal))) reading.lose(word.pos);
}

/** The characters that the patterns below look for, quotes and the beginnings of all parts of words. Most words have none of them. */
const MEANS_MORE = /[\\;&|()<> \t\n`$'"*?[\]{}@+!=~]/;

/** The text outside quotes and expansions, that between braces included. */
const literalsOf = ({ parts, text }: Pick<Word, 'parts' | 'text'>): string[] =>
  parts === undefined
    ? [text]
    : parts.flatMap((part) => {
        if (part.type === 'BraceExpansion') return literalsOf(part);
        return part.type === 'Literal' ? [part.text] : [];
      });

/** A dollar sign at the end that no backslash quotes. */
const DOLLAR = /(?:^|[^\\])(?:\\\\)*\$$/;

/** An expansion that the parser did not see as one: without an end (`$[1 + [2]`), or with a line continuation behind the dollar sign. */
const EXPANDS = /^(?:[^\\]|\\[\s\S])*?(?:`|\$(?:[([{]|\\\n))/;

const WITHOUT_OPERATOR = /^(?:[^\\;&|()<> \t\n]|\\[\s\S])*$/;

/** Reads `name[subscript]+=value`. */
export function readAssignment(node: Assignment, reading: TextReading): void {
  const { value } = node;
  const { source } = reading;
  const index = node.index === undefined ? '' : `[${node.index.text}]`;
  const head = `${node.name}${index}${node.append === true ? '+' : ''}=`;
  const written = source.slice(node.pos, value.pos);
  if (written !== head && joinLines(written) !== joinLines(head)) reading.lose(node.pos);
  reading.leaf({ pos: node.pos, end: value.pos });
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
      if (EXPANDS.test(part.text)) reading.lose(part.pos);
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
