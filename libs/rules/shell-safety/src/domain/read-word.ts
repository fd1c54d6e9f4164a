import type { BraceExpansionPart, DoubleQuotedChild, Word, WordPart } from 'unbash';
import type { Argument } from './inspection.js';
import { endOf, startOf, type Place } from './place.js';

const NO_TEXTS: readonly string[] = [];

/** More alternatives of a word than this count as an unknown text. */
const MOST_PATTERNS = 32;

/** A word of the tree as an argument: as much of it as is literal. */
export function readWord(word: Word, place: Place): Argument {
  const start = startOf(place, word.pos);
  const end = endOf(place, word.end);
  const { parts, text } = word;
  if (parts === undefined) return literal(text, word.value, start, end);
  const state: Reading = { patterns: [''], prefix: '', literal: true, known: true, many: false, splits: false };
  for (const part of parts) readPart(state, part);
  if (state.literal) return literal(text, state.prefix, start, end);
  const prefix = state.splits ? '' : state.prefix;
  return argumentOf(text, null, prefix, state.many ? 'many' : 'one', state.patterns, start, end);
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

/** An argument of which nothing is known but its place. */
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
}

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
      vary(state, part.kind === 'star' ? '*' : '?');
      state.many = true;
      return;
    case 'ExtendedGlob':
      vary(state, '**');
      state.many = true;
      return;
    case 'BraceExpansion':
      readBraces(state, part);
      state.many = true;
      return;
    case 'ArithmeticExpansion':
      vary(state, '**');
      return;
    case 'ProcessSubstitution':
      append(state, '/dev/fd/');
      vary(state, '**');
      return;
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
      vary(state, '**', alternativesOf(part));
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
  vary(state, '**', alternativesOf(part));
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
  if (operation.type === 'Default' && !operation.operator.endsWith('?')) return patternsOf(operation.operand);
  if (operation.type !== 'Replace') return NO_TEXTS;
  return patternsOf(operation.replacement).map((pattern) => `**${pattern}**`);
}

function patternsOf({ parts, value }: Word): readonly string[] {
  if (parts === undefined) return value === '' ? [] : [value];
  const state: Reading = { patterns: [''], prefix: '', literal: true, known: true, many: false, splits: false };
  for (const part of parts) readPart(state, part);
  return state.patterns;
}

/** Adds a wildcard, or one of other texts, to what was read before. */
function vary(state: Reading, wildcard: string, others: readonly string[] = NO_TEXTS): void {
  state.literal = false;
  state.known = false;
  if (others.length === 0) {
    extend(state.patterns, wildcard);
    return;
  }
  const varied = state.patterns.flatMap((pattern) => [wildcard, ...others].map((text) => pattern + text));
  state.patterns = varied.length > MOST_PATTERNS ? ['**'] : varied;
}

/** `{a,b}` of literals is both of them; any other braces are an unknown text. */
function readBraces(state: Reading, part: BraceExpansionPart): void {
  state.literal = false;
  state.known = false;
  const inner = part.text.slice(1, -1);
  const alternatives = /^[\w./@,+-]*,[\w./@,+-]*$/.test(inner) && !inner.includes('..') ? inner.split(',') : ['**'];
  if (alternatives[0] === '**') state.splits = true;
  const combined = state.patterns.flatMap((before) => alternatives.map((alternative) => before + alternative));
  state.patterns = combined.length > MOST_PATTERNS ? ['**'] : combined;
}
