import type { BraceExpansionPart, DoubleQuotedChild, Word, WordPart } from 'unbash';
import type { Argument } from './inspection.js';
import { endOf, startOf, type SourceContext } from './source-context.js';
import { alternativesIn, choicesIn, holdsChoices } from './read-braces.js';

const NO_TEXTS: readonly string[] = [];

/** More alternatives of a word than this are not compared with lists of paths. */
const MAX_PATTERNS = 32;
/** The reading of such a word: one of the alternatives could be a secret. */
const A_SECRET: readonly string[] = ['.env'];

/** A word of the tree as an argument: as much of it as is literal. */
export function readWord(word: Word, context: SourceContext): Argument {
  const start = startOf(context, word.pos);
  const end = endOf(context, word.end);
  const { parts, text } = word;
  if (parts === undefined) return literal(text, word.value, start, end);
  const state = newReading();
  for (const part of parts) readPart(state, part);
  if (state.literal) return literal(text, state.prefix, start, end);
  const prefix = state.splits ? '' : state.prefix;
  return argumentOf(text, null, prefix, state.many ? 'many' : 'one', textsOf(state), start, end);
}

/** Makes every argument, so that all have one shape: readers that were compiled for one are compiled for all. */
export const argumentOf = (
  text: string,
  value: string | null,
  prefix: string,
  words: Argument['words'],
  patterns: readonly string[],
  start: number,
  end: number,
): Argument => ({ text, value, prefix, words, patterns, start, end });

/** The argument, matched by other globs. */
export const withPatterns = (
  { text, value, prefix, words, start, end }: Argument,
  patterns: readonly string[],
): Argument => argumentOf(text, value, prefix, words, patterns, start, end);

/** A literal argument. */
export function literal(text: string, value: string, start: number, end: number): Argument {
  return argumentOf(text, value, value, 'one', [value], start, end);
}

/** An argument of which nothing is known but its context. */
export function unknown(text: string, words: 'one' | 'many', prefix: string, start: number, end: number): Argument {
  return argumentOf(text, null, prefix, words, [`${prefix}**`], start, end);
}

/** True of `$#`, `$?`, `$$`, `$!`, `${#x}` and `$((x + 1))`, whose values are numbers. */
export const expandsToNumber = ({ text }: Argument): boolean =>
  /^"?\$(?:[#?$!]|\{#\w+\}|\(\([\w\s+*/%<>=!-]*\)\))"?$/.test(text);

interface Reading {
  patterns: string[];
  /** The literal beginning so far. */
  prefix: string;
  literal: boolean;
  /** False once the beginning is over. */
  known: boolean;
  many: boolean;
  /** True if the shell splits a value of this word: its further words begin with anything. */
  splits: boolean;
  /** True if the word has too many alternatives to compare. */
  lost: boolean;
}

const newReading = (): Reading => ({
  patterns: [''],
  prefix: '',
  literal: true,
  known: true,
  many: false,
  splits: false,
  lost: false,
});

const textsOf = ({ lost, patterns }: Reading): readonly string[] => (lost ? A_SECRET : patterns);

function readPart(state: Reading, part: WordPart): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      append(state, part.value);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) readQuoted(state, child);
      return;
    case 'Glob':
      expand(state, part.kind === 'star' ? '*' : '?');
      state.many = true;
      return;
    case 'ExtendedGlob':
      state.literal = false;
      state.known = false;
      vary(state, choicesIn(part.text, MAX_PATTERNS, patternsOf));
      state.many = true;
      return;
    case 'BraceExpansion':
      readBraces(state, part);
      state.many = true;
      return;
    case 'ArithmeticExpansion':
      expand(state, '**');
      return;
    case 'ProcessSubstitution':
      append(state, '/dev/fd/');
      expand(state, '**');
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
      expand(state, '**', alternativesOf(part));
      state.many = true;
      state.splits = true;
      return;
  }
}

function readQuoted(state: Reading, part: DoubleQuotedChild): void {
  if (part.type === 'Literal') {
    append(state, part.value);
    return;
  }
  expand(state, '**', alternativesOf(part));
  // "$@", "${a[@]}", "${!prefix@}" and an indirection to any of them are any number of words.
  if (
    part.type === 'SimpleExpansion' ? part.text === '$@' : part.type === 'ParameterExpansion' && /[@!]/.test(part.text)
  ) {
    state.many = true;
    state.splits = true;
  }
}

function append(state: Reading, value: string): void {
  if (state.known) state.prefix += value;
  extend(state.patterns, value);
}

function extend(patterns: string[], text: string): void {
  for (let at = 0; at < patterns.length; at++) patterns[at] = `${patterns[at] ?? ''}${text}`;
}

/** The texts that the line itself gives an expansion: `${x:-.env}` is `.env` if x is not set. */
function alternativesOf(part: WordPart): readonly string[] {
  if (part.type !== 'ParameterExpansion' || part.operation === undefined) return NO_TEXTS;
  const { operation } = part;
  if (operation.type === 'Default' && !operation.operator.endsWith('?')) return textsGiven(operation.operand);
  if (operation.type !== 'Replace') return NO_TEXTS;
  return patternsOf(operation.replacement).map((pattern) => `**${pattern}**`);
}

/** The parser reads no extended pattern in such a text. */
function textsGiven(word: Word): readonly string[] {
  const texts = patternsOf(word);
  return texts.some(holdsChoices) ? A_SECRET : texts;
}

function patternsOf({ parts, value }: Word): readonly string[] {
  if (parts === undefined) return value === '' ? [] : [value];
  const state = newReading();
  for (const part of parts) readPart(state, part);
  return textsOf(state);
}

/** Adds a wildcard, or one of other texts, to the text before. */
function expand(state: Reading, wildcard: string, others: readonly string[] = NO_TEXTS): void {
  state.literal = false;
  state.known = false;
  if (others.length === 0) extend(state.patterns, wildcard);
  else vary(state, [wildcard, ...others]);
}

/** Adds one of the texts to the text before; null stands for too many. */
function vary(state: Reading, texts: readonly string[] | null): void {
  const varied = texts === null ? null : state.patterns.flatMap((pattern) => texts.map((text) => pattern + text));
  if (varied === null || varied.length > MAX_PATTERNS) state.lost = true;
  else state.patterns = varied;
}

/** Most braces are literals without quotes. */
const PLAIN_BRACES = /^\{[\w./@,+-]*,[\w./@,+-]*\}$/;

function readBraces(state: Reading, { text }: BraceExpansionPart): void {
  state.literal = false;
  state.known = false;
  const plain = PLAIN_BRACES.test(text);
  if (!plain) state.splits = true;
  const alternatives = plain ? text.slice(1, -1).split(',') : alternativesIn(text, MAX_PATTERNS, patternsOf);
  vary(state, alternatives);
}
