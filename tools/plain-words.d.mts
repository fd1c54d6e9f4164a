export declare const MAX_IN_1000: number;

/** Clauses that stand in the place of a noun, in comments and names of tests, with their lines from 1. */
export declare function clausesIn(
  name: string,
  source: string,
): { readonly words: number; readonly clauses: readonly { readonly line: number; readonly text: string }[] };

/** @returns words and places (`path:line: …text`) by folder */
export declare function countWords(
  root: string,
  paths?: readonly string[],
): ReadonlyMap<string, { readonly words: number; readonly places: readonly string[] }>;
