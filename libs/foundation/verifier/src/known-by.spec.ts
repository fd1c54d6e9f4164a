import type { Json } from '#lib/canonical';
import { knownLines } from './known-by.js';
import type { Pack } from './pack-shape.js';

const pack = {
  entries: [{ header: { actor: { kind: 'person', id: 'ada', display_name: 'Ada' } } }],
} as unknown as Pack;

const way = (basis: string, fields: Readonly<Record<string, Json>> = {}): Json => ({
  basis,
  by: 'ada',
  hand: null,
  issuer: null,
  counts: true,
  ...fields,
});

describe('how people were known, as the record says it', () => {
  it.each<[string, Json]>([
    ['founded this tenant', way('founder')],
    ['let in by the operator', way('operator')],
    ['came in by an invitation from Ada that the server mailed', way('mailed_invitation')],
    [
      'came in by an invitation from Ada that the server mailed to a mailbox of somebody else there',
      way('mailed_invitation', { counts: false }),
    ],
    ['Ada vouched for them', way('vouched')],
    ['came in by a token that the person bob made', way('token', { by: 'bob' })],
    ['signed in at Okta', way('issuer', { issuer: 'Okta' })],
    ['known by Okta, set up by Ada alone', way('issuer', { issuer: 'Okta', hand: 'ada', counts: false })],
    ['signed in at Okta, which was out of service', way('issuer', { issuer: 'Okta', counts: false })],
    ['in a way that this verifier does not know', way('dream')],
  ])('says: %s', (words, knownBy) => {
    expect(knownLines('as they approved', [{ name: 'Sam', knownBy: [knownBy] }], pack)).toEqual([
      `Known as they approved: Sam (${words}).`,
    ]);
  });

  it('says nothing of people without a record', () => {
    expect(knownLines('as they approved', [{ name: 'Sam', knownBy: null }], pack)).toEqual([]);
  });
});
