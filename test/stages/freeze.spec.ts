import type { AutonomyDocument, Freeze } from '#lib/contracts';
import type { PersonPrincipal } from '#lib/kernel';
import { approvalWorld, valueOf, type ApprovalWorld } from '../support/approval-world.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
let world: ApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;

const HOUR = 3_600_000;
const wall = (at: number): string => new Date(at).toISOString().slice(0, 16);

const documentOf = (freezes: readonly Partial<Freeze>[]): AutonomyDocument => ({
  autonomy: {
    mode: 'plan_only',
    environments: { production: { mode: 'full_auto', allowed_approvers: ['SRELead'], require_two_approvers: true } },
  },
  ...(freezes.length === 0
    ? {}
    : {
        freezes: freezes.map((freeze) => ({
          name: 'year-end',
          time_zone: 'UTC',
          from: wall(Date.now() - HOUR),
          until: wall(Date.now() + HOUR),
          ...freeze,
        })),
      }),
});

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await approvalWorld(db);
  [ada, ben] = [await world.person('SRELead'), await world.person('SRELead')];
});

const granted = async (start: 'manual' | 'on_approval' = 'manual') => {
  const planId = await world.simulated();
  const { request } = valueOf(await world.open.execute(world.stages.agent, planId, { start }));
  valueOf(await world.review(ada, request));
  return valueOf(await world.review(ben, request)).request;
};

describe('a freeze', () => {
  it('refuses a start with its end, and leaves the approval to its own time', async () => {
    const request = await granted();
    await world.autonomy(documentOf([{}]));
    expect(await world.tryToStart(request.planId)).toBe('freeze.active freeze.active');
    expect((await world.find(request)).state).toBe('granted');
    const refused = await db.uow.run(world.stages.tenantId, (tx) =>
      world.authority.authorize(tx, request.planId, world.stages.agent),
    );
    const until = new Date(Math.floor((Date.now() + HOUR) / 60_000) * 60_000).toISOString();
    expect(!refused.ok && refused.error).toMatchObject({ kind: 'conflict', details: { until } });
    await world.autonomy(documentOf([]));
    expect(await world.tryToStart(request.planId)).toBe('approved');
  });

  it.each<[string, Partial<Freeze>, string]>([
    ['of another environment', { environments: ['staging'] }, 'approved'],
    ['of this environment', { environments: ['production'] }, 'freeze.active freeze.active'],
    ['of another tool', { tools: ['trigger_dr_failover'] }, 'approved'],
    ['of its tool', { tools: ['execute_rollout_prod'] }, 'freeze.active freeze.active'],
    ['that is over', { until: wall(Date.now() - HOUR / 2) }, 'approved'],
    ['that is to come', { from: wall(Date.now() + HOUR / 2) }, 'approved'],
  ])('%s', async (_which, freeze, expected) => {
    const request = await granted();
    await world.autonomy(documentOf([freeze]));
    expect(await world.tryToStart(request.planId)).toBe(expected);
  });

  it('lets somebody start whose role may pass, as it is now', async () => {
    const request = await granted();
    await world.autonomy(documentOf([{ may_pass: ['SRELead'] }]));
    expect(await world.tryToStart(request.planId)).toBe('freeze.active freeze.active');
    await world.revokeRole(await world.person('SRELead'), 'SRELead');
    const outsider = await world.person('DevOpsEngineer');
    expect(await world.tryToStart(request.planId, outsider)).toBe('freeze.active freeze.active');
    expect(await world.tryToStart(request.planId, ada)).toBe('approved');
  });

  it('keeps nobody from asking and approving', async () => {
    await world.autonomy(documentOf([{}]));
    expect((await granted()).state).toBe('granted');
  });
});
