/** The words that a text shares with a precedent; each list is as the text has them. */
export interface SharedWords {
  /** Words of the text that the precedent has. */
  readonly words: readonly string[];
  /** The same, but they say little: many precedents have them, or they are parts of names with numbers. */
  readonly common: readonly string[];
  /** Words of the text that the precedent spells in another way. */
  readonly similar: readonly { readonly said: string; readonly found: readonly string[] }[];
}

export const NO_WORDS: SharedWords = { words: [], common: [], similar: [] };

/** A word that a precedent has for a word of the text. */
export interface SharedWord {
  readonly said: string;
  readonly kind: keyof SharedWords;
  /** As the precedent has it. */
  readonly found: string;
}

/** An equal word says more than a similar one. A similar word is left out if the text or the precedent has it among the equal ones. */
export function sharedWordsOf(all: readonly SharedWord[]): SharedWords {
  const of = (kind: keyof SharedWords): readonly SharedWord[] => all.filter((one) => one.kind === kind);
  const names = (kind: keyof SharedWords): readonly string[] => [...new Set(of(kind).map(({ said }) => said))];
  const [words, common] = [names('words'), names('common')];
  const equal = new Set([...words, ...common]);
  const similar = new Map<string, Set<string>>();
  for (const { said, found } of of('similar'))
    if (!equal.has(said) && !words.includes(found)) similar.set(said, (similar.get(said) ?? new Set()).add(found));
  return {
    words,
    common: common.filter((said) => !words.includes(said)),
    similar: [...similar].map(([said, found]) => ({ said, found: [...found] })),
  };
}
