import type { Json, JsonObject } from '#lib/canonical';

/** What stands where a secret stood. */
export const MASK = '[masked]';

/** A member name whose value is a secret by its last word: `password`, `db_password`, `apiKey`, `x-auth-token`. */
const SECRET_NAME =
  /(^|[_\-. ]|(?<=[a-z0-9])(?=[A-Z]))(pass(word|wd|phrase)?|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|secret[_-]?key|signing[_-]?key|credentials?|authorization|cookie|pin|otp)$/i;

/** Texts that are secrets wherever they stand. */
const SECRET_TEXT: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bcs_[A-Za-z0-9_-]{16,}/g, MASK],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/-]{8,}=*/gi, `$1 ${MASK}`],
  [/\b(xox[abposr]-[A-Za-z0-9-]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16})\b/g, MASK],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, MASK],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}):[^\s/@]{1,200}@/gi, `$1:${MASK}@`],
];

/**
 * JSON without its secrets (T32): values of members that are named like secrets, and secrets that can be told by their
 * form wherever they stand. A reference (`{"$secret": "name@version"}`) is not a secret and stays.
 */
export function maskSecrets(value: Json): Json {
  return mask(value, (name, member) => (SECRET_NAME.test(name) && holdsText(member) ? MASK : maskSecrets(member)));
}

/** Only what is a secret by its form, for JSON whose member names are data (tools by name). */
export function maskSecretText(value: Json): Json {
  return mask(value, (_name, member) => maskSecretText(member));
}

function mask(value: Json, ofMember: (name: string, member: Json) => Json): Json {
  if (typeof value === 'string') {
    return SECRET_TEXT.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value);
  }
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return value.map((item) => mask(item, ofMember));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ofMember(name, member)]));
}

const isArray = (value: readonly Json[] | JsonObject): value is readonly Json[] => Array.isArray(value);

function holdsText(value: Json): boolean {
  if (value === null || typeof value === 'boolean') return false;
  if (typeof value !== 'object' || isArray(value)) return true;
  return !('$secret' in value);
}
