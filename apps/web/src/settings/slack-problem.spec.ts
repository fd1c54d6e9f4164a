import { slackProblemInWords } from './slack-problem.js';

it.each([
  ['slack.declined', /^You declined /],
  ['slack.new', /^Slack was not installed\. /],
  ['constructor', /^Slack was not installed\. /],
])('tells a code of the address in words of the page: %s', (code, words) => {
  expect(slackProblemInWords(code)).toMatch(words);
});
