import { acceptsEncoding } from './accepts-encoding.js';

it.each([
  [undefined, false],
  ['', false],
  ['gzip', false],
  ['gzip, deflate, br, zstd', true],
  ['BR;q=0.5', true],
  ['br;q=0', false],
  ['br; q=0.000', false],
  ['brotli', false],
])('Accept-Encoding %j takes br: %j', (header, accepted) => {
  expect(acceptsEncoding(header, 'br')).toBe(accepted);
});
