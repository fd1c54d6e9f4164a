import type { Argument } from './inspection.js';

/** The beginning of a glob that finds no name with a dash in front: `[a-z]*`. */
const BEGINS_WITHOUT_DASH = /^\[(?:[A-Za-z0-9_]|[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)+\]/;

/**
 * The patterns of a glob, or of braces, that may be a name with a leading dash: a file called `-r`. None for a literal
 * word, and for a variable. The values that a line gives a variable are judged on their own.
 */
export const dashedPatterns = ({ text, value, patterns }: Argument): readonly string[] =>
  value !== null || !/[*?[({]/.test(text) || text.includes('$') || BEGINS_WITHOUT_DASH.test(text)
    ? []
    : patterns.filter((pattern) => /^[*?-]/.test(pattern));
