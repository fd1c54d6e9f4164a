/** A piece of a text: as it stands, or the name of a character that is invisible or deceptive. */
export interface TextPiece {
  readonly text: string;
  readonly hidden: boolean;
}

/**
 * The characters that a reader would not see, or would see elsewhere: controls other than line ends and tabs;
 * bidirectional formatting (UAX #9); zero-width and other default-ignorable characters; every space that is not U+0020;
 * lone surrogates; private use and unassigned code points. Then letters in another dress (fullwidth, mathematical,
 * circled, Roman numerals, Lisu capitals, script g and dotless i); signs drawn as `/ . - : !`; and more marks on one
 * letter than any language sets, which cover the lines around it.
 */
const unseen =
  /(?![\n\t]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}|[\u{FF01}-\u{FF5E}\u{1D400}-\u{1D7FF}\u{2460}-\u{24FF}\u{1F110}-\u{1F189}\u{2100}-\u{214F}\u{2160}-\u{2188}\u{A4D0}-\u{A4FF}\u{261}\u{131}\u{1C3}\u{2D0}\u{2010}\u{2011}\u{2024}\u{2044}\u{2215}\u{2236}\u{29F8}\u{A789}\u{FE50}-\u{FE6B}]|(?<=\p{M}{3})\p{M}/gu;

/** The letters written from right to left: they reorder the text beside them without a control character (UAX #9). */
const rightToLeft =
  /(?=[\p{L}\p{Nd}])[\p{scx=Hebrew}\p{scx=Arabic}\p{scx=Syriac}\p{scx=Thaana}\p{scx=Nko}\p{scx=Samaritan}\p{scx=Mandaic}\p{scx=Adlam}\p{scx=Hanifi_Rohingya}]/gu;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]/u;

const word = /[\p{L}\p{M}\p{N}_]+/gu;

/** The scripts with letters that look like those of another; Han, Kana and Hangul are rightly written in one word. */
const lookAlike = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
] as const;

/** Letters of other alphabets that are drawn as Latin ones. A whole word of them reads as a Latin word. */
const drawnAsLatin = /^[АВЕКМНОРСТУХІЈЅԚԜаеорсухіјѕԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧο\p{N}_]+$/u;

/**
 * Splits a text so that its invisible and look-alike characters can be shown: `U+202E` for a right-to-left override.
 *
 * @param order the unit in which letters from right to left are named beside others: one `word` of people's text; or
 *   the `whole` of a value, since a machine reads all of it in order.
 * @param whole the value that the text is a part of.
 */
export function textPieces(text: string, order: 'word' | 'whole' = 'word', whole: string = text): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { index, character } of hiddenIn(text, order, whole)) {
    if (index > from) pieces.push({ text: text.slice(from, index), hidden: false });
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    pieces.push({ text: `U+${code}`, hidden: true });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: false });
  return pieces;
}

/**
 * Text of strangers as it may be shown to somebody who decides (T10). Every hidden character is named in its place,
 * `⟦U+202E⟧`; for places that show plain text only.
 *
 * @param order as of {@link textPieces}.
 */
export const visibleText = (text: string, order: 'word' | 'whole' = 'word'): string =>
  textPieces(text, order)
    .map((piece) => (piece.hidden ? `⟦${piece.text}⟧` : piece.text))
    .join('');

interface Hidden {
  readonly index: number;
  readonly character: string;
}

function hiddenIn(text: string, order: 'word' | 'whole', whole: string): readonly Hidden[] {
  const marks = new Map<number, string>();
  for (const match of text.matchAll(unseen)) marks.set(match.index, match[0]);
  for (const match of text.matchAll(word)) {
    for (const { index, character } of lookAlikesIn(match[0])) marks.set(match.index + index, character);
  }
  for (const { index, character } of turnedRound(text, order, whole, marks)) marks.set(index, character);
  return [...marks].map(([index, character]) => ({ index, character })).sort((a, b) => a.index - b.index);
}

/** The text between two spaces that are shown as they are. */
const part = /(?:[^ \n\t\r]|\r(?!\n))+/gu;

/**
 * The letters from right to left that change the order of their neighbours: Latin letters, or a hidden character's
 * name.
 *
 * @param marks the hidden characters, by where they stand.
 */
function turnedRound(
  text: string,
  order: 'word' | 'whole',
  whole: string,
  marks: ReadonlyMap<number, string>,
): readonly Hidden[] {
  if (text.search(rightToLeft) === -1) return [];
  const parts = order === 'whole' ? [{ index: 0, 0: text }] : [...text.matchAll(part)];
  return parts
    .filter(
      ({ index, 0: of }) =>
        leftToRight.test(order === 'whole' ? whole : of) ||
        Array.from({ length: of.length }).some((_, at) => marks.has(index + at)),
    )
    .flatMap(({ index, 0: of }) =>
      [...of.matchAll(rightToLeft)].map((match) => ({ index: index + match.index, character: match[0] })),
    );
}

/** The letters of a word that pass for Latin ones. They stand beside Latin letters, or make up the whole word. */
function lookAlikesIn(text: string): readonly Hidden[] {
  if (/^[\x20-\x7e]*$/.test(text)) return [];
  const used = lookAlike.filter((script) => script.test(text));
  const [first] = used;
  const latin = lookAlike[0];
  const alone = used.length === 1 && first !== latin && drawnAsLatin.test(text);
  if (!alone && used.length < 2) return [];
  const hidden: Hidden[] = [];
  let index = 0;
  for (const character of text) {
    if (/\p{L}/u.test(character) && (alone || !latin.test(character))) hidden.push({ index, character });
    index += character.length;
  }
  return hidden;
}
