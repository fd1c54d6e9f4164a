import type { Json, JsonObject } from '#lib/canonical';

/** The text that replaces a secret. */
export const MASK = '[masked]';

/** Part of every sensitive name: most names are told apart by this one look. */
const maybeSensitive = /pass|pwd|secret|token|key|auth|cookie|credential|connection|otp/i;
const sensitiveName =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secrets?|token|api_?key|access_?key|private_?key|secret_?key|signing_?key|encryption_?key|authorization|cookie|credentials?|connection_string|otp|totp)$/;

/** `clientSecret`, `Client-Secret` and `client_secret` are one name. */
const nameOf = (key: string): string =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-\s.]+/g, '_')
    .toLowerCase();

/** The members of a JSON Web Key that are private (RFC 7518, section 6; RFC 8037). */
const PRIVATE_MEMBERS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

/** Part of every pattern below: most texts are told apart by this one look. */
const maybeSecret =
  /PRIVATE KEY|["']d\\?["']|eyJ|bearer|basic|digest|:\/\/|AKIA|ASIA|gh[pousr]_|github_pat|glpat-|xox|sk-|AIza|cs[a-z]{0,3}_|pass|pwd|secret|token|key/i;

// Every pattern is linear: no nested or overlapping repetition. The text may come from anybody.
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  // The private part of a JSON Web Key (RFC 7517), also in a string of JSON.
  [/(["']d\\?["']\s{0,4}:\s{0,4}\\?["'])[A-Za-z0-9_-]{40,}/g, `$1${MASK}`],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*/g, MASK],
  [/\b(Bearer|Basic|Digest)[ \t]+[A-Za-z0-9+/=._~-]{8,}/gi, `$1 ${MASK}`],
  [/:\/\/[^\s/@:"']{0,256}:[^\s/@"']{1,256}@/g, `://${MASK}@`],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASK],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}/g, MASK],
  [/\bgithub_pat_[A-Za-z0-9_]{20,}/g, MASK],
  [/\bglpat-[A-Za-z0-9_-]{20,}/g, MASK],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g, MASK],
  [/\bsk-[A-Za-z0-9_-]{20,}/g, MASK],
  [/\bAIza[A-Za-z0-9_-]{35}/g, MASK],
  // Countersign's own tokens.
  [/\bcs[a-z]{0,3}_[A-Za-z0-9_-]{32,}/g, MASK],
  [
    /((?:^|[?&\s;,"'_-])(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s{0,4}[=:]\s{0,4})(?:"[^"]{1,512}"|'[^']{1,512}'|[^\s&"',;]{4,512})/gi,
    `$1${MASK}`,
  ],
  // Only after a flag is the next word a value; in prose ("the secret rotation") it is just a word.
  [
    /(--?(?:password|passwd|passphrase|secret|token|api-?key)[ \t]+)(?:"[^"]{1,512}"|'[^']{1,512}'|[^\s"']{1,512})/gi,
    `$1${MASK}`,
  ],
];

/**
 * The same value with secrets masked (T32): members with the name of a secret, and text of a known shape
 * (keys, tokens, passwords in URLs and command lines). A reference `{"$secret": "name@version"}` stays: it is no secret.
 *
 * @param known secrets that took part in the action, such as those resolved at dispatch: masked wherever they appear.
 */
export function maskSecrets(value: Json, known: readonly string[] = []): Json {
  // Masking a very short value would tear unrelated text apart.
  const literals = known.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);

  const maskText = (text: string): string => {
    let masked = text;
    for (const secret of literals) masked = masked.replaceAll(secret, MASK);
    if (!maybeSecret.test(masked)) return masked;
    for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement);
    return masked;
  };
  const isReference = (member: Json): boolean =>
    typeof member === 'object' &&
    member !== null &&
    !Array.isArray(member) &&
    typeof (member as JsonObject).$secret === 'string';
  const mask = (member: Json): Json => {
    if (typeof member === 'string') return maskText(member);
    if (typeof member !== 'object' || member === null) return member;
    if (Array.isArray(member)) return (member as readonly Json[]).map(mask);
    if (isReference(member)) return member;
    const isKey = typeof (member as JsonObject).kty === 'string';
    return Object.fromEntries(
      Object.entries(member as JsonObject).map(([key, inner]) => {
        if (isKey && PRIVATE_MEMBERS.has(key)) return [key, MASK];
        const hides =
          maybeSensitive.test(key) &&
          sensitiveName.test(nameOf(key)) &&
          inner !== null &&
          typeof inner !== 'boolean' &&
          !isReference(inner);
        return [maskText(key), hides ? MASK : mask(inner)];
      }),
    );
  };
  return mask(value);
}

/** The same for words that people or agents write: before they are stored and digested. */
export function maskSecretText(text: string): string {
  const masked = maskSecrets(text);
  return typeof masked === 'string' ? masked : MASK;
}
