import { termsOf, termsOfQuery } from './terms.js';

describe('the terms of a text', () => {
  it.each([
    ['retryPolicy', ['retry', 'policy', 'retrypolicy']],
    ['RETRY_POLICY', ['retry', 'policy', 'retrypolicy']],
    ['parseHTTPHeader2', ['pars', 'http', 'head', '2', 'parsehttpheader2']],
    ['x.y(z)', ['x', 'y', 'z']],
    ['größe_ändern', ['größe', 'ändern', 'größeändern']],
    ['', []],
    ['/* --- */', []],
  ])('%s: %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each([
    ['retry', 'retries', 'retried', 'retrying'],
    ['cache', 'caches', 'cached', 'caching'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['connect', 'connects', 'connection', 'connections', 'connecting'],
    ['class', 'classes'],
    ['validate', 'validates', 'validation', 'validating'],
    ['authorize', 'authorization', 'authorizing'],
  ])('are the same for each form of %s', (...forms) => {
    expect(new Set(forms.flatMap(termsOf)).size).toBe(1);
  });

  it.each(['status', 'this', 'bus', 'pass', 'id', 'as', 'sting'])('leave %s as it is', (word) => {
    expect(termsOf(word)).toEqual([word]);
  });

  it('are cut for a long run of letters', () => {
    expect(termsOf('a'.repeat(100_000))).toEqual(['a'.repeat(40)]);
  });
});

describe('the terms of a question', () => {
  it('have no empty words', () => {
    expect(termsOfQuery('Where is the code that retries?')).toEqual(['retry']);
  });

  it('are its empty words if it has no others', () => {
    expect(termsOfQuery('where is it')).toEqual(['wher', 'is', 'it']);
  });
});
