import { RE2JS } from 're2js';

const MAX_PATTERN_LENGTH = 256;
const MAX_PROGRAM_SIZE = 1_100;

/** A regular expression that matches in time linear in its input (T24). */
export interface LinearPattern {
  test(text: string): boolean;
  /** The pattern's text: ajv keeps one compiled pattern for each. */
  toString(): string;
}

/**
 * Compiles a pattern with RE2's syntax and guarantees. It has no look-around and no back-references, and no long input
 * makes it slow.
 *
 * @throws {Error} with the reason.
 */
export function compileLinearPattern(pattern: string): LinearPattern {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new Error(`a pattern has at most ${String(MAX_PATTERN_LENGTH)} characters`);
  }
  const compiled = RE2JS.compile(pattern);
  if (compiled.programSize() > MAX_PROGRAM_SIZE) {
    throw new Error('the pattern repeats too much');
  }
  return { test: (text) => compiled.test(text), toString: () => pattern };
}
