/** A piece of a text: as it stands, or the name of a character that would not be seen. */
export interface TextPiece {
  readonly text: string;
  readonly hidden: boolean;
}

/**
 * Characters that change what a reader sees without being seen: controls other than line ends and tabs, bidirectional
 * formatting (UAX #9), zero-width and other default-ignorable characters, variation selectors and tags, and every space
 * that is not U+0020. Lone surrogates are named too.
 */
const unseen =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- exactly these are made visible, one by one
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\r(?!\n)/gu;

/** Splits a text so that what cannot be seen can be shown: `U+202E` for a right-to-left override. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const found of text.matchAll(unseen)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), hidden: false });
    const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    pieces.push({ text: `U+${code}`, hidden: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: false });
  return pieces;
}

/** A text with every unseen character named in its place, `⟦U+202E⟧`: for places that show plain text only. */
export const visibleText = (text: string): string =>
  textPieces(text)
    .map((piece) => (piece.hidden ? `⟦${piece.text}⟧` : piece.text))
    .join('');
