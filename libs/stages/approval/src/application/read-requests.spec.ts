import { newId, type ApprovalRequestId, type PersonPrincipal } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import type { QueueKey } from './approval.ports.js';
import { codeOf, FakeApprovalWorld, MINUTE, rules, valueOf } from './fake-approval-world.js';

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;
beforeEach(() => {
  world = new FakeApprovalWorld();
  [ada, ben] = [world.person('SRELead'), world.person('SRELead')];
});
const asked = (timeout_minutes: number, tool?: string): Promise<ApprovalRequest> =>
  world.asked(world.planned({ task: { spec: { timeout_minutes } }, ...(tool === undefined ? {} : { tool }) }));
const pageOf = async (by: PersonPrincipal, limit = 10, after: QueueKey | null = null) => {
  const { items, next } = await world.queue.execute(by, { limit, after });
  return { ids: items.map(({ request }) => request.id), next };
};
const queueOf = async (by: PersonPrincipal): Promise<string[]> => (await pageOf(by)).ids;

describe('my queue', () => {
  it('holds the requests that policy lets me approve and I have not reviewed, the first to end first', async () => {
    const [later, sooner] = [await asked(90), await asked(30)];
    expect(await queueOf(ada)).toEqual([sooner.id, later.id]);
    const { items } = await world.queue.execute(ada, { limit: 1, after: null });
    expect(items[0]?.about).toMatchObject({ environment: { name: 'production', production: true } });
    valueOf(await world.review(ada, sooner));
    expect(await queueOf(ada)).toEqual([later.id]);
    expect(await queueOf(ben)).toEqual([sooner.id, later.id]);
    world.uow.now += 90 * MINUTE;
    expect(await queueOf(ben)).toEqual([]);
  });

  it('is empty for those who may not approve', async () => {
    await asked(30);
    for (const by of [world.person('DevOpsEngineer'), { ...world.tenant.owner, scopes: ['review'] as const }])
      expect(await queueOf(by)).toEqual([]);
    expect(await queueOf({ ...ada, scopes: ['read'] })).toEqual([]);
  });

  it('holds the requests that wait for the people I stand in for', async () => {
    const dan = world.person();
    const until = world.uow.now + 60 * MINUTE;
    valueOf(await world.absences.begin(ada, { delegateId: dan.personId, roles: null, from: null, until }));
    world.uow.now += 1;
    const request = await asked(30);
    expect(await queueOf(dan)).toEqual([request.id]);
  });

  it('comes in pages that leave nothing out and repeat nothing, even with requests of others between', async () => {
    const mine: string[] = [];
    for (const minutes of [20, 30, 40, 50, 60]) mine.push((await asked(minutes)).id);
    world.autonomy(rules({ allowed_approvers: ['SecurityReviewer'] }));
    for (const minutes of [25, 35, 65]) await asked(minutes);
    const seen: string[] = [];
    let after: QueueKey | null = null;
    do {
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(ada, 2, after);
      seen.push(...page.ids);
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(mine);
  });
});

describe('the requests that I may review', () => {
  it('come newest first, in pages, without those that the reader may not review', async () => {
    const first = await world.asked();
    world.uow.now += 1;
    await world.asked(
      world.planned({ change: () => ({ answerable: new Map([[world.tenant.agent.agentId, [ada.personId]]]) }) }),
    );
    world.uow.now += 1;
    const last = await world.asked();
    const reviewable = (by: PersonPrincipal, limit: number, after: { at: number; id: string } | null = null) =>
      world.reading.reviewable(by, {}, { limit, after });
    const page = await reviewable(ada, 1);
    expect(page.items.map(({ request }) => request.id)).toEqual([last.id]);
    const after = page.next === null ? null : { at: page.next.openedAt, id: page.next.id };
    const rest = await reviewable(ada, 10, after);
    expect(rest.items.map(({ request }) => request.id)).toEqual([first.id]);
    expect(rest.next).toBeNull();
    expect((await reviewable(ben, 10)).items).toHaveLength(3);
    expect((await reviewable(world.person(), 10)).items).toEqual([]);
  });
});

describe('a request as people see it', () => {
  it('says how far it has come, and how policy would decide on my approval', async () => {
    const request = await world.asked();
    valueOf(await world.review(ada, request));
    const seen = valueOf(await world.reading.get(ben, request.id));
    expect(seen).toMatchObject({
      mayReview: { outcome: 'allow' },
      wayOut: null,
      sharesVoteWith: [],
      changedSinceOpened: [],
    });
    expect(seen.quorum).toMatchObject({ complete: false, filled: [{ personId: ada.personId }] });
    const refused = valueOf(await world.reading.get(world.person('DevOpsEngineer'), request.id));
    expect(refused.mayReview.reasons.map(({ code }) => code)).toEqual(['review.role']);
    expect(refused.wayOut).toMatch(/Only a role that you held before/);
  });

  it('says that an approval would count for nothing beside that of somebody of the same hand', async () => {
    const request = await world.asked();
    const hand = ada.personId;
    const token = { basis: 'token', by: hand, hand, issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const;
    world.changePerson(ben, () => ({ waysIn: [token] }));
    valueOf(await world.review(ada, request));
    const seen = valueOf(await world.reading.get(ben, request.id));
    expect(seen.sharesVoteWith).toEqual([ada.personId]);
    expect(seen.wayOut).toMatch(/vote of your own/);
  });

  it('names the changes since it opened, before anybody reviews', async () => {
    const request = await world.asked();
    world.changeSubject(request.subject.id, ({ environment }) => ({ environment: { ...environment, version: 2 } }));
    const seen = valueOf(await world.reading.get(ada, request.id));
    expect(seen.changedSinceOpened).toEqual([{ member: 'environment', names: [] }]);
    expect(seen.mayReview.outcome).toBe('deny');
    expect((await world.find(request.id)).state).toBe('open');
  });

  it('is of the reader’s tenant', async () => {
    const request = await world.asked();
    const stranger = new FakeApprovalWorld().person('SRELead');
    for (const read of ['get', 'overview', 'reviews'] as const) {
      expect(codeOf(await world.reading[read](stranger, request.id))).toBe('resource.not_found');
      expect(codeOf(await world.reading[read](ada, newId<ApprovalRequestId>()))).toBe('resource.not_found');
    }
    expect(await world.reading.list(stranger, {}, { limit: 10, after: null })).toEqual([]);
  });
});
