import { newId, type ApprovalRequestId, type Principal } from '#lib/kernel';
import { codeOf, FakeApprovalWorld, valueOf } from './fake-approval-world.js';
import { revised } from './fake-notified-request.js';
import type { ReadNotifiedRequest } from './read-notified-request.js';

describe('a request as a message tells of it', () => {
  let world: FakeApprovalWorld;
  let told: ReadNotifiedRequest;
  let notifier: Principal;
  beforeEach(() => {
    world = new FakeApprovalWorld();
    told = world.telling;
    notifier = { kind: 'system', tenantId: world.tenant.tenantId, name: 'notifier' };
  });

  it('is the request as its page shows it, with the reviews that count and their authors', async () => {
    const [ada, ben] = [world.person('SRELead'), world.person('SRELead')];
    const request = await world.asked();
    valueOf(await world.review(ada, request, 'approve'));
    const seen = valueOf(await told.execute(notifier, request.id));
    const page = valueOf(await world.reading.get(notifier, request.id));
    expect(seen.reviews).toMatchObject([{ personId: ada.personId, verdict: 'approve' }]);
    for (const member of ['subject', 'quorum', 'changesAsked'] as const)
      expect([member, seen[member]]).toEqual([member, page[member]]);
    expect([...seen.people.keys()]).toEqual([ada.personId]);
    expect(seen.request).toMatchObject({ id: request.id, state: 'open' });
    valueOf(await world.review(ben, request, 'reject'));
    expect(valueOf(await told.execute(notifier, request.id)).request.state).toBe('denied');
  });

  it('tells of the changes that people asked of an earlier revision', async () => {
    const ada = world.person('SRELead');
    const first = await world.asked();
    valueOf(await world.review(ada, first, 'request_changes'));
    const second = await world.asked(await revised(world, first));
    const { changesAsked, people } = valueOf(await told.execute(notifier, second.id));
    expect(changesAsked).toMatchObject([{ revision: 1, personId: ada.personId }]);
    expect([...people.keys()]).toEqual([ada.personId]);
  });

  it('is not there for an unknown id', async () => {
    expect(codeOf(await told.execute(notifier, newId<ApprovalRequestId>()))).toBe('resource.not_found');
  });
});
