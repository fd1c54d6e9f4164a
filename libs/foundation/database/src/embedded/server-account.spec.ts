import { unusedId } from './server-account.js';

describe('the number of an account of its own', () => {
  it('T62: is the same for a folder at every try, and one that nothing uses', () => {
    const first = unusedId('/srv/countersign/data', new Set());
    expect(unusedId('/srv/countersign/data', new Set())).toBe(first);
    expect(first).toBeGreaterThanOrEqual(40_000);
    expect(first).toBeLessThan(60_000);
    const next = unusedId('/srv/countersign/data', new Set([first]));
    expect(next).toBe(first === 59_999 ? 40_000 : first + 1);
    expect(unusedId('/srv/other/data', new Set())).not.toBe(first);
  });

  it('T62: is refused if all are in use', () => {
    const all = new Set(Array.from({ length: 20_000 }, (_, index) => 40_000 + index));
    expect(() => unusedId('/srv/countersign/data', all)).toThrow('Every account number');
  });
});
