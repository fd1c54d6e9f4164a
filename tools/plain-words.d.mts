/** Words of the longest sentence. */
export declare const MAX_SENTENCE: number;

interface Place {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Clauses that stand in the place of a noun, in comments and names of tests. */
export declare function clausesIn(
  name: string,
  source: string,
): { readonly words: number; readonly clauses: readonly Place[] };

/** Sentences with too many words, in comments, names of tests and pages. */
export declare function longSentencesIn(name: string, source: string): readonly Place[];

/** @returns each file below the paths, and whether it has too many clauses or a long sentence. */
export declare function countWords(
  root: string,
  paths?: readonly string[],
): readonly { readonly path: string; readonly isBeyond: boolean }[];
