import { maskChunk, maskHeld, maskSecrets, type HeldText } from '#lib/kernel';

/** The text with its secrets masked: those known, and texts of a known shape. */
export const maskText = (text: string, secrets: readonly string[]): string => maskSecrets(text, secrets);

/**
 * Masks a stream of text. A secret that arrives in two chunks is masked too. The end of the text is held back until its
 * rest cannot belong to a secret. Encoded forms of a secret (Base64, hexadecimal) are not recognised.
 */
export class OutputMask {
  #held: HeldText = [];

  constructor(private readonly secrets: readonly string[]) {}

  /** Takes the next text, and returns as much masked text as is safe to show. */
  push(text: string): string {
    const { shown, held } = maskChunk(this.#held, text, this.secrets);
    this.#held = held;
    return shown;
  }

  /**
   * The rest.
   *
   * @param cut true if the stream went on, and its text was cut off. A secret may have lost its end.
   */
  end(cut: boolean): string {
    const held = cut ? '' : maskHeld(this.#held, this.secrets);
    this.#held = [];
    return held;
  }
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
