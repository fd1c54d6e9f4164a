import fc from 'fast-check';
import { textPieces, visibleText } from './visible-text.js';
import { anyText } from '../../../../test/arbitraries/any-text.js';

describe('the display of a text', () => {
  it.each([
    ['plain words, é, 漢字, 🚀', 'plain words, é, 漢字, 🚀'],
    ['two\nlines\r\nand\ta tab', 'two\nlines\r\nand\ta tab'],
    ['a\rb', 'a⟦U+000D⟧b'],
    ['safe\u202egpj.exe', 'safe⟦U+202E⟧gpj.exe'],
    ['web\u200b-01', 'web⟦U+200B⟧-01'],
    ['\ufeffstart', '⟦U+FEFF⟧start'],
    ['no\u00a0break', 'no⟦U+00A0⟧break'],
    ['tag\u{e0041}', 'tag⟦U+E0041⟧'],
    ['bell\u0007', 'bell⟦U+0007⟧'],
    ['lone \ud800 surrogate', 'lone ⟦U+D800⟧ surrogate'],
    ['isolate\u2066x\u2069', 'isolate⟦U+2066⟧x⟦U+2069⟧'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal', 'p⟦U+0430⟧ypal'],
    ['a Greek letter in a Latin word', 'pr\u03BFd', 'pr⟦U+03BF⟧d'],
    ['a word of Cyrillic letters that reads as Latin', '\u0430\u0441\u0435', '⟦U+0430⟧⟦U+0441⟧⟦U+0435⟧'],
    ['fullwidth and mathematical letters', '\uFF41\u{1D41A}', '⟦U+FF41⟧⟦U+1D41A⟧'],
    ['marks stacked on one letter', `a${'\u0301'.repeat(5)}`, `a\u0301\u0301\u0301⟦U+0301⟧⟦U+0301⟧`],
    ['variation selectors and fillers', 'a\uFE0Fb\u3164c\u115F', 'a⟦U+FE0F⟧b⟦U+3164⟧c⟦U+115F⟧'],
    ['an empty Braille cell', '\u2800', '⟦U+2800⟧'],
    ['other spaces and line separators', 'a\u2003c\u2028d', 'a⟦U+2003⟧c⟦U+2028⟧d'],
    ['a Roman numeral that is drawn as a letter', 'r\u217F -rf', 'r⟦U+217F⟧ -rf'],
    ['Lisu capitals', '\uA4D0\uA4D3', '⟦U+A4D0⟧⟦U+A4D3⟧'],
    ['script g and dotless i', '\u0261\u0131t', '⟦U+0261⟧⟦U+0131⟧t'],
    ['signs that are drawn as / . and -', 'a\u2044b\u2024c\u2010d', 'a⟦U+2044⟧b⟦U+2024⟧c⟦U+2010⟧d'],
    ['letters from right to left inside a word', 'web\u05D0-01', 'web⟦U+05D0⟧-01'],
    [
      'letters from right to left beside the name of a hidden character',
      '\u05D0\u00A0\u05D1',
      '⟦U+05D0⟧⟦U+00A0⟧⟦U+05D1⟧',
    ],
  ])('T10: shows %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    'Remediate drift on 47 servers, 20 % first.\n\tThen the rest.',
    'Zürich, Ærø, naïve, Đà Nẵng',
    'обновить серверы',
    '日本語のテキスト と ひらがな',
    'تحديث الخوادم',
    '서버 업데이트',
    'αβγ und λόγος',
    '👍 ok → done ✔',
  ])('leaves honest text as it is: %s', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it("names letters from right to left anywhere in a machine's line: `cp א ב` is drawn the other way round", () => {
    expect(visibleText('cp \u05D0 \u05D1', 'whole')).toBe('cp ⟦U+05D0⟧ ⟦U+05D1⟧');
    expect(visibleText('cp \u05D0 \u05D1')).toBe('cp \u05D0 \u05D1');
    const part = textPieces('\u05D0 \u05D1', 'whole', 'ls && \u05D0 \u05D1');
    expect(part.map(({ text }) => text)).toEqual(['U+05D0', ' ', 'U+05D1']);
  });

  it('is linear in the length of the text', () => {
    // Of the processor: on a busy machine a test waits as long for its turn.
    const before = process.cpuUsage();
    visibleText('p\u0430'.repeat(50_000) + '\u0301'.repeat(50_000));
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it('names every format character in any context, and loses nothing else', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const shown = visibleText(text);
        expect(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(shown)).toBe(false);
        const seen = textPieces(text).filter(({ hidden }) => !hidden);
        for (const piece of seen) expect(text).toContain(piece.text);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});
