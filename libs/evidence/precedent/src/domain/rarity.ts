/** The inverse document frequency of BM25, above 0 for each term. @param df documents with the term. @param n all documents. */
export const rarity = (df: number, n: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));

/** A term in more than this part of all documents says little about one of them. */
const FREQUENT = 1 / 8;
/** With fewer documents, each term may find some. */
const MANY = 1_000;

/** Terms that find documents, and terms that only add to the score of documents found by others. Without a rare one, all find some. */
export function splitByFrequency<Term extends { readonly df: number }>(
  terms: readonly Term[],
  n: number,
): { readonly rare: readonly Term[]; readonly frequent: readonly Term[] } {
  const isRare = ({ df }: Term): boolean => n < MANY || df <= n * FREQUENT;
  const rare = terms.filter(isRare);
  return rare.length === 0 ? { rare: terms, frequent: [] } : { rare, frequent: terms.filter((term) => !isRare(term)) };
}
