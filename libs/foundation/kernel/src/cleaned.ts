import { isJsonList, isJsonObject, type Json } from '#lib/canonical';
import { maskSecretText } from './mask-secrets.js';

/** The value with its text as it can be stored and digested: well-formed and without NUL. Other characters stand for these: two keys may become one. */
export function cleaned<Value extends Json>(value: Value): Value;
export function cleaned(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed();
  if (isJsonList(value)) return value.map((member) => cleaned(member));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleaned(key), cleaned(member)]));
}

/**
 * The beginning of a foreign text, as it can be stored and shown. NUL is taken out before secrets are masked: no mask finds a secret
 * with NUL inside. Secrets are masked before the cut: no mask finds the beginning of one.
 *
 * @param most characters of the masked text.
 * @param mask replaces the secrets in a text.
 */
export function maskedBeginning(text: string, most: number, mask: (text: string) => string = maskSecretText): string {
  // The cut may leave half a character.
  return mask(text.replaceAll('\0', '')).slice(0, most).toWellFormed();
}
