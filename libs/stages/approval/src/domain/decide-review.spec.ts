import type { ApprovalSlot, Verdict } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import {
  digest,
  EXPIRES_AT,
  OPENED_AT,
  people,
  requestIn,
  reviewBy,
} from '../../../../../test/support/approval-samples.js';
import type { ApprovalRequest, Review } from './approval-request.js';
import { decideReview, fillsMore } from './decide-review.js';

const names = ['ada', 'ben', 'cyd', 'dov'] as const;
type Name = (typeof names)[number];
const ids = new Map(names.map((name, index) => [name, people(4)[index]]));

const ROLES: Readonly<Record<Name, readonly string[]>> = {
  ada: ['SRELead'],
  ben: ['SecurityReviewer'],
  cyd: ['SRELead', 'SecurityReviewer'],
  dov: ['SRELead'],
};
const LEAD_AND_SECURITY: ApprovalSlot[] = [
  { count: 1, roles: ['SRELead'] },
  { count: 1, roles: ['SecurityReviewer'] },
];
const TWO_LEADS: ApprovalSlot[] = [{ count: 2, roles: ['SRELead'] }];
const ANYBODY: ApprovalSlot[] = [{ count: 1, roles: ['any'] }];

/** Plays reviews one after the other; the last outcome is the request's state or the code of the refusal. */
function play(
  slots: ApprovalSlot[],
  script: readonly (readonly [Name, Verdict])[],
): { last: string; counting: number } {
  let request: ApprovalRequest = requestIn('open', slots);
  let reviews: readonly Review[] = [];
  let last: string = request.state;
  for (const [index, [name, verdict]] of script.entries()) {
    const personId = ids.get(name);
    if (personId === undefined) throw new Error(`nobody is called ${name}`);
    const decided = decideReview(
      { request, reviews },
      reviewBy(personId, verdict, ROLES[name]),
      OPENED_AT + 1_000 + index,
    );
    last = decided.ok ? decided.value.next.state : decided.error.code;
    if (decided.ok) ({ next: request, reviews } = decided.value);
  }
  return { last, counting: reviews.length };
}

describe('the decision about a review', () => {
  it.each<[string, ApprovalSlot[], (readonly [Name, Verdict])[], string, number]>([
    ['one of two', LEAD_AND_SECURITY, [['ada', 'approve']], 'open', 1],
    [
      'two of two',
      LEAD_AND_SECURITY,
      [
        ['ada', 'approve'],
        ['ben', 'approve'],
      ],
      'approved',
      2,
    ],
    [
      'two for one slot',
      LEAD_AND_SECURITY,
      [
        ['ada', 'approve'],
        ['dov', 'approve'],
      ],
      'open',
      2,
    ],
    [
      'one person for two slots',
      LEAD_AND_SECURITY,
      [
        ['cyd', 'approve'],
        ['cyd', 'approve'],
      ],
      'open',
      1,
    ],
    [
      'somebody moved to the other slot',
      LEAD_AND_SECURITY,
      [
        ['cyd', 'approve'],
        ['ada', 'approve'],
      ],
      'approved',
      2,
    ],
    [
      'two leads',
      TWO_LEADS,
      [
        ['ada', 'approve'],
        ['dov', 'approve'],
      ],
      'approved',
      2,
    ],
    [
      'the same lead twice (T05)',
      TWO_LEADS,
      [
        ['ada', 'approve'],
        ['ada', 'approve'],
      ],
      'open',
      1,
    ],
    ['anybody', ANYBODY, [['ben', 'approve']], 'approved', 1],
    ['a reject closes', TWO_LEADS, [['ada', 'reject']], 'denied', 1],
    [
      'a reject after an approval',
      TWO_LEADS,
      [
        ['ada', 'approve'],
        ['dov', 'reject'],
      ],
      'denied',
      2,
    ],
    [
      'a change of mind',
      TWO_LEADS,
      [
        ['ada', 'approve'],
        ['ada', 'reject'],
      ],
      'denied',
      1,
    ],
    ['a wish for changes closes', TWO_LEADS, [['ada', 'request_changes']], 'changes_requested', 1],
    [
      'an approval after a reject',
      TWO_LEADS,
      [
        ['ada', 'reject'],
        ['dov', 'approve'],
      ],
      'approval.already_decided',
      1,
    ],
    [
      'a reject after the approval',
      ANYBODY,
      [
        ['ben', 'approve'],
        ['ada', 'reject'],
      ],
      'approval.already_decided',
      1,
    ],
    [
      'one approval too many',
      ANYBODY,
      [
        ['ben', 'approve'],
        ['ada', 'approve'],
      ],
      'approval.already_decided',
      1,
    ],
  ])('%s', (_title, slots, script, last, counting) => {
    expect(play(slots, script)).toEqual({ last, counting });
  });

  it('refuses a review of another plan than the one that is bound', () => {
    const [ada] = people(1) as [Review['personId']];
    const review = reviewBy(ada, 'approve', ['SRELead'], { subjectDigest: digest('9') });
    expect(decideReview({ request: requestIn('open'), reviews: [] }, review, OPENED_AT + 1)).toMatchObject({
      ok: false,
      error: {
        code: 'approval.digest_mismatch',
        kind: 'conflict',
        errors: [{ pointer: '/subject_digest', code: 'approval.digest_mismatch' }],
      },
    });
  });

  it('refuses a review at the moment the time is over', () => {
    const [ada] = people(1) as [Review['personId']];
    expect(
      decideReview({ request: requestIn('open'), reviews: [] }, reviewBy(ada, 'reject'), EXPIRES_AT),
    ).toMatchObject({
      ok: false,
      error: { code: 'approval.expired' },
    });
  });

  it.each([
    ['reject', 'approval.rejected'],
    ['request_changes', 'approval.changes_requested'],
  ] as const)('names the person of a %s, and their review: %s', (verdict, code) => {
    const [ada] = people(1) as [Review['personId']];
    const review = reviewBy(ada, verdict);
    expect(decideReview({ request: requestIn('open'), reviews: [] }, review, OPENED_AT + 1)).toMatchObject({
      ok: true,
      value: { next: { closedReason: { code, details: { review_id: review.id, person_id: ada } } } },
    });
  });
});

describe('one more approval', () => {
  const [ada, ben, cyd] = people(3);
  if (ada === undefined || ben === undefined || cyd === undefined) throw new Error('there are three people');
  const approver = (personId: PersonId, roles: string[], sharedWith: PersonId[] = []) => ({
    personId,
    roles,
    delegatedBy: null,
    sharedWith,
  });
  const request = requestIn('open', LEAD_AND_SECURITY);
  const given = [reviewBy(ada, 'approve', ['SRELead']), reviewBy(cyd, 'reject', ['SecurityReviewer'])];

  it('fills an open slot by its role', () => {
    expect(fillsMore(request, given, approver(ben, ['SecurityReviewer']))).toBe(true);
    expect(fillsMore(request, [], approver(ben, ['SRELead']))).toBe(true);
  });

  it('fills none without a role, for a slot that is full, or with a shared vote', () => {
    expect(fillsMore(request, given, approver(ben, ['DevOpsEngineer']))).toBe(false);
    expect(fillsMore(request, given, approver(ben, ['SRELead']))).toBe(false);
    expect(fillsMore(request, given, approver(ben, ['SecurityReviewer'], [ada]))).toBe(false);
  });
});
