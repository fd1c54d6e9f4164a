import { newId, type ApprovalRequestId } from '#lib/kernel';
import { sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { codeOf, FakeApprovalWorld, valueOf } from './fake-approval-world.js';
import { overviewOf } from './read-requests.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});
const withdraw = async (by: Parameters<typeof world.withdrawing.execute>[0], id: ApprovalRequestId): Promise<string> =>
  codeOf(await world.withdrawing.execute(by, id));

describe('withdrawing a request', () => {
  it('voids it, open or approved, and people are told', async () => {
    for (const request of [await world.asked(), await world.approved()]) {
      const { state } = request;
      expect(await withdraw(world.tenant.agent, request.id)).toBe('ok');
      expect(await world.find(request.id)).toMatchObject({
        state: 'voided',
        closedReason: { code: 'approval.withdrawn' },
        approval: state === 'open' ? null : (expect.objectContaining({ approvedAt: world.uow.now }) as unknown),
      });
      expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.voided', actor: { kind: 'agent' } });
      expect(world.told.at(-1)).toMatchObject({ payload: { request_id: request.id, event: 'voided' } });
      expect(await world.start(request.subject.id)).toBe('policy.denied approval.required');
    }
  });

  it('answers with the request as it is read afterwards', async () => {
    const [request, reader] = [await world.asked(), world.person('SRELead')];
    valueOf(await world.review(reader, request));
    valueOf(await world.claiming.claim(world.person('SRELead'), request.id));
    const left = valueOf(await world.withdrawing.execute(world.tenant.agent, request.id));
    expect(left.subject).toMatchObject({ type: 'plan', plan: { id: request.subject.id } });
    expect(overviewOf(reader, left)).toEqual(valueOf(await world.reading.overview(reader, request.id)));
  });

  it('is for a principal that may change the task', async () => {
    const { tenant } = world;
    const request = await world.asked();
    expect(await withdraw(world.person('SRELead'), request.id)).toBe('task.not_yours');
    expect(await withdraw(sampleAgent(tenant.owner), request.id)).toBe('task.not_yours');
    expect((await world.find(request.id)).state).toBe('open');
    expect(await withdraw(tenant.owner, request.id)).toBe('ok');
    expect(await withdraw(tenant.admin, (await world.asked()).id)).toBe('ok');
  });

  it('is refused once the request is closed, or its time is over', async () => {
    const request = await world.asked();
    valueOf(await world.review(world.person('SRELead'), request, 'reject'));
    expect(await withdraw(world.tenant.agent, request.id)).toBe('approval.already_decided');
    const late = await world.asked();
    world.uow.now = late.expiresAt;
    expect(await withdraw(world.tenant.agent, late.id)).toBe('approval.expired');
  });

  it('finds no request of another tenant', async () => {
    const request = await world.asked();
    expect(await withdraw(world.tenant.agent, newId<ApprovalRequestId>())).toBe('resource.not_found');
    expect(await withdraw(new FakeApprovalWorld().tenant.agent, request.id)).toBe('resource.not_found');
  });
});
