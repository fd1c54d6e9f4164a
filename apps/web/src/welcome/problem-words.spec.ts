import { problemInWords } from './problem-words.js';

it.each([
  ['sign_in.too_late', /^That took too long/],
  ['sign_in.new', /^The sign-in came to nothing/],
  ['constructor', /^The sign-in came to nothing/],
])('tells a code of the address in words of the page: %s', (code, words) => {
  expect(problemInWords(code)).toMatch(words);
});
