import { readFileSync } from 'node:fs';
import { VERSION } from './version.js';

it('is the version of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ version: VERSION });
});
