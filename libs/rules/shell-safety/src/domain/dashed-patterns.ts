import type { Argument } from './inspection.js';

/** The beginning of a glob that finds no name with a dash in front: `[a-z]*`. */
const BEGINS_WITHOUT_DASH = /^\[(?:[A-Za-z0-9_]|[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)+\]/;

/**
 * The patterns of a glob, or of braces, that may be a name with a dash in front: a file called `-r`. None for a literal word, and for a
 * variable: the values that a line gives it are judged on their own.
 */
export const dashedPatterns = ({ text, value, patterns }: Argument): readonly string[] =>
  value !== null || !/[*?[({]/.test(text) || text.includes('$') || BEGINS_WITHOUT_DASH.test(text)
    ? []
    : patterns.filter((pattern) => /^[*?-]/.test(pattern));
