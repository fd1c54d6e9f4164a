import { newId, type PersonId } from '#lib/kernel';
import { claims } from './claim.js';

it('a claim is over after a quarter of an hour', () => {
  const personId = newId<PersonId>();
  expect(claims(personId, 1_000)).toEqual({ personId, claimedAt: 1_000, expiresAt: 901_000 });
});
