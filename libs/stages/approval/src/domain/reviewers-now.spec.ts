import type { HeldRole, PersonId } from '#lib/kernel';
import { OPENED_AT, people, requestIn, reviewBy } from '../../../../../test/support/approval-samples.js';
import type { Absence } from './absence.js';
import type { Review } from './approval-request.js';
import type { Delegation } from './delegation.js';
import { approvedBy, delegationsIn, type Holders, reviewersNow, rolesNow } from './reviewers-now.js';

const [ada, ben, cyd] = people(3) as [PersonId, PersonId, PersonId];
const BEFORE = OPENED_AT - 1;
const DAY_MS = 86_400_000;
const LEAD: HeldRole = { role: 'SRELead', assignedAt: BEFORE };
const SECURITY: HeldRole = { role: 'SecurityReviewer', assignedAt: BEFORE };

const request = requestIn('approved', [{ count: 1, roles: ['SRELead'] }]);
const holding = (...held: readonly (readonly [PersonId, readonly HeldRole[], disabled?: boolean])[]): Holders =>
  new Map(held.map(([personId, roles, disabled = false]) => [personId, { disabled, roles }]));
const handedOver = (more: Partial<Delegation> = {}): Delegation => ({
  personId: ben,
  roles: [LEAD],
  madeAt: BEFORE,
  from: BEFORE,
  until: OPENED_AT + DAY_MS,
  ...more,
});
const own = reviewBy(ada, 'approve', ['SRELead']);
const forBen: Review = { ...own, delegatedBy: ben, seat: { ...own.seat, sharedWith: [ada, cyd] } };
const NOBODY = new Map<PersonId, readonly Delegation[]>();

describe('the people who fill the quorum of a request', () => {
  it('count with the roles that they hold now, since before it opened', () => {
    const later: HeldRole = { role: 'PlatformAdmin', assignedAt: OPENED_AT };
    expect(reviewersNow({ request, reviews: [own] }, holding([ada, [LEAD, LEAD, SECURITY, later]]), NOBODY)).toEqual({
      disabled: [],
      reviewers: [
        {
          person_id: ada,
          delegated_by: null,
          shared_with: [],
          roles: ['SRELead', 'SecurityReviewer'],
          slot_roles: ['SRELead'],
        },
      ],
    });
  });

  it.each([
    ['disabled', holding([ada, [LEAD], true]), ['SRELead']],
    ['gone', holding(), []],
  ])('are named if they are %s', (_which, holders, roles) => {
    const { disabled, reviewers } = reviewersNow({ request, reviews: [own] }, holders, NOBODY);
    expect(disabled).toEqual([ada]);
    expect(reviewers).toMatchObject([{ roles }]);
  });

  it('leave out a person with a review that fills no slot', () => {
    const rejected = reviewBy(cyd, 'reject', ['SRELead']);
    const { reviewers } = reviewersNow({ request, reviews: [own, rejected] }, holding([ada, [LEAD]]), NOBODY);
    expect(reviewers.map(({ person_id: id }) => id)).toEqual([ada]);
  });

  it('count with the roles that the delegator handed over before it opened, and with no others', () => {
    const given = new Map([
      [
        ada,
        [
          handedOver(),
          handedOver({ madeAt: OPENED_AT, roles: [SECURITY] }),
          handedOver({ personId: cyd, roles: [SECURITY] }),
        ],
      ],
    ]);
    const { reviewers } = reviewersNow({ request, reviews: [forBen] }, holding([ada, [SECURITY]]), given);
    expect(reviewers).toMatchObject([{ delegated_by: ben, shared_with: [ada, cyd], roles: ['SRELead'] }]);
  });

  it('hold nothing by a delegation that is gone', () => {
    const { reviewers } = reviewersNow({ request, reviews: [forBen] }, holding([ada, [LEAD]]), NOBODY);
    expect(reviewers).toMatchObject([{ delegated_by: ben, roles: [] }]);
  });
});

describe('the delegations in absences', () => {
  const absence = (personId: PersonId, roles: readonly string[]): Absence => ({
    id: 'absence',
    personId,
    delegateId: ada,
    roles,
    from: BEFORE,
    until: OPENED_AT + DAY_MS,
    createdAt: BEFORE - 1,
    endedAt: null,
    endedBy: null,
  });

  it('are of the roles that each absent person still holds', () => {
    const holders = holding([ben, [LEAD]], [cyd, [SECURITY]]);
    const both = delegationsIn([absence(ben, ['SRELead', 'SecurityReviewer']), absence(cyd, ['SRELead'])], holders);
    expect([...both]).toEqual([
      [ada, [handedOver({ madeAt: BEFORE - 1 }), handedOver({ personId: cyd, roles: [], madeAt: BEFORE - 1 })]],
    ]);
  });

  it('are none of a person who is disabled or gone', () => {
    const absences = [absence(ben, ['SRELead']), absence(cyd, ['SecurityReviewer'])];
    expect([...delegationsIn(absences, holding([ben, [LEAD], true]))]).toEqual([]);
  });
});

it('people approved if their verdict says so, and their delegators with them', () => {
  expect(approvedBy({ reviews: [own, reviewBy(cyd, 'reject', ['SRELead'])] })).toEqual([ada]);
  expect(approvedBy({ reviews: [forBen] })).toEqual([ada, ben]);
});

it.each([
  ['a person', { kind: 'person', id: ada } as const, ['SRELead']],
  ['a disabled person', { kind: 'person', id: ben } as const, []],
  ['a person who is gone', { kind: 'person', id: cyd } as const, []],
  ['an agent with the same id', { kind: 'agent', id: ada } as const, []],
])('%s holds these roles now', (_who, actor, roles) => {
  expect(rolesNow(actor, holding([ada, [LEAD]], [ben, [LEAD], true]))).toEqual(roles);
});
