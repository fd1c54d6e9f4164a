/** The text that replaces a secret in a log. */
export const MASK = '[masked]';

// Countersign's own tokens, JSON web signatures (grants), and the word after "Bearer".
const secret =
  /\bcs_[a-z]_[A-Za-z0-9_-]+|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+|(?<=\bBearer\s{1,4})[^\s"',\\]+/gi;

/**
 * Blanks every credential in a line of text (T32): in a message, an error's stack, a URL or a field. Works on the
 * serialised line, so that no logging call can forget it.
 */
export const maskSecrets = (line: string): string => line.replace(secret, MASK);
