import fc from 'fast-check';
import type { Json } from './canonical-json.js';
import { parseStrictJson, StrictJsonError } from './parse-strict-json.js';
import { anyText } from '../../../../test/arbitraries/any-text.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

/** The error that parsing `text` throws. */
function refusal(text: string, maxDepth?: number): { code: string; position: number } {
  try {
    parseStrictJson(text, maxDepth);
  } catch (error) {
    if (error instanceof StrictJsonError) return { code: error.code, position: error.position };
    throw error;
  }
  throw new Error('It was parsed.');
}

describe('strict JSON', () => {
  it('agrees with JSON.parse on every text with one reading', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        let value: Json;
        try {
          value = parseStrictJson(spaced);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/unsafe_integer|lone_surrogate/) as string });
          return;
        }
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(spaced)));
      }),
    );
  });

  it('accepts no text that JSON.parse refuses', () => {
    const scraps = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '"\\u0041"',
        '1',
        '-',
        '.5',
        '0',
        '01',
        'e3',
        'true',
        'null',
        ' ',
        '\n',
        '\u00a0',
        '\\',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(scraps, (parts) => {
        const text = parts.join('');
        let strict: Json;
        try {
          strict = parseStrictJson(text);
        } catch (error) {
          expect(error).toBeInstanceOf(StrictJsonError);
          return;
        }
        expect(JSON.stringify(strict)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('T33: answers any text with a value or a refusal that says where, and never with anything else', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        try {
          parseStrictJson(text);
        } catch (error) {
          const position = error instanceof StrictJsonError ? error.position : -1;
          expect([error, position >= 0 && position <= text.length]).toEqual([expect.any(StrictJsonError), true]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['[1e-400]', 1],
    ['-0.00001e-350', 0],
    ['{"n":1e-324}', 5],
  ])('T64: refuses a number that would be read as another: %s', (text, position) => {
    expect(() => parseStrictJson(text)).toThrow(expect.objectContaining({ code: 'json.number_lost', position }));
  });

  it.each([
    ['a key that stands twice', '{"a":1,"a":1}', 'json.duplicate_key', 7],
    ['a key that stands twice in other spelling', '{"a":1,"\\u0061":2}', 'json.duplicate_key', 7],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'json.duplicate_key', 15],
    ['a lone surrogate', '["\\ud800"]', 'json.lone_surrogate', 1],
    ['a lone surrogate in a key', '{"\\udc00":1}', 'json.lone_surrogate', 1],
    ['a raw lone surrogate', '"\ud800"', 'json.lone_surrogate', 0],
    ['2^53', '[9007199254740992]', 'json.unsafe_integer', 1],
    ['-2^53', '-9007199254740992', 'json.unsafe_integer', 0],
    ['2^53 written otherwise', '9.007199254740992e15', 'json.unsafe_integer', 0],
    ['what overflows', '1e999', 'json.unsafe_integer', 0],
    ['nothing', '', 'json.syntax', 0],
    ['two values', '1 2', 'json.syntax', 2],
    ['a trailing comma', '[1,]', 'json.syntax', 3],
    ['a trailing comma in an object', '{"a":1,}', 'json.syntax', 7],
    ['a comment', '/* */1', 'json.syntax', 0],
    ['a single quote', "'a'", 'json.syntax', 0],
    ['a leading zero', '01', 'json.syntax', 1],
    ['a plus sign', '+1', 'json.syntax', 0],
    ['a bare point', '1.', 'json.syntax', 1],
    ['NaN', 'NaN', 'json.syntax', 0],
    ['a control character', '"\t"', 'json.syntax', 0],
    ['a bad escape', '"\\x41"', 'json.syntax', 0],
    ['a string without an end', '"a', 'json.syntax', 0],
    ['an array without an end', '[1', 'json.syntax', 2],
    ['a byte order mark', '\ufeff1', 'json.syntax', 0],
    ['a no-break space', '\u00a01', 'json.syntax', 0],
    ['NUL', '\u0000', 'json.syntax', 0],
  ])('T33: refuses %s', (_what, text, code, position) => {
    expect(refusal(text)).toEqual({ code, position });
  });

  it('T33: counts depth before it descends', () => {
    expect(refusal('['.repeat(65)).code).toBe('json.too_deep');
    expect(refusal('{"a":'.repeat(65)).code).toBe('json.too_deep');
    expect(refusal('['.repeat(1_000_000)).code).toBe('json.too_deep');
    expect(refusal('[[1]]', 1)).toEqual({ code: 'json.too_deep', position: 1 });
    const deepest = `${'['.repeat(64)}1${']'.repeat(64)}`;
    expect(JSON.stringify(parseStrictJson(deepest))).toBe(deepest);
    expect(parseStrictJson('{"a":[]}', 2)).toEqual({ a: [] });
  });

  it('T33: counts values before it reads them', () => {
    expect(parseStrictJson('[{},{"a":1}]', 64, 4)).toEqual([{}, { a: 1 }]);
    expect(() => parseStrictJson('[{},{"a":1}]', 64, 3)).toThrow(
      expect.objectContaining({ code: 'json.too_many_values', position: 9 }) as Error,
    );
  });

  it('gives __proto__ and constructor no power', () => {
    const value = parseStrictJson('{"__proto__":{"admin":true},"constructor":1}') as Record<string, Json>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect((value as { admin?: unknown }).admin).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it.each([
    ['plain', 'x'.repeat(1_000_000)],
    ['all escapes', '\\n'.repeat(500_000)],
    ['all unicode escapes', '\\u0041'.repeat(170_000)],
    ['emoji', '\u{1f600}'.repeat(250_000)],
  ])('T33: reads a string of 1 MB, %s, in bounded time', (_what, body) => {
    const took = cpuMs(() => {
      expect(parseStrictJson(`{"a":"${body}"}`)).toEqual(JSON.parse(`{"a":"${body}"}`));
    });
    expect(took).toBeLessThan(5_000);
  });

  it.each([
    ['a string without an end', `"${'a'.repeat(1_000_000)}`],
    ['a string with an escape without an end', `"${'\\\\'.repeat(500_000)}`],
    ['white space', ' '.repeat(1_000_000)],
    ['digits', '1'.repeat(1_000_000)],
    ['a fraction', `0.${'1'.repeat(1_000_000)}x`],
    ['one key over and over', `{${'"a":1,'.repeat(150_000)}"a":1}`],
    ['open brackets', '[{"a":'.repeat(150_000)],
  ])('T33: refuses 1 MB of %s in bounded time', (_what, text) => {
    const took = cpuMs(() => {
      expect(refusal(text).code).toMatch(/^json\./);
    });
    expect(took).toBeLessThan(5_000);
  });

  it.each([
    ['characters', 'a', 10_000_000],
    ['escapes', '\\u0041', 1_500_000],
  ])('T33: reads a string of millions of %s', (_what, character, count) => {
    const text = `"${character.repeat(count)}"`;
    expect(parseStrictJson(text) === JSON.parse(text)).toBe(true);
  });

  it('T33: reads 1 MB of small values in bounded time', () => {
    const keys = Array.from({ length: 80_000 }, (_, index) => `"k${String(index)}":0`).join(',');
    const took = cpuMs(() => {
      expect(parseStrictJson(`[${'1,'.repeat(500_000)}1]`)).toHaveLength(500_001);
      expect(Object.keys(parseStrictJson(`{${keys}}`) as object)).toHaveLength(80_000);
    });
    expect(took).toBeLessThan(10_000);
  });
});
