import { publishedKeys, signingKey, type GrantKeyRecord } from './grant-key.js';

const key = (kid: string, activeFrom: number): GrantKeyRecord => ({
  kid,
  publicJwk: { kty: 'OKP', crv: 'Ed25519', x: kid },
  activeFrom,
});
const HOUR = 3_600_000;

describe('choosing and publishing grant keys', () => {
  const keys = [key('old', 0), key('next', 10 * HOUR)];

  it('signs with the newest active key', () => {
    expect(signingKey(keys, 10 * HOUR - 1)?.kid).toBe('old');
    expect(signingKey(keys, 10 * HOUR)?.kid).toBe('next');
    expect(signingKey([key('later', 5)], 4)).toBeNull();
  });

  it('publishes a key before it signs, and for a while after its successor took over', () => {
    const names = (now: number): string[] => publishedKeys(keys, now).map(({ kid }) => kid);
    expect(names(1)).toEqual(['old', 'next']);
    expect(names(11 * HOUR - 1)).toEqual(['old', 'next']);
    expect(names(11 * HOUR)).toEqual(['next']);
  });
});
