import fc from 'fast-check';
import type { ApprovalSlot } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import { seatCases } from '../../../../../test/support/seat-cases.js';
import { people } from '../../../../../test/support/approval-samples.js';
import { fills, matchQuorum, type Approver } from './match-quorum.js';

const ROLES = ['SRELead', 'SecurityReviewer', 'DevOpsEngineer', 'PlatformAdmin'];
const everybody = people(6);

const rolesOfSlot = fc.oneof(
  fc.uniqueArray(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 3 }),
  fc.constant<string[]>(['any']),
);
const slots: fc.Arbitrary<ApprovalSlot[]> = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 3 }), roles: rolesOfSlot }),
  {
    maxLength: 4,
  },
);
const approvers = fc
  .array(fc.subarray(ROLES), { maxLength: everybody.length })
  .map((roles): Approver[] =>
    everybody
      .slice(0, roles.length)
      .map((personId, index) => ({ personId, roles: roles[index] ?? [], delegatedBy: null, sharedWith: [] })),
  );

/** The most people that slots can take, by trying every assignment. */
function mostFilled(singles: readonly ApprovalSlot[], free: readonly Approver[]): number {
  const [single, ...rest] = singles;
  if (single === undefined) return 0;
  const left = mostFilled(rest, free);
  return free.reduce(
    (most, person) =>
      fills(single, person.roles)
        ? Math.max(
            most,
            1 +
              mostFilled(
                rest,
                free.filter((other) => other !== person),
              ),
          )
        : most,
    left,
  );
}

const singlesOf = (wanted: readonly ApprovalSlot[]): ApprovalSlot[] =>
  wanted.flatMap((slot) => Array.from({ length: slot.count }, () => ({ ...slot, count: 1 })));

describe('a quorum', () => {
  it('takes as many people as any assignment could, and never one that does not fit', () => {
    fc.assert(
      fc.property(slots, approvers, (wanted, given) => {
        fc.pre(singlesOf(wanted).length <= 6);
        const quorum = matchQuorum(wanted, given);
        expect(quorum.filled).toHaveLength(mostFilled(singlesOf(wanted), given));
        expect(quorum.complete).toBe(quorum.filled.length === singlesOf(wanted).length);
        expect(new Set(quorum.filled.map(({ personId }) => personId)).size).toBe(quorum.filled.length);
        const unfit = quorum.filled.filter(({ slot, personId }) => {
          const person = given.find((one) => one.personId === personId);
          return !fills(wanted[slot] ?? { count: 1, roles: [] }, person?.roles ?? []);
        });
        expect(unfit).toEqual([]);
        const missing = quorum.open.reduce((sum, { count }) => sum + count, 0);
        expect(missing + quorum.filled.length).toBe(singlesOf(wanted).length);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of reviews', () => {
    fc.assert(
      fc.property(slots, approvers, fc.infiniteStream(fc.nat()), (wanted, given, order) => {
        const shuffled = given
          .map((person) => ({ person, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ person }) => person);
        expect(matchQuorum(wanted, shuffled).filled).toHaveLength(matchQuorum(wanted, given).filled.length);
      }),
    );
  });

  it('moves somebody who fits two slots to the one where they are needed', () => {
    const [both, lead] = people(2);
    const wanted = [
      { count: 1, roles: ['SRELead'] },
      { count: 1, roles: ['SecurityReviewer'] },
    ];
    const given = [
      { personId: both, roles: ['SRELead', 'SecurityReviewer'], delegatedBy: null, sharedWith: [] },
      { personId: lead, roles: ['SRELead'], delegatedBy: null, sharedWith: [] },
    ] as Approver[];
    expect(matchQuorum(wanted, given).complete).toBe(true);
  });

  it.each(seatCases)('$name', ({ slots: wanted, approvers: given, reached }) => {
    const people = given.map(({ person, roles, delegated_by, shared_with }) => ({
      personId: person as Approver['personId'],
      roles,
      delegatedBy: delegated_by as Approver['delegatedBy'],
      sharedWith: shared_with as Approver['personId'][],
    }));
    expect(matchQuorum(wanted, people).complete).toBe(reached);
  });

  it('takes the person of a seat who has the role, with the roles that fill the slot', () => {
    const [ada, ben] = people(2) as [PersonId, PersonId];
    const shared: Approver[] = [
      { personId: ada, roles: ['DevOpsEngineer'], delegatedBy: null, sharedWith: [] },
      { personId: ben, roles: ['SRELead', 'PlatformAdmin'], delegatedBy: null, sharedWith: [ada] },
    ];
    expect(matchQuorum([{ count: 1, roles: ['SRELead'] }], shared).filled).toEqual([
      { slot: 0, roles: ['SRELead'], personId: ben, as: ['SRELead'] },
    ]);
  });

  it('counts a person once, however often they review', () => {
    const [person] = people(1) as [Approver['personId']];
    const twice = [
      { personId: person, roles: ['SRELead'], delegatedBy: null, sharedWith: [] },
      { personId: person, roles: ['SRELead'], delegatedBy: null, sharedWith: [] },
    ];
    expect(matchQuorum([{ count: 2, roles: ['SRELead'] }], twice)).toMatchObject({
      complete: false,
      open: [{ slot: 0, count: 1 }],
    });
  });
});
