import { newId, type ApprovalRequestId, type PersonPrincipal, type Tx } from '#lib/kernel';
import { FakeApprovalWorld, rules, valueOf } from '../../../../stages/approval/src/application/fake-approval-world.js';
import { revised, tellingIn } from '../../../../stages/approval/src/application/fake-told-request.js';
import type { RequestContext } from './delivery.ports.js';
import { ReadRequestMessage } from './read-request-message.js';

let world: FakeApprovalWorld;
/** The facts that the approval library does not read; null for a request that is gone. */
let context: RequestContext | null;
beforeEach(() => {
  world = new FakeApprovalWorld();
  context = { requesterName: 'drift-bot', onBehalfOfName: 'Olga', approvedBefore: true, run: null };
});
/** Reads the request in the transaction that encloses the reads of the approval library. */
const read = (id: ApprovalRequestId) => {
  const tx: Tx = { tenantId: world.tenant.tenantId, now: () => Promise.resolve(world.uow.now) };
  const audience = { context: () => Promise.resolve(context) };
  return new ReadRequestMessage(tellingIn(world), world.reading, audience).execute(tx, id);
};
const lead = (displayName: string): PersonPrincipal => {
  const person = world.person('SRELead');
  world.changePerson(person, () => ({ displayName, nameForAgents: displayName }));
  return person;
};

describe('a request as channels show it', () => {
  it('has the names around it, and counts the approvals for each slot', async () => {
    const request = await world.asked();
    valueOf(await world.review(lead('Ada'), request));
    expect(await read(request.id)).toMatchObject({
      id: request.id,
      planId: request.subject.id,
      state: 'open',
      environment: { name: 'production', production: true },
      requester: { kind: 'agent', name: 'drift-bot', onBehalfOf: 'Olga' },
      asked: [{ count: 2, roles: ['SRELead'], filled: 1 }],
      reviews: [{ person: 'Ada', verdict: 'approve' }],
      deadline: request.expiresAt,
      changedSince: null,
      run: null,
    });
  });

  it('is not there for an unknown id, nor for a request without a context', async () => {
    expect(await read(newId<ApprovalRequestId>())).toBeNull();
    const request = await world.asked();
    context = null;
    expect(await read(request.id)).toBeNull();
  });
});

describe('the changes since an earlier approval', () => {
  /** A request for the next revision of a plan that these people approved, a second later. */
  const approvedThenRevised = async (...approvers: readonly PersonPrincipal[]) => {
    const first = await world.asked();
    for (const by of approvers) valueOf(await world.review(by, first));
    world.uow.now += 1_000;
    return world.asked(await revised(world, first));
  };

  it('name the people who approved', async () => {
    const again = await approvedThenRevised(lead('Ada'), lead('Ben'));
    expect((await read(again.id))?.changedSince).toEqual({ people: ['Ada', 'Ben'], lines: [] });
  });

  it('are those since the last request with an approval, before this one', async () => {
    const [ada, ben] = [lead('Ada'), lead('Ben')];
    const second = await approvedThenRevised(ada);
    world.uow.now += 1_000;
    // Of another task.
    valueOf(await world.review(ben, await world.asked()));
    world.uow.now += 1_000;
    const third = await world.asked(await revised(world, second));
    expect((await read(third.id))?.changedSince?.people).toEqual(['Ada']);
    valueOf(await world.review(ben, third));
    expect((await read(third.id))?.changedSince?.people).toEqual(['Ada']);
  });

  it('name three of many people', async () => {
    world.autonomy(rules({ quorum: [{ count: 4, roles: ['SRELead'] }] }));
    const again = await approvedThenRevised(lead('Ada'), lead('Ben'), lead('Cleo'), lead('Dan'));
    expect((await read(again.id))?.changedSince?.people).toEqual(['Ada', 'Ben', 'Cleo']);
  });

  it('are none without an earlier approval', async () => {
    const again = await approvedThenRevised();
    expect((await read(again.id))?.changedSince).toBeNull();
  });

  it('are not looked for unless a request of the task was approved', async () => {
    const again = await approvedThenRevised(lead('Ada'));
    context = context && { ...context, approvedBefore: false };
    expect((await read(again.id))?.changedSince).toBeNull();
  });
});
