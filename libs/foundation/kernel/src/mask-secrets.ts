import { Buffer } from 'node:buffer';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#lib/canonical';

/** The text that replaces a secret. */
export const MASK = '[masked]';

/** Part of every sensitive name: most names are told apart by this one look. */
const maybeSensitive = /pass|pwd|secret|token|key|auth|cookie|credential|connection|otp/i;
/** Names of members that hold a secret, in snake case. */
export const secretName =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secrets?|token|api_?key|access_?key|private_?key|secret_?key|signing_?key|encryption_?key|authorization|cookie|credentials?|connection_string|otp|totp)$/;

/** `clientSecret`, `Client-Secret` and `client_secret` are one name. */
const nameOf = (key: string): string =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-\s.]+/g, '_')
    .toLowerCase();

/** The members of a JSON Web Key that are private (RFC 7518, section 6; RFC 8037). */
export const PRIVATE_KEY_MEMBERS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

/** Part of every pattern below: most texts are told apart by this one look. */
const maybeSecret =
  /PRIVATE KEY|["']d\\?["']|eyJ|bearer|basic|digest|:\/\/|AKIA|ASIA|gh[pousr]_|github_pat|glpat-|xox|sk-|AIza|cs[a-z]{0,3}_|whsec_|pass|pwd|secret|token|key/i;

/** A text in place of a match, or the function that makes it of the match and its first group. */
type Replacement = string | ((found: string, rest?: string) => string);

/** Secrets by their shape. Every pattern is linear: no nested or overlapping repetition. The text may come from anybody. */
export const secretShapes: readonly (readonly [RegExp, Replacement])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  // The private part of a JSON Web Key (RFC 7517), also in a string of JSON.
  [/(["']d\\?["']\s{0,4}:\s{0,4}\\?["'])[A-Za-z0-9_-]{40,}/g, `$1${MASK}`],
  // A word that is no token is matched too, so that the rest of it is not tried again.
  [
    /\beyJ[A-Za-z0-9_-]{5,}(\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*)?/g,
    (found, rest) => (rest === undefined ? found : MASK),
  ],
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
  // Secrets of webhooks (Standard Webhooks 1.0).
  [/\bwhsec_[A-Za-z0-9+/]{20,}={0,2}/g, MASK],
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
 * A secret as it stands in plain text, in a URL, within a string of JSON, and in base64. A program's error quotes it in
 * any of these.
 */
const spellingsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret.toWellFormed()),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''),
];

/** Masking a very short value would tear unrelated text apart. */
const literalsOf = (known: readonly string[]): string[] =>
  [...new Set(known.filter((secret) => secret.length >= 4).flatMap(spellingsOf))].sort((a, b) => b.length - a.length);

const replaced = (text: string, pattern: RegExp, replacement: Replacement): string =>
  typeof replacement === 'string' ? text.replace(pattern, replacement) : text.replace(pattern, replacement);

function textMasked(text: string, literals: readonly string[]): string {
  let masked = text;
  for (const secret of literals) masked = masked.replaceAll(secret, MASK);
  if (!maybeSecret.test(masked)) return masked;
  for (const [pattern, replacement] of secretShapes) masked = replaced(masked, pattern, replacement);
  return masked;
}

/**
 * The same value with secrets masked (T32). Masked are members with the name of a secret, and text of a known shape.
 * Such text is a key, a token, or a password in a URL or command line. A reference `{"$secret": "name@version"}` stays:
 * it is no secret.
 *
 * @param known secrets that took part in the action, such as those resolved at dispatch: masked wherever they appear.
 */
export function maskSecrets(value: string, known?: readonly string[]): string;
export function maskSecrets(value: JsonObject, known?: readonly string[]): JsonObject;
export function maskSecrets(value: Json, known?: readonly string[]): Json;
export function maskSecrets(value: Json, known: readonly string[] = []): Json {
  const literals = literalsOf(known);
  const maskText = (text: string): string => textMasked(text, literals);
  const isReference = (member: Json): boolean => isJsonObject(member) && typeof member.$secret === 'string';
  const mask = (member: Json): Json => {
    if (typeof member === 'string') return maskText(member);
    if (isJsonList(member)) return member.map(mask);
    if (!isJsonObject(member) || isReference(member)) return member;
    const isKey = typeof member.kty === 'string';
    return Object.fromEntries(
      Object.entries(member).map(([key, inner]) => {
        if (isKey && PRIVATE_KEY_MEMBERS.has(key)) return [key, MASK];
        const hides =
          maybeSensitive.test(key) &&
          secretName.test(nameOf(key)) &&
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
export const maskSecretText = (text: string): string => maskSecrets(text);

/** The characters of a word, each as a step of a pattern. */
const letters = (word: string): string[] =>
  Array.from(word, (letter) => (/[-_A-Za-z]/.test(letter) ? letter : `\\${letter}`));

/** The position from which a text may go on as a secret; -1 if from nowhere. */
type Beginning = (text: string) => number;

/** The position from which the text ends with some of these steps, at least the first. */
function begun(before: string, steps: readonly string[], flags = ''): Beginning {
  const end = new RegExp(`${before}${steps.reduceRight((rest, step) => `${step}(?:${rest})?`, '')}$`, flags);
  return (text) => text.search(end);
}

/** The beginning of such a word, if the text ends with it: of as many parts, with dots between them. */
const inLastWord =
  (start: RegExp, parts = 1): Beginning =>
  (text) => {
    let from = text.length;
    for (let dots = 0; from > 0; from -= 1) {
      const character = text.charAt(from - 1);
      if (character === '.') dots += 1;
      if (character === '.' ? dots >= parts : !/[A-Za-z0-9_-]/.test(character)) break;
    }
    const at = text.slice(from).search(start);
    return at < 0 ? at : from + at;
  };

/** The beginning of a private key that has not ended. The dashes of an end may be those of the next beginning, so keys are found as they are masked. */
function openKey(text: string): number {
  for (const { 0: key, index } of text.matchAll(
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  ))
    if (!/-----END [A-Z ]{0,40}PRIVATE KEY-----$/.test(key)) return index;
  return -1;
}

const WORD = '[A-Za-z0-9_-]*';
const QUOTED = `"[^"]{0,512}|'[^']{0,512}`;
const NAMED = ['password', 'passwd', 'passphrase', 'pwd', 'secret', 'token'].map(letters);
const KEYS = ['api', 'access', 'private'].map((kind) => [...letters(kind), '[_-]?', ...letters('key')]);
const FLAGS = ['password', 'passwd', 'passphrase', 'secret', 'token', 'apikey', 'api-key'];

/** For each of the patterns, in their order: the ends of a text that may go on as a secret. */
const beginnings: readonly (readonly Beginning[])[] = [
  [openKey, begun('', [...letters('-----BEGIN'), ' [A-Z ]{0,51}-{0,4}'])],
  [begun('', [`["']`, 'd', '\\\\?', `["']`, '\\s{0,4}', ':', '\\s{0,4}', '\\\\?', `["']`, WORD])],
  [begun('\\b', letters('eyJ')), inLastWord(/\beyJ/, 3)],
  ['Bearer', 'Basic', 'Digest'].map((word) => begun('\\b', [...letters(word), '[ \\t]+', '[A-Za-z0-9+/=._~-]*'], 'i')),
  [begun('', [...letters('://'), `[^\\s/@:"']{0,256}`, ':', `[^\\s/@"']{0,256}`])],
  ['AKIA', 'ASIA'].map((word) => begun('\\b', [...letters(word), '[A-Z0-9]{0,16}'])),
  [begun('\\b', [...letters('gh'), '[pousr]', '_', '[A-Za-z0-9]*'])],
  [begun('\\b', [...letters('github_pat_'), '[A-Za-z0-9_]*'])],
  [begun('\\b', letters('glpat-')), inLastWord(/\bglpat-/)],
  [begun('\\b', [...letters('xox'), '[abeoprs]', '-']), inLastWord(/\bxox[abeoprs]-/)],
  [begun('\\b', letters('sk-')), inLastWord(/\bsk-/)],
  [begun('\\b', [...letters('AIza'), '[A-Za-z0-9_-]{0,35}'])],
  [begun('\\b', [...letters('cs'), '[a-z]{0,3}', '_']), inLastWord(/\bcs[a-z]{0,3}_/)],
  [begun('\\b', [...letters('whsec_'), '[A-Za-z0-9+/]*', '={0,2}'])],
  [...NAMED, ...KEYS].map((name) =>
    begun(
      `(?<=[?&\\s;,"'_-])`,
      [...name, `["']?\\s{0,4}`, '[=:]', '\\s{0,4}', `(?:${QUOTED}|[^\\s&"',;]{0,512})`],
      'i',
    ),
  ),
  FLAGS.map((word) => begun('', ['-', '-?', ...letters(word), '[ \\t]+', `(?:${QUOTED}|[^\\s"']{0,512})`], 'i')),
];

/** More text than this is never held back for one pattern. */
const MAX_HELD = 16_384;
/** The ends of a longer secret that stand for all of it. */
const KEPT_OF_HELD = 1_024;

/**
 * The text of a stream that is held back, as it may be the beginning of a secret. It has an item for each known secret and then each
 * pattern, after a character for the one before it. Empty at the start of a stream.
 */
export type HeldText = readonly string[];

/** One secret, or one pattern of them, as a stream passes it. */
interface Stage {
  readonly pattern: RegExp;
  readonly replacement: Replacement;
  /** The position from which the text may go on as such a secret; its length if from nowhere. */
  readonly beginsAt: (text: string) => number;
}

const STAGES: readonly Stage[] = secretShapes.map(([pattern, replacement], at) => ({
  pattern,
  replacement,
  beginsAt: (text) =>
    (beginnings[at] ?? []).reduce((least, beginning) => {
      const position = beginning(text);
      return position < 0 ? least : Math.min(least, position);
    }, text.length),
}));

const literally = (secret: string): Stage => ({
  pattern: new RegExp(secret.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'g'),
  replacement: MASK,
  beginsAt: (text) => {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
      if (text.endsWith(secret.slice(0, length))) return text.length - length;
    return text.length;
  },
});

const stagesOf = (known: readonly string[]): readonly Stage[] => [...literalsOf(known).map(literally), ...STAGES];

/**
 * Masks a stream as {@link maskSecrets} masks the whole text, in any division into chunks. Text that may be the
 * beginning of a secret is held back for the next chunk. A single secret of more than 16,384 characters may be masked
 * otherwise than in the whole.
 *
 * @param held as the chunk before left it.
 * @returns the text to show now, and the text to hold.
 */
export function maskChunk(
  held: HeldText,
  text: string,
  known: readonly string[] = [],
): { readonly shown: string; readonly held: HeldText } {
  let shown = text;
  const next = stagesOf(known).map((stage, at) => {
    const passed = passStage(stage, held[at] ?? START, shown);
    ({ shown } = passed);
    return passed.held;
  });
  return { shown, held: next };
}

/** The rest of a stream. */
export const maskHeld = (held: HeldText, known: readonly string[] = []): string =>
  stagesOf(known).reduce(
    (rest, { pattern, replacement }, at) => replaced(`${held[at] ?? START}${rest}`, pattern, replacement).slice(1),
    '',
  );

/** The start of a stream is like the start of a line to every pattern. */
const START = '\n';

function passStage(stage: Stage, held: string, text: string): { readonly shown: string; readonly held: string } {
  const { pattern, replacement, beginsAt } = stage;
  const all = held + text;
  const found = [...all.matchAll(pattern)].map(({ index, 0: secret }) => ({
    start: index,
    end: index + secret.length,
  }));
  const begin = beginsAt(all);
  // A secret that is whole stays whole.
  const end = Math.max(1, found.find((one) => one.start < begin && begin < one.end)?.start ?? begin);
  const shown = replaced(all.slice(0, end), pattern, replacement).slice(1);
  const before = contextOf(
    all.charAt(end - 1),
    found.some((one) => one.end === end),
  );
  const rest = all.slice(end);
  if (rest.length <= MAX_HELD) return { shown, held: before + rest };
  const short = rest.slice(0, KEPT_OF_HELD) + rest.slice(-KEPT_OF_HELD);
  return replaced(before + short, pattern, replacement) === replaced(before + rest, pattern, replacement)
    ? { shown, held: before + short }
    : { shown: shown + MASK, held: contextOf(all.slice(-1), true) };
}

/** A character like this one to every pattern. One that belongs to a secret separates no word from the next. */
const contextOf = (character: string, inSecret: boolean): string =>
  /[A-Za-z0-9]/.test(character) ? 'z' : inSecret ? '.' : character;
