import { ownMember } from './own-member.js';

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'is none for %s, which a record inherits',
  (name) => {
    expect(ownMember({ a: 1 }, name)).toBeUndefined();
  },
);

it.each(['a', 'constructor', '__proto__'])('is the member %s that the record has of its own', (name) => {
  expect(ownMember(Object.fromEntries([[name, 1]]), name)).toBe(1);
});

it('is undefined without a record', () => {
  expect([ownMember(null, 'a'), ownMember(undefined, 'a')]).toEqual([undefined, undefined]);
});
