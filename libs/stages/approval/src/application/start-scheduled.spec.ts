import { planKey } from '../domain/approval-request.js';
import { FakeApprovalWorld, MINUTE, valueOf, type PlanRequest } from './fake-approval-world.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});

const approved = async (body: Parameters<typeof world.open.execute>[2]): Promise<PlanRequest> =>
  world.approved(
    world.open.execute(world.tenant.agent, planKey(world.planned()), body).then((opened) => valueOf(opened).request),
  );
const inMinutes = (minutes: number) =>
  ({ start: 'at', start_at: new Date(world.uow.now + minutes * MINUTE).toISOString() }) as const;
const startedAfter = async (minutes: number): Promise<unknown[]> => {
  world.uow.now += minutes * MINUTE;
  await world.clock(world.scheduled);
  return world.starts.of(world.tenant).map(({ request, principal }) => [request.id, principal.kind]);
};
const frozenFor = (minutes: number) => ({
  kind: 'conflict' as const,
  code: 'freeze.active',
  message: 'frozen',
  action: 'wait',
  details: { until: new Date(world.uow.now + minutes * MINUTE).toISOString() },
});

describe('an approved request', () => {
  it('starts at its time, by the worker', async () => {
    const request = await approved(inMinutes(30));
    await approved({ start: 'manual' });
    expect(await startedAfter(29)).toEqual([]);
    expect(await startedAfter(1)).toEqual([[request.id, 'system']]);
    expect(await world.start(request.subject.id)).toBe('ok');
  });

  it('does not start once its plan is gone, it is closed, or its approval has expired', async () => {
    const [gone, closed, late] = [
      await approved(inMinutes(30)),
      await approved(inMinutes(30)),
      await approved(inMinutes(239)),
    ];
    world.subjects.rows.of(world.tenant).delete(gone.subject.id);
    valueOf(await world.withdrawing.execute(world.tenant.agent, closed.id));
    expect(await startedAfter(31)).toEqual([]);
    expect(await startedAfter(209)).toEqual([]);
    expect((await world.find(late.id)).state).toBe('approved');
  });

  it('does not start before its time, nor by itself if a person starts it', async () => {
    await approved(inMinutes(30));
    await approved({ start: 'manual' });
    expect(await world.clock(world.scheduled)).toBe(0);
    expect(world.starts.of(world.tenant)).toEqual([]);
  });

  it('that a freeze holds back starts when the freeze is over, as approved or at its time', async () => {
    world.starts.refusal = frozenFor(45);
    const onApproval = await approved({ start: 'on_approval' });
    const atTime = await approved(inMinutes(30));
    const heard = [onApproval.id, atTime.id].sort();
    expect(await world.find(onApproval.id)).toMatchObject({ startAfter: world.uow.now + 45 * MINUTE });
    await startedAfter(31);
    expect(await world.find(atTime.id)).toMatchObject({ startAfter: world.uow.now + 14 * MINUTE });
    world.starts.refusal = null;
    expect(await world.clock(world.scheduled)).toBe(0);
    world.uow.now += 14 * MINUTE;
    expect(await world.clock(world.scheduled)).toBe(2);
    const started = world.starts.of(world.tenant).filter(({ principal }) => principal.kind === 'system');
    expect(started.map(({ request }) => request.id).sort()).toEqual(heard);
  });

  it('that something else holds back is tried again a minute later', async () => {
    world.starts.refusal = { kind: 'forbidden', code: 'policy.denied', message: 'halted', action: 'wait' };
    const request = await approved(inMinutes(30));
    world.uow.now += 30 * MINUTE;
    expect(await world.clock(world.scheduled)).toBe(0);
    expect(await world.find(request.id)).toMatchObject({ state: 'approved', startAfter: world.uow.now + MINUTE });
    world.starts.refusal = null;
    expect(await world.clock(world.scheduled)).toBe(0);
    world.uow.now += MINUTE;
    expect(await world.clock(world.scheduled)).toBe(1);
  });
});
