/** The inverse document frequency of BM25, above 0 for each term. @param df documents with the term. @param n all documents. */
export const rarity = (df: number, n: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));

/** A term in more than this part of all documents finds none by itself. */
const FREQUENT = 1 / 8;
/** A term in more than this part of them says little about any. */
const EVERYWHERE = 1 / 4;
/** With fewer documents, each term may find some. */
const MANY = 1_000;

/** Whether a term says little about any document, since many have it. @param df documents with the term. @param n all documents. */
export const isCommon = (df: number, n: number): boolean => df > n * EVERYWHERE;

/** The documents of a term need not be counted any further. */
export const countedUpTo = (n: number): number => (n < MANY ? MANY : Math.floor(n * EVERYWHERE) + 1);

/**
 * Terms that find documents, and terms that only add to the score of documents found by others. Terms that are everywhere do neither.
 * Without a rare term, all find documents.
 */
export function splitByFrequency<Term extends { readonly df: number }>(
  terms: readonly Term[],
  n: number,
): { readonly rare: readonly Term[]; readonly frequent: readonly Term[] } {
  const rare = terms.filter(({ df }) => n < MANY || df <= n * FREQUENT);
  if (rare.length === 0) return { rare: terms, frequent: [] };
  return { rare, frequent: terms.filter(({ df }) => n >= MANY && df > n * FREQUENT && df <= n * EVERYWHERE) };
}
