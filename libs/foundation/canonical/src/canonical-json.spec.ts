import fc from 'fast-check';
import { canonicalJson, CanonicalJsonError, type Json } from './canonical-json.js';
import { parseStrictJson } from './parse-strict-json.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

/** Every JSON value that has a canonical form. */
const anyJson = fc
  .jsonValue({ maxDepth: 5, stringUnit: 'binary' })
  .filter((value) => !JSON.stringify(value).includes('\\ud') && hasSafeNumbers(value as Json))
  .map((value) => value as Json);

function hasSafeNumbers(value: Json): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member: Json) => hasSafeNumbers(member));
}

/** The same value with the members of every object in another order. */
function shuffled(value: Json, random: () => number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => shuffled(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Record<string, Json>).map(([key, member]) => ({ key, member, at: random() }));
  members.sort((a, b) => a.at - b.at);
  return Object.fromEntries(members.map(({ key, member }) => [key, shuffled(member, random)]));
}

describe('canonical JSON', () => {
  it('means the same value, and is its own canonical form', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(canonicalJson(parseStrictJson(text))).toBe(text);
      }),
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(anyJson, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (value, randoms) => {
        expect(canonicalJson(shuffled(value, () => randoms.next().value as number))).toBe(canonicalJson(value));
      }),
    );
  });

  it('differs if values differ', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(Object.is(a, b) || equal(a, b));
      }),
    );
  });

  // RFC 8785, section 3.2.2 and appendix B; the bits are IEEE 754.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', 'refused'], // 1.7976931348623157e+308 is an integer beyond 2^53
    ['4340000000000000', 'refused'], // 9007199254740992
    ['433fffffffffffff', '9007199254740991'],
    ['c33fffffffffffff', '-9007199254740991'],
    ['7fffffffffffffff', 'refused'], // NaN
    ['7ff0000000000000', 'refused'], // Infinity
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('writes the number %s as %s', (bits, text) => {
    const value = Buffer.from(bits, 'hex').readDoubleBE();
    if (text === 'refused') expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
    else expect(canonicalJson(value)).toBe(text);
  });

  it('sorts members by UTF-16 code units (RFC 8785, section 3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toEqual(
      // JSON.parse puts the integer-like key first; the text has it second.
      ['1', '\r', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'],
    );
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
  });

  it('escapes the characters that must be escaped and no others (section 3.2.2.2)', () => {
    expect(canonicalJson('\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/')).toBe(
      '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"',
    );
  });

  it.each([
    ['a lone surrogate', { a: ['\ud800'] }, '/a/0'],
    ['a lone surrogate in a key', { '\udc00': 1 }, '/\udc00'],
    ['an integer beyond 2^53', { 'a/b~c': 2 ** 53 }, '/a~1b~0c'],
    ['not finite', [0, Number.NaN], '/1'],
    ['undefined', { a: undefined }, '/a'],
    ['undefined', undefined, ''],
    ['bigint', [1n], '/0'],
    ['plain JSON', { at: new Date(0) }, '/at'],
    ['plain JSON', [new Map()], '/0'],
  ])('refuses %s and says where', (problem, value, pointer) => {
    expect(() => canonicalJson(value as Json)).toThrow(
      expect.objectContaining({
        pointer,
        problem: expect.stringContaining(problem.split(' ')[0] ?? '') as string,
      }) as Error,
    );
  });

  it('writes a string of 1 MB, and 100,000 members, within a second', () => {
    const text = '"\\\n\u{1f600}x'.repeat(180_000);
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${String(index)}`, index]));
    const took = cpuMs(() => {
      expect(JSON.parse(canonicalJson({ text }))).toEqual({ text });
      expect(canonicalJson(wide)).toHaveLength(JSON.stringify(wide).length);
    });
    expect(took).toBeLessThan(5_000);
  });
});

function equal(a: Json, b: Json): boolean {
  if (a === b) return true; // -0 and 0 have one canonical form
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const [left, right] = [a as Record<string, Json>, b as Record<string, Json>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key] ?? null, right[key] ?? null))
  );
}
