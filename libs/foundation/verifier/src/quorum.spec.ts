import fc from 'fast-check';
import { seatCases } from '../../../../test/support/seat-cases.js';
import { quorumReached, type Approver, type Slot } from './quorum.js';

/** By trying every way to seat people. */
function bruteForce(slots: readonly Slot[], approvers: readonly Approver[]): boolean {
  const [slot, ...others] = slots.flatMap(({ count, roles }) =>
    Array.from({ length: count }, () => ({ count: 1, roles })),
  );
  if (slot === undefined) return true;
  return approvers.some(
    (approver, index) =>
      (slot.roles.includes('any') || slot.roles.some((role) => approver.roles.includes(role))) &&
      bruteForce(
        others,
        approvers.filter((_, other) => other !== index),
      ),
  );
}

const role = fc.constantFrom('a', 'b', 'c');
const slots = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 2 }),
    roles: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'any'), { minLength: 1, maxLength: 2 }),
  }),
  { maxLength: 3 },
);
const approvers = fc
  .array(fc.uniqueArray(role, { maxLength: 2 }), { maxLength: 5 })
  .map((people) => people.map((roles, index): Approver => ({ personId: String(index), roles, sharedWith: [] })));

test('a quorum is reached exactly when some seating of distinct people fills every slot', () => {
  fc.assert(
    fc.property(slots, approvers, (wanted, people) => {
      expect(quorumReached(wanted, people)).toBe(bruteForce(wanted, people));
    }),
    { numRuns: 500 },
  );
});

test.each(seatCases)('as the server: $name', ({ slots: wanted, approvers: given, reached }) => {
  const people = given.map(({ person, roles, delegated_by, shared_with }) => ({
    personId: person,
    roles,
    sharedWith: [...(delegated_by === null ? [] : [delegated_by]), ...shared_with],
  }));
  expect(quorumReached(wanted, people)).toBe(reached);
});

test('people who share a vote fill a slot if one of them has the role', () => {
  const pair: readonly Approver[] = [
    { personId: '1', roles: ['b'], sharedWith: [] },
    { personId: '2', roles: ['a'], sharedWith: ['1'] },
  ];
  expect(quorumReached([{ count: 1, roles: ['a'] }], pair)).toBe(true);
});

test('a slot of absurd size is refused at once', () => {
  expect(
    quorumReached(
      [{ count: Number.POSITIVE_INFINITY, roles: ['any'] }],
      [{ personId: '1', roles: [], sharedWith: [] }],
    ),
  ).toBe(false);
});
