import { LineThrottle } from './line-throttle.js';

describe('lines of a library that warns at each attempt', () => {
  it('are told once for each kind, also if numbers and ids in them differ', () => {
    const lines = new LineThrottle();
    const told = [
      'poll failed after 17 tries, request 0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a',
      'poll failed after 18 tries, request 0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6b',
      'heartbeat failed',
    ].map((line) => lines.pass(line, 0));
    expect(told).toEqual([0, null, 1]);
  });

  it('are told again every ten minutes, with the number of those left out', () => {
    const lines = new LineThrottle();
    const told = [0, 1, 599_999, 600_000].map((now) => lines.pass('poll failed', now));
    expect(told).toEqual([0, null, null, 2]);
  });

  it('are bounded also if each differs', () => {
    const lines = new LineThrottle();
    const told = Array.from({ length: 2_000 }, (_, n) => lines.pass(`failed ${'x'.repeat(n)}`, n));
    expect(told.filter((leftOut) => leftOut !== null)).toHaveLength(20);
  });
});
