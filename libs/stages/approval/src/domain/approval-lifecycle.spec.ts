import fc from 'fast-check';
import type { ApprovalSlot, Verdict } from '#lib/formats';
import { digest, OPENED_AT, people, requestIn, reviewBy } from '../../../../../test/support/approval-samples.js';
import { deadlineOf, type ApprovalRequest, type Review } from './approval-request.js';
import { boundDigest } from './binding.js';
import { decideApproval, type ApprovalEvent } from './decide-approval.js';
import { decideReview } from './decide-review.js';
import { fills } from './match-quorum.js';

const SLOTS: ApprovalSlot[] = [
  { count: 1, roles: ['SRELead'] },
  { count: 2, roles: ['SRELead', 'SecurityReviewer'] },
];
const ROLES = [
  ['SRELead'],
  ['SRELead'],
  ['SecurityReviewer'],
  ['SecurityReviewer'],
  ['SRELead', 'SecurityReviewer'],
  [],
];
const everybody = people(ROLES.length);
const reason = { code: 'test.reason', message: 'because of the test' };

/** The request, the reviews that count on it, and the clock, as the database holds them. */
interface Real {
  request: ApprovalRequest;
  reviews: readonly Review[];
  now: number;
}
/** Whether it was ever in a state it does not leave. */
interface Model {
  closed: boolean;
}

const TERMINAL = new Set(['denied', 'changes_requested', 'expired', 'voided', 'consumed']);

/** The invariants that hold after every command. */
function check(model: Model, before: ApprovalRequest, real: Real): void {
  if (model.closed) expect(real.request).toEqual(before);
  model.closed ||= TERMINAL.has(real.request.state);
  if (real.request.state === 'approved' || real.request.state === 'consumed') {
    const approved = real.reviews.filter(({ verdict }) => verdict === 'approve');
    expect(new Set(approved.map(({ personId }) => personId)).size).toBe(approved.length);
    expect(approved.every(({ subjectDigest }) => subjectDigest === boundDigest(real.request.binding))).toBe(true);
    const wanted = SLOTS.flatMap((slot) => Array.from({ length: slot.count }, () => slot));
    expect(assignable(wanted, approved)).toBe(true);
  }
}

/** By trying every assignment of people to slots. */
const assignable = (singles: readonly ApprovalSlot[], free: readonly Review[]): boolean => {
  const [single, ...rest] = singles;
  return (
    single === undefined ||
    free.some(
      (review) =>
        fills(
          single,
          review.roles.map(({ role }) => role),
        ) &&
        assignable(
          rest,
          free.filter((other) => other !== review),
        ),
    )
  );
};

class ReviewIt implements fc.Command<Model, Real> {
  constructor(
    private readonly who: number,
    private readonly verdict: Verdict,
    private readonly otherPlan: boolean,
  ) {}

  check = (): boolean => true;

  run(model: Model, real: Real): void {
    const { request: before } = real;
    const personId = everybody[this.who];
    if (personId === undefined) throw new Error('nobody there');
    const seen = this.otherPlan ? { subjectDigest: digest('9') } : {};
    const decided = decideReview(real, reviewBy(personId, this.verdict, ROLES[this.who], seen), real.now);
    if (decided.ok) {
      real.request = decided.value.next;
      real.reviews = decided.value.reviews;
    }
    check(model, before, real);
  }

  toString = (): string => `${this.verdict} by ${String(this.who)}${this.otherPlan ? ' of another plan' : ''}`;
}

class Happen implements fc.Command<Model, Real> {
  constructor(private readonly event: ApprovalEvent) {}

  check = (): boolean => true;

  run(model: Model, real: Real): void {
    const { request: before } = real;
    const due = deadlineOf(before);
    const decided = decideApproval(before, this.event, real.now);
    if (decided.ok) real.request = decided.value;
    // A request past its time limit can become nothing but expired.
    if (decided.ok && due !== null && real.now >= due) expect(decided.value.state).toBe('expired');
    check(model, before, real);
  }

  toString = (): string => this.event.name;
}

class Wait implements fc.Command<Model, Real> {
  constructor(private readonly minutes: number) {}

  check = (): boolean => true;

  run(_model: Model, real: Real): void {
    real.now += this.minutes * 60_000;
  }

  toString = (): string => `wait ${String(this.minutes)} minutes`;
}

const commands = fc.commands(
  [
    fc
      .tuple(
        fc.nat(ROLES.length - 1),
        fc.constantFrom<Verdict>('approve', 'approve', 'approve', 'approve', 'reject', 'request_changes'),
        fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
      )
      .map(([who, verdict, otherPlan]) => new ReviewIt(who, verdict, otherPlan)),
    fc
      .constantFrom<ApprovalEvent>({ name: 'expire' }, { name: 'void', reason }, { name: 'consume' })
      .map((event) => new Happen(event)),
    fc.integer({ min: 1, max: 40 }).map((minutes) => new Wait(minutes)),
  ],
  { maxCommands: 40 },
);

describe('a request, after every event', () => {
  it('stays closed once closed, and is approved only by a quorum of distinct people on that digest', () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(
          () => ({
            model: { closed: false },
            real: { request: requestIn('open', SLOTS), reviews: [], now: OPENED_AT + 1 },
          }),
          sequence,
        );
      }),
      { numRuns: 500 },
    );
  });
});
