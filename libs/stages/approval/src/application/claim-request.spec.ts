import { newId, type ApprovalRequestId, type PersonPrincipal } from '#lib/kernel';
import { codeOf, FakeApprovalWorld, MINUTE, valueOf } from './fake-approval-world.js';

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;
beforeEach(() => {
  world = new FakeApprovalWorld();
  [ada, ben] = [world.person('SRELead'), world.person('SRELead')];
});
const claimed = async (by: PersonPrincipal, id: ApprovalRequestId): Promise<string> =>
  codeOf(await world.claiming.claim(by, id));
const holder = async (id: ApprovalRequestId): Promise<unknown> =>
  valueOf(await world.reading.overview(ada, id)).claim?.personId ?? null;
const recorded = (pattern: RegExp): string[] =>
  world.audited.map(({ action }) => action).filter((action) => pattern.test(action));

describe('a claim', () => {
  it('names the person who looks at a request, for a quarter of an hour, and keeps no person from reviewing', async () => {
    const { id, ...request } = await world.asked();
    const answer = valueOf(await world.claiming.claim(ada, id));
    expect(answer.claim).toEqual({
      personId: ada.personId,
      claimedAt: world.uow.now,
      expiresAt: world.uow.now + 15 * MINUTE,
    });
    expect(answer).toEqual(valueOf(await world.reading.overview(ada, id)));
    expect(await world.claiming.claim(ben, id)).toMatchObject({
      ok: false,
      error: { code: 'approval.claimed', details: { person_id: ada.personId } },
    });
    expect(codeOf(await world.review(ben, { ...request, id }))).toBe('ok');
    expect(await holder(id)).toBe(ada.personId);
  });

  it('is lengthened by its holder, and expires by the clock', async () => {
    const { id } = await world.asked();
    valueOf(await world.claiming.claim(ada, id));
    world.uow.now += 10 * MINUTE;
    expect(valueOf(await world.claiming.claim(ada, id)).claim?.expiresAt).toBe(world.uow.now + 15 * MINUTE);
    world.uow.now += 15 * MINUTE - 1;
    expect(await claimed(ben, id)).toBe('approval.claimed');
    world.uow.now += 1;
    expect(await holder(id)).toBeNull();
    expect(await claimed(ben, id)).toBe('ok');
    expect(await holder(id)).toBe(ben.personId);
  });

  it('is released by its holder; anybody else changes nothing', async () => {
    const { id } = await world.asked();
    valueOf(await world.claiming.claim(ada, id));
    expect(codeOf(await world.claiming.release(ben, id))).toBe('ok');
    expect(await holder(id)).toBe(ada.personId);
    expect(codeOf(await world.claiming.release(ada, id))).toBe('ok');
    expect(await holder(id)).toBeNull();
    expect(recorded(/claimed|released/)).toEqual(['approval_request.claimed', 'approval_request.released']);
  });

  it('is for those who could approve, while the request is open', async () => {
    const { id, ...request } = await world.asked();
    expect(await claimed(world.person('DevOpsEngineer'), id)).toBe('policy.denied review.role');
    expect(await claimed({ ...world.tenant.owner, scopes: ['review'] }, id)).toContain('review.separation_of_duties');
    valueOf(await world.review(ada, { ...request, id }, 'reject'));
    expect(await claimed(ben, id)).toBe('approval.already_decided');
    const late = await world.asked();
    world.uow.now = late.expiresAt;
    expect(await claimed(ben, late.id)).toBe('approval.expired');
  });

  it('is on a request of the same tenant', async () => {
    const { id } = await world.asked();
    const stranger = new FakeApprovalWorld().person('SRELead');
    for (const use of ['claim', 'release', 'seen'] as const) {
      expect(codeOf(await world.claiming[use](stranger, id))).toBe('resource.not_found');
      expect(codeOf(await world.claiming[use](ada, newId<ApprovalRequestId>()))).toBe('resource.not_found');
    }
  });
});

describe('a look', () => {
  it('is on record the first time, whether it was a screen or a claim', async () => {
    const { id } = await world.asked();
    for (const by of [ada, ada, ben]) expect(codeOf(await world.claiming.seen(by, id))).toBe('ok');
    expect(recorded(/seen/)).toHaveLength(2);
    const cem = world.person('SRELead');
    valueOf(await world.claiming.claim(cem, id));
    valueOf(await world.claiming.seen(cem, id));
    expect(recorded(/seen/)).toHaveLength(2);
  });

  it('is of an open request', async () => {
    const request = await world.asked();
    valueOf(await world.review(ben, request, 'reject'));
    valueOf(await world.claiming.seen(ada, request.id));
    expect(recorded(/seen/)).toEqual([]);
  });
});
