import { maskSecrets } from '#lib/kernel';

/** A token is no longer than this, so that it cannot straddle two pieces of a line without an end. */
const LONGEST_TOKEN = 4_096;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;

/** The text with its secrets masked: those known, and texts of a known shape. */
export const maskText = (text: string, secrets: readonly string[]): string => maskSecrets(text, secrets) as string;

/**
 * Masks a stream of text. A secret that arrives in two chunks is masked too: the end of the text is held back until the rest of it
 * cannot belong to a secret. Encoded forms of a secret (Base64, hexadecimal) are not recognised.
 */
export class OutputMask {
  readonly #secrets: readonly string[];
  readonly #longest: number;
  #held = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    this.#longest = Math.max(1, ...secrets.map(({ length }) => length));
  }

  /** Takes the next text, and returns as much masked text as is safe to show. */
  push(text: string): string {
    this.#held += text;
    const end = this.#safeEnd();
    if (end <= 0) return '';
    const shown = maskText(this.#held.slice(0, end), this.#secrets);
    this.#held = this.#held.slice(end);
    return shown;
  }

  /**
   * The rest.
   *
   * @param cut true if the stream went on, and its text was cut off: a secret may have lost its end
   */
  end(cut: boolean): string {
    const held = cut ? withoutHalfSecret(this.#held, this.#secrets) : this.#held;
    this.#held = '';
    return maskText(held, this.#secrets);
  }

  /** Where the held text can be parted: behind a line, or within a long one, if the parts are masked as the whole is. */
  #safeEnd(): number {
    const held = this.#held;
    const key = lastOpenKey(held);
    const beyond = key ?? held.length;
    if (beyond < this.#longest) return 0;
    let end = held.lastIndexOf('\n', beyond - this.#longest) + 1;
    if (end === 0 && beyond > 4 * LONGEST_TOKEN) end = beyond - Math.max(LONGEST_TOKEN, this.#longest);
    for (; end > 0; end = end > 1 ? held.lastIndexOf('\n', end - 2) + 1 : 0) {
      const parted = maskText(held.slice(0, end), this.#secrets) + maskText(held.slice(end), this.#secrets);
      if (parted === maskText(held, this.#secrets)) return end;
    }
    return 0;
  }
}

/** The place of a private key that has begun and not ended, or null. */
function lastOpenKey(text: string): number | null {
  const start = [...text.matchAll(PRIVATE_KEY)].at(-1)?.index;
  return start === undefined || /-----END [A-Z ]{0,40}PRIVATE KEY-----/.test(text.slice(start)) ? null : start;
}

/** The text without the beginning of a secret at its end. */
export function withoutHalfSecret(text: string, secrets: readonly string[]): string {
  let longest = 0;
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(secret.slice(0, length))) longest = length;
    }
  }
  return text.slice(0, text.length - longest);
}
