import fc from 'fast-check';
import { MASK, maskChunk, maskHeld, maskSecrets, type HeldText } from './mask-secrets.js';
import { timesInputs } from '../../../../test/arbitraries/times-inputs.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';

const KNOWN = ['hunter2!', 'first line\nsecond line', 'abababab'];
const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\nMIIdef\n-----END RSA PRIVATE KEY-----';
const SECRETS = [
  ...KNOWN,
  KEY,
  '{"kty":"OKP","d" : "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}',
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl',
  'Authorization: Bearer  abcdefgh12345678',
  'postgres://bob:pa55word@db.example/x',
  'AKIAIOSFODNN7EXAMPLE',
  `ghp_${'a1'.repeat(18)}`,
  `github_pat_${'b_'.repeat(12)}`,
  'glpat-abcdefghij0123456789',
  'xoxb-1234567890-abc',
  'sk-proj-abcdefghij0123456789',
  `AIza${'c'.repeat(35)}`,
  `whsec_${'d'.repeat(43)}=`,
  `cst_${'d-'.repeat(20)}`,
  'password: "with spaces, and\na line end"',
  "API_KEY='s3cr3t value'",
  'x=1&token=abcdef123&page=2',
  'psql --password s3cr3tvalue -h db',
  '-secret "two words"',
  'pwd:\n  hunter3',
];

/** The stream as it is shown, if the text comes in pieces that end at these positions. */
function streamed(text: string, cuts: readonly number[], known: readonly string[] = KNOWN): string {
  const positions = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  let [shown, from] = ['', 0];
  let held: HeldText = [];
  for (const to of [...positions, text.length]) {
    const next = maskChunk(held, text.slice(from, to), known);
    held = next.held;
    [shown, from] = [shown + next.shown, to];
  }
  return shown + maskHeld(held, known);
}

describe('T32: a stream of text', () => {
  const plain = fc.constantFrom(
    'word',
    ' ',
    '\n',
    '"',
    "'",
    '-',
    '=',
    ':',
    ',',
    '_',
    '/',
    '@',
    'to',
    'ken',
    'pass',
    'é',
  );
  const part = fc
    .tuple(fc.constantFrom(...SECRETS), fc.nat(80), fc.nat(80))
    .map(([secret, from, length]) => secret.slice(from % secret.length, (from % secret.length) + length));
  const text = fc
    .array(fc.oneof(fc.constantFrom(...SECRETS), plain, plain, part), { maxLength: 10 })
    .map((pieces) => pieces.join(''));

  it('is masked from a beginning on that shares its dashes with an end', () => {
    const whole = '-----END RSA PRIVATE KEY-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----';
    const positions = Array.from(whole, (_, at) => at);
    const masked = maskSecrets(whole, KNOWN);
    expect(positions.filter((at) => streamed(whole, [at]) !== masked)).toEqual([]);
  });

  it('is masked as the whole text is, wherever it is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(1_000), { maxLength: 8 }), (whole, cuts) => {
        expect(streamed(whole, cuts)).toBe(maskSecrets(whole, KNOWN));
      }),
      { numRuns: timesInputs(750) },
    );
  });

  it.each(SECRETS)('shows nothing of %j, whole or cut at any position', (secret) => {
    const whole = `a line\n${secret}\nmore\n`;
    const masked = maskSecrets(whole, KNOWN);
    expect(masked).toContain(MASK);
    const positions = Array.from({ length: whole.length + 1 }, (_, at) => at);
    expect(positions.filter((at) => streamed(whole, [at]) !== masked)).toEqual([]);
    expect(streamed(whole, positions)).toBe(masked);
  });

  it('is shown at once if no secret can begin at its end', () => {
    const { shown, held } = maskChunk([], 'nothing to commit');
    expect(shown).toBe('nothing to commit');
    expect(maskChunk(held, ' here\n').shown).toBe(' here\n');
    expect(maskChunk([], 'the tok').shown).toBe('the ');
  });

  it('holds little back, also of a secret without an end', () => {
    let shown = '';
    let held: HeldText = [];
    for (let chunk = 0; chunk < 20; chunk += 1) {
      const next = maskChunk(held, chunk === 0 ? KEY.slice(0, 40) : 'MIIabcdef\n'.repeat(400));
      [held, shown] = [next.held, shown + next.shown];
      expect(held.join('').length).toBeLessThan(17_000);
    }
    const { shown: rest } = maskChunk(held, `${KEY.slice(-50)}\nafter\n`);
    expect(shown + rest).toBe(`${MASK}\nafter\n`);
  });

  it('takes linear time on hostile text', () => {
    for (const part of ['eyJ-', 'sk-', 'cs_', 'ghp_-', '-----BEGIN PRIVATE KEY-----', 'token="', '"d":"', '://a:', '-'])
      for (const end of ['', ' ', '-----END PRIVATE KEY-----']) {
        const took = cpuMs(() => maskChunk([], part.repeat(60_000 / part.length) + end));
        expect(took).toBeLessThan(2_000);
      }
  });

  it('masks a token that is too long to hold', () => {
    const next = maskChunk([], `eyJ${'a'.repeat(20_000)}`);
    expect(next.shown).toBe(MASK);
    expect(maskHeld(next.held)).toBe('');
  });
});
