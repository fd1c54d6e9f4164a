/** A longer run of letters and digits is data, such as a digest in base64: its beginning stands for it. */
const MAX_TERM = 40;

/** `parseHTTPHeader2` is parse, HTTP, Header and 2. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+|\p{Lu}/gu;
/** `retry_policy` is one identifier. */
const IDENTIFIERS = /[\p{L}\p{N}\p{M}_]+/gu;

/** Words of a question that say nothing of its answer. */
const EMPTY_WORDS = new Set(
  (
    'a an and any are as at be by can code do does file find for from has have how i if in into is it its me of on or show ' +
    'so that the their them then there these this to we what when where which who why with you'
  ).split(' '),
);

/**
 * The terms of a text: each identifier by its parts, camelCase and snake_case alike, and as one word. Endings are cut, so that
 * `retries` and `retrying` are one term.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [identifier] of text.matchAll(IDENTIFIERS)) {
    const parts = identifier.match(PARTS) ?? [];
    for (const part of parts) terms.push(stemOf(part.toLowerCase().slice(0, MAX_TERM)));
    if (parts.length > 1) terms.push(parts.join('').toLowerCase().slice(0, MAX_TERM));
  }
  return terms;
}

/** The terms of a question, without empty words unless it has no others. */
export function termsOfQuery(query: string): string[] {
  const kept = query.replace(IDENTIFIERS, (word) => (EMPTY_WORDS.has(word.toLowerCase()) ? ' ' : word));
  const terms = termsOf(kept);
  return terms.length > 0 ? terms : termsOf(query);
}

const VOWEL = /[aeiouy]/;
/** Each ending, its replacement, and the fewest letters in front of it. The first that fits is taken. */
const ENDINGS: readonly (readonly [ending: string, replacement: string, before: number])[] = [
  ['izations', 'iz', 3],
  ['ization', 'iz', 3],
  ['ations', 'at', 3],
  ['ation', 'at', 3],
  ['ions', '', 4],
  ['ion', '', 4],
  ['ies', 'y', 2],
  ['ied', 'y', 2],
  ['sses', 'ss', 1],
  ['ings', '', 3],
  ['ing', '', 3],
  ['ers', '', 4],
  ['er', '', 4],
  ['ed', '', 3],
  ['es', '', 3],
  ['ss', 'ss', 1],
  ['us', 'us', 1],
  ['is', 'is', 1],
  ['s', '', 3],
  ['e', '', 3],
];

/** A word without its English ending: coarse, and the same for the text and the question. */
function stemOf(word: string): string {
  for (const [ending, replacement, before] of ENDINGS) {
    const front = word.length - ending.length;
    if (front < before || !word.endsWith(ending)) continue;
    const stem = word.slice(0, front);
    if (!VOWEL.test(stem)) return word;
    return undoubled(stem + replacement);
  }
  return word;
}

/** `stopped` is stop; `call` and `pass` keep both letters. */
const undoubled = (stem: string): string => (/([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem);
