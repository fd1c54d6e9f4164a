import { isInForce } from './is-in-force.js';

const connection = { id: '1', url: 'https://siem.example.com/', ca: null, model: 'one', etag: '"2"' };

it.each([
  ['as it is kept', { url: 'https://siem.example.com/', ca: null, model: 'one' }, true],
  ['with an address as people write it', { url: 'https://SIEM.example.com', ca: null }, true],
  ['with another address', { url: 'https://siem.example.com/ocsf', ca: null }, false],
  ['with an address half typed', { url: 'https:', ca: null }, false],
  ['with another authority', { url: 'https://siem.example.com/', ca: '-----BEGIN CERTIFICATE-----' }, false],
  ['with another setting of its kind', { url: 'https://siem.example.com/', ca: null, model: 'two' }, false],
])('a form %s: whether it is in force is told', (_, asked, expected) => {
  expect(isInForce(asked, connection)).toBe(expected);
});
