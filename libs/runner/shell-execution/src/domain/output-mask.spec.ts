import fc from 'fast-check';
import { maskText, OutputMask, withoutHalfSecret } from './output-mask.js';

const SECRETS = ['hunter2!', 'first line\nsecond line', 'ab\nab\nab'];
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIabc\nMIIdef\n-----END PRIVATE KEY-----\n';

/** The text, pushed in pieces that end at these positions. */
function pushed(text: string, cuts: readonly number[], secrets: readonly string[]): string {
  const mask = new OutputMask(secrets);
  const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
  return (
    at
      .slice(1)
      .map((end, index) => mask.push(text.slice(at[index], end)))
      .join('') + mask.end(false)
  );
}

test('masks as if the text had come in one piece, wherever it is cut', () => {
  const piece = fc.constantFrom(
    ...SECRETS,
    KEY,
    'hunter',
    'word ',
    '\n',
    'token=abcdefgh',
    ' password:\n',
    '"two words"',
    ' ghp_abcdefghijklmnopqrstuvwx ',
    'ab\n',
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 6 }), (given, cuts) => {
      expect(pushed(given, cuts, SECRETS)).toBe(maskText(given, SECRETS));
    }),
  );
});

test('shows a line as soon as it is whole, and a long line in pieces', () => {
  const mask = new OutputMask([]);
  expect(mask.push('a\nb')).toBe('a\n');
  expect(mask.push('\n')).toBe('b\n');
  const long = 'x'.repeat(30_000);
  const shown = mask.push(long);
  expect(shown.length).toBeGreaterThan(20_000);
  expect(shown + mask.end(false)).toBe(long);
});

test('masks a secret inside a long line without an end', () => {
  const text = `${'x '.repeat(12_000)}hunter2!${' y'.repeat(12_000)}`;
  const cuts = Array.from({ length: 40 }, (_, index) => 23_980 + index);
  expect(pushed(text, cuts, SECRETS)).not.toContain('hunter');
});

test('drops the beginning of a secret that was cut off', () => {
  const mask = new OutputMask(SECRETS);
  expect(mask.push('a hunt') + mask.end(true)).toBe('a ');
});

test('masks a value on the line after its name', () => {
  const text = 'my password:\nhunter3\nmore\n';
  for (let cut = 1; cut < text.length; cut += 1) expect(pushed(text, [cut], [])).toBe('my password:\n[masked]\nmore\n');
});

test.each([
  ['my hunter2', 'my '],
  ['my h', 'my '],
  ['my hunter2!', 'my hunter2!'],
  ['my hunter2?', 'my hunter2?'],
  ['hunter2', ''],
  ['', ''],
])('leaves the beginning of a secret out at the end of %j', (text, left) => {
  expect(withoutHalfSecret(text, ['hunter2!'])).toBe(left);
});

test('leaves the longest beginning of any secret out', () => {
  expect(withoutHalfSecret('xxabc', ['bcd', 'abcd', 'cd'])).toBe('xx');
  expect(withoutHalfSecret('xxabc', [])).toBe('xxabc');
});

test('shows nothing of the held text if the stream went on', () => {
  const mask = new OutputMask(['hunter2!']);
  expect(mask.push('my hunter2')).not.toContain('hunter');
  expect(mask.end(true)).toBe('');
  expect(mask.end(false)).toBe('');
});
