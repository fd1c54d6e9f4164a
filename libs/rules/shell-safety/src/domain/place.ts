import type { Shell } from './verdict.js';

/** UTF-16 offsets into the command line, half open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How the positions of a tree relate to the command line: shifted, or all at one span if the text was decoded from quotes. */
export interface Place {
  /** The text that the tree's positions index. */
  readonly source: string;
  readonly shift: number;
  readonly whole: Span | null;
  /** The shell that reads the text. */
  readonly shell: Shell;
  readonly depth: number;
  /** True in the script of a substitution, which bash prints and reads again before it executes it. */
  readonly substituted: boolean;
}

/** Makes every place, so that all have one shape. */
const placeOf = (
  source: string,
  shift: number,
  whole: Span | null,
  shell: Shell,
  depth: number,
  substituted: boolean,
): Place => ({ source, shift, whole, shell, depth, substituted });

/** The place of a line as it is. */
export const lineOf = (source: string, shell: Shell): Place => placeOf(source, 0, null, shell, 0, false);

/** The place of a construct in it. */
export const deeper = ({ source, shift, whole, shell, depth, substituted }: Place): Place =>
  placeOf(source, shift, whole, shell, depth + 1, substituted);

/** The place of the script of a substitution in it. */
export const substitutionIn = ({ source, shift, whole, shell, depth }: Place): Place =>
  placeOf(source, shift, whole, shell, depth + 1, true);

/** The place of another text in it: that of a word, or one that the parser decoded. */
export const textIn = (
  { shell, depth, substituted }: Place,
  source: string,
  shift: number,
  whole: Span | null,
): Place => placeOf(source, shift, whole, shell, depth, substituted);

/** The same place for another shell. */
export const readBy = (place: Place, shell: Shell): Place =>
  place.shell === shell
    ? place
    : placeOf(place.source, place.shift, place.whole, shell, place.depth, place.substituted);

export const startOf = (place: Place, position: number): number => place.whole?.start ?? position + place.shift;
// The parser puts the end of an open `${ ` behind the text.
export const endOf = (place: Place, position: number): number =>
  place.whole?.end ?? Math.min(position, place.source.length) + place.shift;
