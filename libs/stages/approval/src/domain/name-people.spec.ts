import { newId, type PersonId } from '#lib/kernel';
import { namesFor, namePeople } from './name-people.js';

describe('the naming of people', () => {
  const ada = newId<PersonId>();
  const eve = newId<PersonId>();
  const people = new Map([
    [ada, { displayName: 'Ada Lovelace' }],
    [eve, { displayName: '$& $1' }],
  ]);
  const reasonOf = (message: string) => ({ code: 'review.role', message, rule: 'countersign.review.role' });

  it.each([
    [`User ${ada} not authorized to approve`, 'User Ada Lovelace not authorized to approve'],
    [`User ${eve} not authorized to approve`, 'User $& $1 not authorized to approve'],
    ['The request is denied', 'The request is denied'],
  ])('reads %s', (message, said) => {
    expect(namePeople({ reasons: [reasonOf(message)] }, people)).toEqual([reasonOf(said)]);
  });

  it('tells agents no addresses', () => {
    const marked = {
      personId: ada,
      displayName: 'Ada (ada@a.example)',
      nameForAgents: 'Ada',
      disabled: false,
      joinedAt: 1,
      roles: [],
    };
    const standing = new Map([[ada, marked]]);
    expect(namesFor({ kind: 'person' }, standing)).toBe(standing);
    expect(namesFor({ kind: 'agent' }, standing)).toEqual(new Map([[ada, { ...marked, displayName: 'Ada' }]]));
  });

  it('leaves an id of a person it was not told of', () => {
    const reasons = [reasonOf(`User ${newId<PersonId>()} not authorized to approve`)];
    expect(namePeople({ reasons }, people)).toEqual(reasons);
  });
});
