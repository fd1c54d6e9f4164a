import { loosenedConnection, revisionOf } from './connection.js';

const before = { url: 'https://siem.example.com/in', ca: null };

it.each<[string, typeof before | null, { readonly url: string; readonly ca: string | null }, readonly string[]]>([
  ['an address', null, before, ['events are sent to https://siem.example.com/in']],
  [
    'another address',
    before,
    { ...before, url: 'https://siem.example.com/out' },
    ['events are sent to https://siem.example.com/out, not to https://siem.example.com/in'],
  ],
  [
    'another authority',
    before,
    { ...before, ca: 'pem' },
    ['the certificate of https://siem.example.com/in is checked against the authorities of this change only'],
  ],
  ['nothing', before, before, []],
])('loosens by %s', (_what, from, to, loosened) => {
  expect(loosenedConnection('events are sent', from, to)).toEqual(loosened);
});

it('has another revision with each setting', () => {
  const revisions = [before, { ...before, ca: 'pem' }, { ...before, url: 'https://siem.example.com/out' }].map(
    revisionOf,
  );
  expect(new Set(revisions).size).toBe(3);
  expect(revisionOf({ ca: null, url: before.url })).toBe(revisions[0]);
});
