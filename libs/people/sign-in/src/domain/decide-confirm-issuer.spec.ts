import type { PersonId } from '#lib/kernel';
import { decideConfirmIssuer } from './decide-confirm-issuer.js';

const ada = 'ada' as PersonId;
const noor = 'noor' as PersonId;
const one = (personId: PersonId, known: boolean, ...sharedWith: PersonId[]) =>
  [personId, { personId, known, sharedWith }] as const;
const alone = { how: 'alone', personId: ada } as const;

const cases = [
  ['somebody known, of another hand', alone, one(noor, true), null],
  ['who set it up', alone, null, 'issuer.same_hand'],
  ['somebody whom who set it up let in', alone, one(noor, false, ada), 'issuer.same_hand'],
  ['somebody who is known by nothing else', alone, one(noor, false), 'issuer.confirmer_unknown'],
  ['somebody, once it is confirmed', { how: 'confirmed', personId: noor }, one(noor, true), 'issuer.confirmed_already'],
  [
    'somebody, if two put it in force',
    { how: 'two_people', personId: ada },
    one(noor, true),
    'issuer.confirmed_already',
  ],
  ['somebody, if nothing is kept', null, one(noor, true), 'issuer.confirmed_already'],
] as const;

describe('confirming an issuer', () => {
  it.each(cases)('by %s', (_name, standing, other, refusal) => {
    const standings = new Map([one(ada, true), ...(other === null ? [] : [other])]);
    const decided = decideConfirmIssuer(standing, other === null ? ada : other[0], standings);
    expect(decided.ok ? null : decided.error.code).toBe(refusal);
  });

  it.each([
    ['the person', [one(ada, true)]],
    ['the author of its settings', [one(noor, true)]],
    ['both', []],
  ])('is refused if nothing is known of %s', (_what, known) => {
    expect(decideConfirmIssuer(alone, noor, new Map(known))).toMatchObject({ error: { code: 'issuer.same_hand' } });
  });
});
