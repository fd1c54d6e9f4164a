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
  readonly substituted?: true;
}

export const startOf = (place: Place, position: number): number => place.whole?.start ?? position + place.shift;
// The parser puts the end of an open `${ ` behind the text.
export const endOf = (place: Place, position: number): number =>
  place.whole?.end ?? Math.min(position, place.source.length) + place.shift;
