import type { PersonPrincipal } from '#lib/kernel';
import { valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { approvalWorld, type ApprovalWorld } from '../support/approval-world.js';
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

describe('statistics about approvals', () => {
  it('say how long decisions take, how many were given unread, and how often people overrode', async () => {
    const slow = await world.asked();
    const fast = await world.asked();
    const refused = await world.asked();
    await world.claims.seen(ada, slow.id);
    await world.claims.seen(ada, slow.id);
    await world.claims.seen(ada, fast.id);
    for (const request of [slow, fast]) {
      valueOf(await world.review(ada, request));
      valueOf(await world.review(ben, request));
    }
    // A minute and a second from the look to the review, however long the machine took.
    await db.owner.query('alter table approval_look disable trigger user');
    await db.owner.query(
      `update approval_look look
          set first_at = review.created_at - case when look.request_id = $1 then interval '1 minute' else interval '1 second' end
         from review where review.request_id = look.request_id and review.person_id = look.person_id`,
      [slow.id],
    );
    await db.owner.query('alter table approval_look enable trigger user');
    valueOf(await world.review(ben, refused, 'reject'));
    const period = { from: null, until: Date.now() + 60_000 };
    const { statistics } = await world.statistics.execute(ada, 'agent', period);
    expect(statistics).toEqual([
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
    expect(byTool.statistics.map(({ key, requests }) => [key, requests])).toContainEqual(['execute_rollout_prod', 3]);
  });
});
