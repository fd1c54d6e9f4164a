import { searchTerms } from './search-terms.js';

const words = (text: string): string[] => searchTerms(text).map(({ from }) => from);

it.each([
  ['  Restart   WEB-04 ', ['restart', 'web-04']],
  ['(rollout), rollout!', ['rollout']],
  ['ÜBER', ['Über']],
  ['2026.11', ['2026.11']],
  ['... ,', []],
  ['', []],
])('reads %j as words', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

it('looks for a word by how it begins', () => {
  const [range] = searchTerms('roll');
  expect(range).toEqual({ from: 'roll', to: 'roll\u{10FFFF}' });
});

it('takes no more terms than an index is asked for, and none longer than a word is kept', () => {
  expect(words(Array.from({ length: 20 }, (_, index) => `w${String(index)}`).join(' '))).toHaveLength(8);
  expect(words('x'.repeat(500))[0]).toHaveLength(64);
});
