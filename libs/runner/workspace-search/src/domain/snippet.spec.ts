import { snippetOf } from './snippet.js';

const text = (count: number, at: number, line: string) =>
  Array.from({ length: count }, (_, each) => (each === at ? line : `line ${String(each)}`));

it('shows the lines with the most terms, at most 12', () => {
  const { offset, text: shown } = snippetOf(text(40, 30, 'const retryPolicy = 1;'), new Set(['retry', 'policy']));
  expect(shown.split('\n')).toHaveLength(12);
  expect(shown).toContain('retryPolicy');
  expect(offset + shown.split('\n').findIndex((line) => line.includes('retryPolicy'))).toBe(30);
});

it('shows a short piece whole, with long lines cut', () => {
  expect(snippetOf(['a', 'b'.repeat(900)], new Set())).toEqual({ offset: 0, text: `a\n${'b'.repeat(200)}` });
});
