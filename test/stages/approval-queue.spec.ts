import type { ApprovalRequest } from '#lib/approval';
import type { PersonPrincipal, Result } from '#lib/kernel';
import { MOST_REQUESTS } from '../../libs/approval/src/domain/request-flood.js';
import { approvalWorld, valueOf, type ApprovalWorld } from '../support/approval-world.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
let world: ApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await approvalWorld(db);
  ada = await world.person('SRELead');
  ben = await world.person('SRELead');
});

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

const queueOf = async (by: PersonPrincipal): Promise<string[]> =>
  (await world.queue.execute(by, { limit: 10, after: null })).items.map(({ request }) => request.id);

describe('my queue', () => {
  it('holds what policy lets me approve and I have not reviewed, riskiest first, then by time left', async () => {
    const later = await world.asked({ timeout_minutes: 90 });
    const sooner = await world.asked({ timeout_minutes: 30 });
    const harmless = await world.asked({ timeout_minutes: 10 });
    await db.owner.query('update approval_request set risk = 1 where id = $1', [harmless.id]);
    expect(later.risk).toBe('critical');
    expect(await queueOf(ada)).toEqual([sooner.id, later.id, harmless.id]);
    const { items } = await world.queue.execute(ada, { limit: 1, after: null });
    expect(items[0]?.about).toMatchObject({ environment: { name: 'production', production: true } });

    valueOf(await world.review(ada, sooner));
    expect(await queueOf(ada)).toEqual([later.id, harmless.id]);
    expect(await queueOf(ben)).toEqual([sooner.id, later.id, harmless.id]);
    expect(await queueOf(await world.person('DevOpsEngineer'))).toEqual([]);
    await world.age(later, 91);
    expect(await queueOf(ada)).toEqual([harmless.id]);
  });

  it('comes in pages that leave nothing out and repeat nothing', async () => {
    const asked: string[] = [];
    for (const minutes of [20, 30, 40, 50, 60]) asked.push((await world.asked({ timeout_minutes: minutes })).id);
    await db.owner.query('update approval_request set risk = 2 where id = any ($1::uuid[])', [asked.slice(0, 2)]);
    const seen: string[] = [];
    let after = null as Awaited<ReturnType<ApprovalWorld['queue']['execute']>>['next'];
    for (let pages = 0; pages < 5; pages += 1) {
      const page = await world.queue.execute(ada, { limit: 2, after });
      seen.push(...page.items.map(({ request }) => request.id));
      after = page.next;
      if (after === null) break;
    }
    expect(after).toBeNull();
    expect(seen).toEqual([...asked.slice(2), ...asked.slice(0, 2)]);
  });
});

describe('a claim', () => {
  const claimOf = async (request: ApprovalRequest): Promise<unknown> =>
    valueOf(await world.reading.overview(ada, request.id)).claim?.personId ?? null;

  it('says who looks at a request, keeps nobody from reviewing, and runs out', async () => {
    const cem = await world.person('SRELead');
    const request = await world.asked();
    const claim = valueOf(await world.claims.claim(ada, request.id));
    expect(claim.expiresAt - claim.claimedAt).toBe(15 * 60_000);
    expect(await claimOf(request)).toBe(ada.personId);
    expect(codeOf(await world.claims.claim(ben, request.id))).toBe('approval.claimed');
    expect(codeOf(await world.claims.claim(ada, request.id))).toBe('ok');
    expect(codeOf(await world.review(ben, request))).toBe('ok');

    await db.owner.query(
      "update approval_claim set claimed_at = claimed_at - interval '1 hour', expires_at = clock_timestamp() - interval '1 second' where request_id = $1",
      [request.id],
    );
    expect(await claimOf(request)).toBeNull();
    expect(codeOf(await world.claims.claim(cem, request.id))).toBe('ok');
    expect(codeOf(await world.claims.release(ada, request.id))).toBe('ok');
    expect(await claimOf(request)).toBe(cem.personId);
    expect(codeOf(await world.claims.release(cem, request.id))).toBe('ok');
    expect(await claimOf(request)).toBeNull();
    expect(world.audited.map(({ action }) => action).filter((action) => /claimed|released/.test(action))).toEqual([
      'approval_request.claimed',
      'approval_request.claimed',
      'approval_request.claimed',
      'approval_request.released',
    ]);
  });

  it('is for those who could approve, while it is open', async () => {
    const request = await world.asked();
    expect(codeOf(await world.claims.claim(world.stages.owner, request.id))).toBe('policy.denied');
    valueOf(await world.review(ada, request, 'reject'));
    expect(codeOf(await world.claims.claim(ben, request.id))).toBe('approval.already_decided');
  });
});

describe('reminders', () => {
  const tellAfter = async (request: ApprovalRequest, minutes: number): Promise<string[]> => {
    world.told.length = 0;
    await db.owner.query(
      `update approval_reminder set due_at = due_at - $2 * interval '1 minute' where request_id = $1`,
      [request.id, minutes],
    );
    await Promise.all([world.reminding.execute(100), world.reminding.execute(100)]);
    return world.told.flatMap(({ topic, payload }) =>
      topic === 'approval_request.reminder' && payload.request_id === request.id ? [payload.which] : [],
    );
  };

  it('come at half time and near the end, once each, whoever sweeps', async () => {
    const request = await world.asked({ timeout_minutes: 60 });
    expect(await tellAfter(request, 29)).toEqual([]);
    expect(await tellAfter(request, 1)).toEqual(['half_time']);
    expect(await tellAfter(request, 1)).toEqual([]);
    expect(await tellAfter(request, 23)).toEqual(['near_end']);
    expect(await tellAfter(request, 10)).toEqual([]);
  });

  it('are not sent of what was decided, nor of half time when the end is near', async () => {
    const decided = await world.asked();
    valueOf(await world.review(ada, decided, 'reject'));
    expect(await tellAfter(decided, 55)).toEqual([]);
    expect(await tellAfter(await world.asked(), 55)).toEqual(['near_end']);
  });

  it('go to the next role where the document says so, and let nobody review who may not', async () => {
    await world.autonomy({
      autonomy: {
        mode: 'plan_only',
        environments: {
          production: {
            mode: 'full_auto',
            allowed_approvers: ['SRELead'],
            escalation: { after_minutes: 10, to: ['PlatformAdmin'] },
          },
        },
      },
    });
    const request = await world.asked();
    expect(await tellAfter(request, 10)).toEqual(['escalated']);
    expect(valueOf(await world.reading.get(ada, request.id)).escalation).toMatchObject({
      roles: ['PlatformAdmin'],
      told: true,
    });
    expect(codeOf(await world.review(await world.person('PlatformAdmin'), request))).toBe('policy.denied');
  });
});

describe('T09: an agent that floods approvers', () => {
  it('asks the same in several tasks at once and gets one request', async () => {
    const spec = { agent: { model: 'same', version: '1' } };
    const first = await world.asked(spec);
    const again = await world.open.execute(world.stages.agent, await world.simulated(spec), { start: 'manual' });
    expect(valueOf(again)).toMatchObject({ created: false, request: { id: first.id } });
    valueOf(await world.review(ada, first, 'reject'));
    const after = await world.open.execute(world.stages.agent, await world.simulated(spec), { start: 'manual' });
    expect(valueOf(after).created).toBe(true);
  });

  it('is refused beyond what people can weigh in ten minutes, with how long to wait, and that is recorded once', async () => {
    const planId = await world.simulated();
    const request = valueOf(await world.open.execute(world.stages.agent, planId, { start: 'manual' })).request;
    for (let asked = 1; asked < MOST_REQUESTS; asked += 1) await world.asked();
    const next = await world.simulated();
    const refused = await Promise.all(
      [1, 2].map(() => world.open.execute(world.stages.agent, next, { start: 'manual' })),
    );
    expect(refused.map(codeOf)).toEqual(['approval.flood', 'approval.flood']);
    const [failure] = refused;
    expect(failure?.ok === false && failure.error).toMatchObject({ kind: 'rate_limited' });
    expect(failure?.ok === false && failure.error.retryAfterSeconds).toBeGreaterThan(0);
    expect(world.audited.filter(({ action }) => action === 'approval_request.throttled')).toHaveLength(1);
    expect(valueOf(await world.open.execute(world.stages.agent, planId, { start: 'manual' })).request.id).toBe(
      request.id,
    );
    await db.owner.query(
      "update approval_request set opened_at = opened_at - interval '10 minutes' where tenant_id = $1",
      [world.stages.tenantId],
    );
    expect(codeOf(await world.open.execute(world.stages.agent, next, { start: 'manual' }))).toBe('ok');
  }, 120_000);
});

describe('figures about approvals', () => {
  it('say how long decisions take, how many were given unread, and how often people overrode', async () => {
    const slow = await world.asked();
    const fast = await world.asked();
    const refused = await world.asked();
    await world.claims.seen(ada, slow.id);
    await world.claims.seen(ada, slow.id);
    await db.owner.query('alter table approval_look disable trigger user');
    await db.owner.query("update approval_look set first_at = first_at - interval '1 minute' where request_id = $1", [
      slow.id,
    ]);
    await db.owner.query('alter table approval_look enable trigger user');
    await world.claims.seen(ada, fast.id);
    for (const request of [slow, fast]) {
      valueOf(await world.review(ada, request));
      valueOf(await world.review(ben, request));
    }
    valueOf(await world.review(ben, refused, 'reject'));
    const period = { from: null, until: Date.now() + 60_000 };
    const { figures } = await world.statistics.execute(ada, 'agent', period);
    expect(figures).toEqual([
      {
        key: world.stages.agent.agentId,
        name: expect.any(String) as unknown,
        requests: 3,
        decided: 3,
        overridden: 1,
        rejected: 1,
        medianSeconds: expect.any(Number) as unknown,
        slowestTenthSeconds: expect.any(Number) as unknown,
        approvals: 4,
        approvalsAfterLook: 2,
        underFiveSeconds: 1,
        inSlack: 0,
        inSlackWithinFiveSeconds: 0,
      },
    ]);
    const byTool = await world.statistics.execute(ada, 'tool', period);
    expect(byTool.figures.map(({ key, requests }) => [key, requests])).toContainEqual(['execute_rollout_prod', 3]);
  });
});
