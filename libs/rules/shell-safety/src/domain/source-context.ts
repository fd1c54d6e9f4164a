import type { Shell } from './verdict.js';

/** UTF-16 offsets into the command line, half open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * How the positions of a tree relate to the command line. They are shifted, or all at one span if the text was decoded
 * from quotes.
 */
export interface SourceContext {
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

/** Makes every context, so that all have one shape. */
const contextOf = (
  source: string,
  shift: number,
  whole: Span | null,
  shell: Shell,
  depth: number,
  substituted: boolean,
): SourceContext => ({ source, shift, whole, shell, depth, substituted });

/** The context of a line as it is. */
export const lineOf = (source: string, shell: Shell): SourceContext => contextOf(source, 0, null, shell, 0, false);

/** The context of a construct in it. */
export const deeper = ({ source, shift, whole, shell, depth, substituted }: SourceContext): SourceContext =>
  contextOf(source, shift, whole, shell, depth + 1, substituted);

/** The context of the script of a substitution in it. */
export const substitutionIn = ({ source, shift, whole, shell, depth }: SourceContext): SourceContext =>
  contextOf(source, shift, whole, shell, depth + 1, true);

/** The context of another text in it: that of a word, or one that the parser decoded. */
export const textIn = (
  { shell, depth, substituted }: SourceContext,
  source: string,
  shift: number,
  whole: Span | null,
): SourceContext => contextOf(source, shift, whole, shell, depth, substituted);

/** The same context for another shell. */
export const readBy = (context: SourceContext, shell: Shell): SourceContext =>
  context.shell === shell
    ? context
    : contextOf(context.source, context.shift, context.whole, shell, context.depth, context.substituted);

export const startOf = (context: SourceContext, position: number): number =>
  context.whole?.start ?? position + context.shift;
// The parser puts the end of an open `${ ` behind the text.
export const endOf = (context: SourceContext, position: number): number =>
  context.whole?.end ?? Math.min(position, context.source.length) + context.shift;
