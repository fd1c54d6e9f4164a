import fc from 'fast-check';
import { textPieces, visibleText } from './visible-text.js';

describe('visibleText', () => {
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

  it('names every format character, whatever stands around it, and loses nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visibleText(text);
        expect(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(shown)).toBe(false);
        const seen = textPieces(text).filter(({ hidden }) => !hidden);
        for (const piece of seen) expect(text).toContain(piece.text);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});
