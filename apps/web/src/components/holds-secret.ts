const SHAPES: readonly RegExp[] = [
  /PRIVATE KEY/,
  // A JSON Web Token, and the word after a scheme of HTTP.
  /\beyJ[\w-]{5,}\./,
  /\b(?:Bearer|Basic|Digest)[ \t]+\S{8}/i,
  // A password in a URL.
  /:\/\/[^\s/@:]*:[^\s/@]+@/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}|\bgh[pousr]_|\bgithub_pat_|\bglpat-|\bxox[abeoprs]-|\bsk-[\w-]{20}|\bAIza/,
  // Tokens of Countersign, and secrets of webhooks.
  /\bcs[a-z]{0,3}_[\w-]{32}|\bwhsec_/,
  // A value under the name of a secret, and after a flag. A reference, `$secret: name@version`, is none.
  /(?<![$\w])\w*(?:pass(?:word|wd|phrase)|pwd|secret|token|(?:api|access|private)[_-]?key)["']?\s*[=:]\s*(?![{[]|null\b)\S/i,
  /--?(?:pass(?:word|wd|phrase)|secret|token|api-?key)[ \t]+\S/i,
];

/** Whether a text may hold a key, a token or a password. It sooner takes a harmless text for one. */
export const holdsSecret = (text: string): boolean => SHAPES.some((shape) => shape.test(text));
