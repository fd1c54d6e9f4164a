import fc from 'fast-check';
import { valueLines, visibleValue } from './visible-value.js';

describe('the display of a value', () => {
  it.each<[string, unknown, string]>([
    ['a text', 'web-2026.11', '"web-2026.11"'],
    ['a text that looks like a number', '5', '"5"'],
    ['a number', 5, '5'],
    ['a truth as text', 'true', '"true"'],
    ['a truth', true, 'true'],
    ['nothing', null, 'null'],
    ['line ends', 'a\nb\r\nc', '"a\\nb\\r\\nc"'],
    ['a backslash and an n', 'a\\nb', '"a\\\\nb"'],
    ['a run of blanks', `a${' '.repeat(400)}rm -rf`, '"a⟦400 blanks⟧rm -rf"'],
    ['a tab', 'a\tb', '"a\\tb"'],
    ['a member', { user: 'root', ids: [1, '1'] }, '{"user": "root", "ids": [1, "1"]}'],
    ['a secret', { $secret: 'db@3' }, '{"$secret": "db@3"}'],
    ['letters from right to left beside others', 'rm \u05D0 /b', '"rm ⟦U+05D0⟧ /b"'],
    ['letters from right to left alone', '\u05D0\u05D1', '"\u05D0\u05D1"'],
    ['a bidirectional override', 'safe\u202Egpj', '"safe⟦U+202E⟧gpj"'],
  ])('T60: shows %s', (_what, value, shown) => {
    expect(visibleValue(value)).toBe(shown);
  });

  it('T10: shows a part of a line as the whole line does', () => {
    expect(visibleValue('\u05D0 \u05D1', 'ls && \u05D0 \u05D1')).toBe('"⟦U+05D0⟧ ⟦U+05D1⟧"');
    expect(visibleValue('\u05D0 \u05D1', '\u05D0 \u05D1')).toBe('"\u05D0 \u05D1"');
  });

  it('T60: begins a line at every line end, so that nothing is pushed out of a line', () => {
    const lines = valueLines(`first${'\n'.repeat(400)}last`);
    expect(lines).toHaveLength(401);
    expect(
      lines
        .at(-1)
        ?.map(({ text }) => text)
        .join(''),
    ).toBe('last"');
  });

  it('T60: is the same for the same JSON alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(visibleValue(one)).not.toBe(visibleValue(other));
      }),
    );
  });
});
