/** A part of a source file: whole lines, cut at the boundaries of its language. */
export interface Piece {
  /** Counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The names that are defined here, outermost first: `Runner.run`. */
  readonly symbols: readonly string[];
  /** The kind of the first symbol, such as `class`; null without one. */
  readonly kind: string | null;
  /** The lines that import other code. */
  readonly imports: string;
}

/** A node of a file's outline. Lines are counted from 0, both ends included; nodes of one level come in order. */
export interface OutlineNode {
  readonly first: number;
  readonly last: number;
  readonly name: string | null;
  readonly kind: string | null;
  readonly imports: boolean;
  /** Names that are defined inside, of a node that is small enough to stay whole. */
  readonly members: readonly string[];
  /** Empty for a node that is small enough to stay whole, or has no parts. */
  readonly children: readonly OutlineNode[];
}

export interface PieceLimits {
  readonly lines: number;
  readonly characters: number;
}

/** Half a screen to a screen of code. */
export const PIECE_LIMITS: PieceLimits = { lines: 60, characters: 6_000 };
