import { lineSegments } from './line-segments.js';

const part = (start: number, end: number, tier: 1 | 2 | 3) => ({
  start,
  end,
  tier,
  class: 'WRITE' as const,
  program: null,
  reasons: [],
});
const told = (command: string, ...parts: ReturnType<typeof part>[]): string =>
  lineSegments({ command, parts })
    .map(({ text, tier }) => `${text}:${String(tier)}`)
    .join(' ');

describe('the stretches of a command line', () => {
  it('follow the parts, with the text between them', () => {
    expect(told('ls|rm', part(0, 2, 1), part(3, 5, 2))).toBe('ls:1 |:null rm:2');
  });

  it('have the tier of the innermost part', () => {
    expect(told('(xyz)', part(0, 5, 2), part(1, 4, 1))).toBe('(:2 xyz:1 ):2');
    expect(told('xyz', part(0, 3, 1), part(0, 3, 3))).toBe('xyz:3');
  });

  it('join neighbours of one tier, and lose no text', () => {
    expect(told('abcd', part(0, 2, 2), part(2, 4, 2))).toBe('abcd:2');
    expect(told('abcd')).toBe('abcd:null');
    expect(told('ab', part(0, 9, 2))).toBe('ab:2');
  });
});
