import { rarity } from './rarity.js';

/** A term that precedents have, for a term that is sought. */
export interface Likened {
  readonly sought: string;
  /** How like it is, up to 1 for the term itself. */
  readonly weight: number;
  /** How many precedents have it. */
  readonly df: number;
}

/** A spelling that is less like counts for nothing beside the likest one. */
const NEARLY_AS_LIKE = 0.75;

/**
 * The terms that count, each with its worth. Spellings for one sought term are as rare as the most frequent of them.
 * Otherwise a rare wrong spelling would be worth more than the right one.
 *
 * @param n all documents.
 */
export function worthOfTerms<Term extends Likened>(
  terms: readonly Term[],
  n: number,
): readonly (Term & { readonly worth: number })[] {
  const of = new Map<string, Term[]>();
  for (const term of terms) of.set(term.sought, [...(of.get(term.sought) ?? []), term]);
  return [...of.values()].flatMap((spellings) => {
    const likest = Math.max(...spellings.map(({ weight }) => weight));
    const kept = spellings.filter(({ weight }) => weight >= likest * NEARLY_AS_LIKE);
    const df = (term: Term): number => (term.weight === 1 ? term.df : Math.max(...kept.map((one) => one.df)));
    return kept.map((term) => ({ ...term, worth: term.weight * rarity(df(term), n) }));
  });
}
