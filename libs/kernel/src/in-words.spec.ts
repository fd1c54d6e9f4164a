

describe('suggestionInWords', () => {
  it.each([
    ['full_auto', 'Did you mean full_auto?'],
    ['Write it as a list.', 'Write it as a list.'],
  ])('%s', (suggestion, words) => {
    expect(suggestionInWords(suggestion)).toBe(words);
  });
});
