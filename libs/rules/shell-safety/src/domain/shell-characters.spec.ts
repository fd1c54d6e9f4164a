import fc from 'fast-check';
import { holdsExpansion, holdsOperator, meansMore } from './shell-characters.js';

const text = fc.string({ unit: fc.constantFrom(...Array.from('ab\\$`([{;&|)<> \t\n"é')), maxLength: 12 });

const agree = (ours: (text: string) => boolean, pattern: RegExp): void => {
  fc.assert(
    fc.property(text, (each) => ours(each) === pattern.test(each)),
    { numRuns: 5_000 },
  );
};

describe('characters of a shell', () => {
  it('are operators and blanks without a backslash', () => {
    agree(holdsOperator, /^(?:[^\\]|\\[\s\S])*?(?:[;&|()<> \t\n]|\\$)/);
  });

  it('begin an expansion', () => {
    agree(holdsExpansion, /^(?:[^\\]|\\[\s\S])*?(?:`|\$(?:[([{]|\\\n))/);
  });

  it('mean more than themselves', () => {
    agree(meansMore, /[\\;&|()<> \t\n`$"([{]/);
    expect(Array.from('\\;&|()<> \t\n`$\'"*?[]{}@+!=~').every(meansMore)).toBe(true);
    expect(meansMore('azAZ09-_./:,%^#')).toBe(false);
  });
});
