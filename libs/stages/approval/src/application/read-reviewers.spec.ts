import { newId, type ApprovalRequestId, type PersonPrincipal, type Principal } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { FakeApprovalWorld, rules, valueOf } from './fake-approval-world.js';

let world: FakeApprovalWorld;

beforeEach(() => {
  world = new FakeApprovalWorld();
  world.autonomy(rules());
});

/** A lead with this name. */
const lead = (displayName: string): PersonPrincipal => {
  const person = world.person('SRELead');
  world.changePerson(person, () => ({ displayName, nameForAgents: displayName.charAt(0) }));
  return person;
};

const read = async ({ id }: Pick<ApprovalRequest, 'id'>, by: Principal = world.tenant.owner) =>
  valueOf(await world.reviewersOf.execute(by, id));

const reviewersOf = async (request: Pick<ApprovalRequest, 'id'>) =>
  (await read(request)).reviewers.map(({ personId }) => personId);

describe('the people who could review a request', () => {
  it('are those with a role that it still needs, by name', async () => {
    const [zoe, ada] = [lead('Zoe'), lead('Ada')];
    world.person('SecurityReviewer');
    expect(await reviewersOf(await world.asked())).toEqual([ada.personId, zoe.personId]);
  });

  it('T03: are not behind the plan, have not reviewed it, and are not disabled', async () => {
    const [ada, ben, dan] = [lead('Ada'), lead('Ben'), lead('Dan')];
    world.assignRole(world.tenant.owner, 'SRELead');
    const request = await world.asked();
    valueOf(await world.review(ada, request));
    world.changePerson(dan, () => ({ disabled: true }));
    expect(await reviewersOf(request)).toEqual([ben.personId]);
  });

  it('T39: share no vote with an approver', async () => {
    const [ada, ben, dan] = [lead('Ada'), lead('Ben'), lead('Dan')];
    const came = { basis: 'token', issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
    world.changePerson(ben, () => ({ waysIn: [{ ...came, by: ada.personId, hand: ada.personId }] }));
    const request = await world.asked();
    expect(await reviewersOf(request)).toEqual([ada.personId, ben.personId, dan.personId]);
    valueOf(await world.review(ada, request));
    expect(await reviewersOf(request)).toEqual([dan.personId]);
  });

  it('are shown with the people by whose hand they are known, and to agents without their addresses', async () => {
    const [ada, ben] = [lead('Ada'), world.person('SecurityReviewer')];
    world.changePerson(ben, () => ({ displayName: 'Ben', nameForAgents: 'B' }));
    const came = { basis: 'token', issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
    const way = { ...came, by: ben.personId, hand: ben.personId };
    world.changePerson(ada, () => ({ waysIn: [way] }));
    const request = await world.asked();
    const { reviewers, people } = await read(request);
    expect(reviewers).toEqual([{ personId: ada.personId, knownBy: [way] }]);
    expect([...people.values()].map(({ displayName }) => displayName)).toEqual(['Ada', 'Ben']);
    const agents = await read(request, world.tenant.agent);
    expect([...agents.people.values()].map(({ displayName }) => displayName)).toEqual(['A', 'B']);
  });

  it('are none for a closed request, and an unknown one is refused', async () => {
    const request = await world.approved();
    lead('Zoe');
    expect(await read(request)).toEqual({ reviewers: [], people: new Map() });
    expect(await world.reviewersOf.execute(world.tenant.owner, newId<ApprovalRequestId>())).toMatchObject({
      error: { code: 'resource.not_found' },
    });
  });
});
