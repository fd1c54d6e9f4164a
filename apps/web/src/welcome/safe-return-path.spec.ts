import { safeReturnPath } from './safe-return-path.js';

it.each([
  [null, '/'],
  ['/requests/1?verdict=approve', '/requests/1?verdict=approve'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['/..//evil.example', '/'],
])('%j leads to %j', (wanted, path) => {
  expect(safeReturnPath(wanted)).toBe(path);
});
