import { wordsOf } from './words-of.js';

it.each([
  ['', []],
  [' , ', []],
  ['C012AB3CD, security@example.com', ['C012AB3CD', 'security@example.com']],
  ['read\nrun  submit,', ['read', 'run', 'submit']],
])('%j holds %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
