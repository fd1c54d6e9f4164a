/** A range of words in the order of their bytes; both ends belong to it. */
export interface WordRange {
  readonly from: string;
  readonly to: string;
}

const MAX_TERMS = 8;
const MAX_WORD = 64;
/** Sorts behind every continuation of a word. */
const LAST = '\u{10FFFF}';

const around = /^[.,:;!?()[\]{}<>"'`]+|[.,:;!?()[\]{}<>"'`]+$/g;
const upper = /[A-Z]/g;

/**
 * A typed text as ranges of search words: each term is the beginning of a word. Like `countersign_search_words` in the
 * database it folds letters in ASCII alone, with any locale of the server.
 */
export function searchTerms(text: string): readonly WordRange[] {
  const words = text
    .split(/\s+/)
    .map((word) => word.replaceAll(around, '').replaceAll(upper, (letter) => letter.toLowerCase()))
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, MAX_WORD).join(''));
  return [...new Set(words)].slice(0, MAX_TERMS).map((from) => ({ from, to: `${from}${LAST}` }));
}
