import fc from 'fast-check';
import { canonicalJson, CanonicalJsonError, type Json } from './canonical-json.js';
import { parseStrictJson } from './parse-strict-json.js';

const json = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('-0') && isExact(value as Json));

function isExact(value: Json): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every((inner) => isExact(inner as Json));
}

describe('canonical JSON', () => {
  test('the examples of RFC 8785 sections 3.2.2 and 3.2.3', () => {
    expect(canonicalJson({ numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001].filter((n) => !Number.isInteger(n)), string: '€$\u000f\nA\'B"\\\\"/', literals: [null, true, false] })).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const text = canonicalJson({ '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 });
    const keys = [...text.matchAll(/("[^"]*"):/g)].map(([, key = '']) => JSON.parse(key) as string);
    expect(keys).toEqual(['\r', '1', '\u0080', 'ö', '€', '😀', '\ufb33']);
  });

  test('one spelling a value: whatever the order of keys, and it is read back as the same value', () => {
    const reversed = (value: Json): Json =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, reversed(inner as Json)]))
          : value;
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(reversed(value as Json))).toBe(text);
        expect(parseStrictJson(text)).toEqual(value);
        expect(canonicalJson(parseStrictJson(text))).toBe(text);
      }),
    );
  });

  test.each<[unknown, string]>([
    [{ a: [1, { 'b/c': undefined }] }, '/a/1/b~1c'],
    [['x', '\ud800'], '/1'],
    [{ n: 2 ** 53 }, '/n'],
    [{ n: Number.NaN }, '/n'],
    [{ d: new Date(0) }, '/d'],
    [{ '\udfff': 1 }, '/\udfff'],
    [10n, ''],
  ])('what has no canonical form is refused, with its place: %#', (value, pointer) => {
    expect(() => canonicalJson(value as Json)).toThrow(CanonicalJsonError);
    try {
      canonicalJson(value as Json);
    } catch (error) {
      expect(error).toMatchObject({ pointer });
    }
  });
});
