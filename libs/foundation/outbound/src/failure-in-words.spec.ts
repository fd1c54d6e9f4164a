import { failureInWords } from './failure-in-words.js';

const failed = (cause: unknown): Error => new Error('fetch failed', { cause });

it.each([
  ['a cause', failed(new Error('connect ECONNREFUSED')), 'connect ECONNREFUSED'],
  ['an error alone', new Error('It took too long.'), 'It took too long.'],
  [
    'the errors of several addresses',
    failed(new AggregateError([new Error('connect ECONNREFUSED ::1:443'), new Error('connect ECONNREFUSED')])),
    'connect ECONNREFUSED ::1:443',
  ],
  [
    'a certificate of an unknown authority',
    failed(Object.assign(new Error('unable to verify'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })),
    'unable to verify. If your own authority signed the certificate, give the certificates of that authority.',
  ],
  [
    'an expired certificate',
    failed(Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })),
    'certificate has expired',
  ],
  ['something else', 'broken', 'broken'],
])('tells %s', (_what, error, words) => {
  expect(failureInWords(error)).toBe(words);
});
