import type { PersonPrincipal, Principal } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { AskReview } from './ask-review.js';
import { FakeApprovalWorld, MINUTE, rules, valueOf } from './fake-approval-world.js';

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
let asking: AskReview;
beforeEach(() => {
  world = new FakeApprovalWorld();
  ada = world.person('SRELead');
  asking = new AskReview(world.people, world.revisions, world.policy);
});
const answer = async (by: Principal, request: ApprovalRequest): Promise<string> => {
  const question = await world.inTx((tx) => asking.question(tx, by));
  const { outcome, reasons } = asking.decide(request, question);
  return [outcome, ...reasons.map(({ code }) => code)].join(' ');
};

describe('the answer of policy to a possible approval', () => {
  it('is the same as to a real one, and nothing is on record of it', async () => {
    const request = await world.asked();
    const before = world.audited.length;
    expect(await answer(ada, request)).toBe('allow review.eligible');
    expect(await answer(world.person('DevOpsEngineer'), request)).toBe('deny review.role');
    expect(await answer({ ...ada, scopes: ['read'] }, request)).toBe('deny review.scope');
    expect(await answer({ ...world.tenant.owner, scopes: ['review'] }, request)).toContain(
      'review.separation_of_duties',
    );
    expect(await answer(world.tenant.agent, request)).toContain('review.not_a_person');
    expect(world.audited).toHaveLength(before);
  });

  it('takes a second factor as given: a person who lacks nothing else steps up then', async () => {
    world.autonomy(rules({ require_mfa: true }));
    expect(await answer(ada, await world.asked())).toBe('allow review.eligible');
  });

  it('goes by the clock and by the roles of now', async () => {
    const request = await world.asked();
    world.revokeRole(ada, 'SRELead');
    expect(await answer(ada, request)).toBe('deny review.role');
    world.assignRole(ada, 'SRELead');
    expect(await answer(ada, request)).toBe('deny review.role');
    world.uow.now = request.expiresAt;
    expect(await answer(world.person('SRELead'), request)).toContain('review.expired');
  });

  it('is asked for many people as for each alone', async () => {
    const request = await world.asked();
    const people = [ada, world.person('DevOpsEngineer'), world.tenant.agent, world.person('SRELead')];
    const questions = await world.inTx((tx) => asking.questions(tx, people));
    expect(questions.map((question) => asking.decide(request, question).outcome)).toEqual([
      'allow',
      'deny',
      'deny',
      'allow',
    ]);
  });
});

describe('the seat of a reviewer', () => {
  it('has the roles that count there, and the people who share its vote', async () => {
    const hand = ada.personId;
    const token = { basis: 'token', by: hand, hand, issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
    const dan = world.person();
    const until = world.uow.now + 60 * MINUTE;
    world.changePerson(dan, () => ({ waysIn: [token] }));
    valueOf(await world.absences.begin(ada, { delegateId: dan.personId, roles: ['SRELead'], from: null, until }));
    world.uow.now += 1;
    const request = await world.asked();
    const seat = async (by: Principal) => asking.seatOf(request, await world.inTx((tx) => asking.question(tx, by)));
    expect(await seat(ada)).toEqual({ personId: ada.personId, roles: ['SRELead'], delegatedBy: null, sharedWith: [] });
    expect(await seat(dan)).toEqual({
      personId: dan.personId,
      roles: ['SRELead'],
      delegatedBy: ada.personId,
      sharedWith: [ada.personId],
    });
    expect(await seat(world.tenant.agent)).toBeNull();
  });
});
