import { BRACKET_PATTERN } from '#lib/shell-safety';

/** A piece of a word whose expansions have their values. */
export type ValuedPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'glob'; readonly pattern: string }
  | { readonly type: 'value'; readonly value: string; readonly split: boolean };

/** A piece of a field. `source` is its text if the field matches no file. */
export interface Atom {
  readonly type: 'text' | 'glob';
  /** The text, or the pattern: `*`, `?`, `[…]`. */
  readonly text: string;
  readonly source: string;
}

/** One argument of a program, before its patterns are matched against files. */
export type Field = readonly Atom[];

export const textOf = (field: Field): string => field.map(({ source }) => source).join('');
export const isPattern = (field: Field): boolean => field.some(({ type }) => type === 'glob');

/**
 * The fields of a word, as bash makes them with its default IFS. A value outside quotes is split at blanks, and the
 * characters of patterns in it count. A word of nothing but empty values is no field at all.
 */
export function fieldsOf(pieces: readonly ValuedPiece[]): readonly Field[] {
  const fields: Atom[][] = [];
  let current: Atom[] | null = null;
  for (const piece of pieces) {
    if (piece.type !== 'value') {
      current ??= [];
      current.push(piece.type === 'glob' ? glob(piece.pattern) : text(piece.text));
      continue;
    }
    if (!piece.split) {
      current ??= [];
      current.push(text(piece.value));
      continue;
    }
    for (const part of piece.value.split(/([ \t\n]+)/)) {
      if (part === '') continue;
      if (/^[ \t\n]/.test(part)) {
        if (current !== null) fields.push(current);
        current = null;
      } else {
        current ??= [];
        current.push(...atomsOf(part));
      }
    }
  }
  if (current !== null) fields.push(current);
  return fields;
}

const text = (value: string): Atom => ({ type: 'text', text: value, source: value });
const glob = (pattern: string): Atom => ({ type: 'glob', text: pattern, source: pattern });

const VALUE = /\*|\?|\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]/\\])*\]|\\[\s\S]|[^*?[\\]+|[\s\S]/gu;

/** The atoms of a value outside quotes. A backslash quotes the character behind it, if the field is a pattern. */
function atomsOf(value: string): Atom[] {
  return (value.match(VALUE) ?? []).map((part) => {
    if (part === '*' || part === '?' || BRACKET_PATTERN.test(part)) return glob(part);
    return part.length > 1 && part.startsWith('\\') ? { type: 'text', text: part.slice(1), source: part } : text(part);
  });
}
