import { approvalWorld, type ApprovalWorld } from '../../../../../test/support/approval-world.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { keepPrecedent, keepPrecedents, type InventedPrecedent } from '../../../../../test/support/precedent-rows.js';
import { runWorld, type RunWorld } from '../../../../../test/support/run-world.js';
import { failed, fine, newHost, phase, step, undo } from '../../../../stages/run/src/fake-run-documents.js';
import { makeTenant } from '../../../../../test/database/arrange.js';
import { sqlOf } from '#lib/database';
import type { ApprovalRequest } from '#lib/approval';
import { newId, type AgentId, type TenantId } from '#lib/kernel';
import type { Question } from '../application/precedent.ports.js';
import { createPrecedents, createPrecedentStore } from '../create-precedents.js';
import { SqlPrecedents } from './sql-precedents.js';
import { sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';

const NOTHING: Question = { text: '', tools: [], environment: null, argumentKeys: [], targets: [], except: null };
const KEYS = ['image', 'targets'];

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const rollout = (goal: string, more: Partial<InventedPrecedent> = {}): InventedPrecedent => ({
  ...{ goal, tools: ['execute_rollout_prod'], environment: 'production', arguments: KEYS, targets: ['web-01'] },
  ...more,
});

describe('a search', () => {
  let tenant: TenantId;
  const mine = newId<AgentId>();
  const ids = { own: '', other: '', said: '', failed: '', restart: '' };
  const finding = () => createPrecedents({ uow: db.uow, rows: createPrecedentStore() }).findPrecedents;
  const person = () => samplePerson(tenant);
  const agent = () => ({ ...sampleAgent(person()), agentId: mine });
  const found = async (question: Partial<Question>, by = person()) =>
    (await finding().search(by, { ...NOTHING, ...question }, 10)).hits;
  const idsOf = async (text: string): Promise<readonly (string | null)[]> =>
    (await found({ text })).map((hit) => hit.precedent.id);

  beforeAll(async () => {
    tenant = await makeTenant(db.uow, 'acme');
    await db.uow.run(tenant, async (tx) => {
      ids.own = await keepPrecedent(tx, rollout('Replacing expired certificates, OPS-4711', { agentId: mine }));
      ids.other = await keepPrecedent(
        tx,
        rollout('Rotate the zebra credentials', { agentId: newId(), targets: ['db-77.fra.example'] }),
      );
      ids.said = await keepPrecedent(tx, rollout('Patch', { agentId: mine, said: 'the giraffe dashboard was red' }));
      ids.failed = await keepPrecedent(
        tx,
        rollout('Patch the kernel', { endedAs: 'rolled_back', targets: ['web-02'] }),
      );
      ids.restart = await keepPrecedent(tx, {
        ...{ goal: 'Restart the queue', tools: ['restart_service'], environment: 'staging', arguments: ['service'] },
      });
    });
  });

  it.each([
    ['a word by its stem', 'certificate expiration', 'own'],
    ['a word of others', 'giraffes', 'said'],
    ['a ticket', 'OPS-4711', 'own'],
    ['a ticket with a typing error', 'OPS-4171', 'own'],
    ['a part of a host', 'db-77', 'other'],
    ['a word with a typing error', 'zerba credentails', 'other'],
    ['a tool that is named', 'restart_service', 'restart'],
  ] as const)('finds %s', async (_what, text, which) => {
    expect((await idsOf(text))[0]).toBe(ids[which]);
  });

  it('finds the same structure, explains each hit, and puts a bad outcome first', async () => {
    const hits = await found({ tools: ['execute_rollout_prod'], environment: 'production', targets: ['web-01'] });
    expect(hits[0]).toMatchObject({
      ...{ precedent: { id: ids.failed }, ending: 'bad' },
      equal: ['the same tool execute_rollout_prod', 'the same environment production'],
      different: ['1 other target'],
    });
    expect(hits.map(({ precedent }) => precedent.id)).not.toContain(ids.restart);
  });

  it('tells the past of the same shape in one line', async () => {
    const question = { ...NOTHING, tools: ['execute_rollout_prod'], environment: 'production', argumentKeys: KEYS };
    expect((await finding().search(person(), question, 5)).line).toMatch(
      /^Asked 4 times before .*: 1 rolled back .*, 3 completed\.$/,
    );
  });

  it.each([{ environment: 'production' }, { argumentKeys: KEYS }, {}])(
    'says nothing of the past if the search leaves a part open: %j',
    async (given) => {
      const question = { ...NOTHING, tools: ['execute_rollout_prod'], ...given };
      expect((await finding().search(person(), question, 5)).line).toBeNull();
    },
  );

  it('takes a word of others for no word, if an agent asks', async () => {
    const tags = { tools: ['tag_host'], environment: 'staging' };
    const own = await db.uow.run(tenant, async (tx) => {
      await keepPrecedent(tx, { ...tags, goal: 'the gazele', agentId: newId() });
      return keepPrecedent(tx, { ...tags, goal: 'the gazelle', agentId: mine });
    });
    const { hits } = await finding().search(agent(), { ...NOTHING, text: 'gazele' }, 10);
    expect(hits.map(({ precedent }) => precedent.id)).toEqual([own]);
  });

  it('shows the bad outcome of a shape above sixty newer good ones', async () => {
    const shape = { tools: ['drain_host'], environment: 'staging', arguments: ['host'] };
    const bad = await db.uow.run(tenant, async (tx) => {
      const first = await keepPrecedent(tx, { ...shape, goal: 'first', endedAs: 'failed' });
      await keepPrecedents(
        tx,
        Array.from({ length: 60 }, () => ({ ...shape, goal: 'later' })),
      );
      return first;
    });
    const hits = await found({ tools: shape.tools, environment: 'staging', argumentKeys: shape.arguments });
    expect(hits[0]).toMatchObject({ precedent: { id: bad }, ending: 'bad' });
  });

  it.each([
    ['the words', 'deploy the parser', true],
    ['a typing error in each', 'deplooy the praser', true],
    ['a prefix that makes another word', 'undeploy the parser', false],
    ['another ticket', 'deploy the parser, OPS-4712', false],
  ])('says whether a precedent has every word: %s', async (what, text, whole) => {
    const other = await makeTenant(db.uow, what.replaceAll(' ', '-'));
    await db.uow.run(other, (tx) => keepPrecedent(tx, rollout('Deploy the parser, OPS-4711')));
    const { words } = await db.uow.run(other, (tx) => new SqlPrecedents().rank(tx, { ...NOTHING, text }, null));
    expect(words.map((one) => one.whole)).toEqual([whole]);
  });

  it('lets an agent find its own words, and of others structure alone', async () => {
    const search = async (text: string) =>
      (await finding().search(agent(), { ...NOTHING, text }, 10)).hits.map(({ precedent }) => precedent);
    expect((await search('certificates'))[0]).toMatchObject({
      id: ids.own,
      goal: 'Replacing expired certificates, OPS-4711',
    });
    expect(await search('zebra credentials')).toEqual([]);
    expect(await search('zerba')).toEqual([]);
    expect(await search('giraffe dashboard')).toEqual([]);
  });

  it('tells an agent of the targets of others no more than that they are those it names', async () => {
    const search = async (question: Partial<Question>) =>
      (await finding().search(agent(), { ...NOTHING, ...question }, 10)).hits;
    const others = { id: null, requestId: null, subject: { id: null }, goal: null, targets: ['db-77.fra.example'] };
    expect(await search({ text: 'db-77.fra.example' })).toEqual([
      expect.objectContaining({
        equal: ['the target db-77.fra.example'],
        precedent: expect.objectContaining({ ...others, subject: { type: 'plan', id: null } }) as unknown,
      }),
    ]);
    for (const text of ['db-77', 'db-78.fra.example', 'fra.example']) expect(await search({ text })).toEqual([]);
    const [hit] = await search({ targets: ['db-77.fra.example'] });
    expect(hit).toMatchObject({ precedent: others, equal: ['1 of 1 targets: db-77.fra.example'], different: [] });
    const shape = { tools: ['execute_rollout_prod'], environment: 'production', argumentKeys: KEYS };
    const seen = (await search({ ...shape, targets: ['web-01'] })).map(({ precedent }) => precedent);
    expect(seen.length).toBeGreaterThan(3);
    for (const precedent of seen.filter(({ agentId }) => agentId !== mine)) {
      expect(precedent).toMatchObject({ id: null, requestId: null, taskId: null });
      expect(['', 'web-01']).toContain(precedent.targets.join());
    }
  });

  it('finds nothing of another tenant', async () => {
    const elsewhere = samplePerson(await makeTenant(db.uow, 'umbrella'));
    const question = {
      text: 'certificates zebra OPS-4711',
      tools: ['execute_rollout_prod'],
      environment: 'production',
    };
    expect(await found(question, elsewhere)).toEqual([]);
  });
});

describe('the end of a run without a request', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await runWorld();
  }, 60_000);
  afterAll(() => world.close());

  it.each([
    ['completed', fine],
    ['rolled_back', failed('not_started')],
  ] as const)('writes a precedent of its own: %s', async (state, answer) => {
    const target = newHost();
    world.behave(({ tool, arguments: { targets } }) =>
      tool.name === 'deploy' && JSON.stringify(targets) === JSON.stringify([target]) ? answer : fine,
    );
    const deploy = step('deploy', { on_failure: 'rollback', compensate_with: undo });
    const run = await world.queued({ phases: [phase('all', [target], [deploy])] });
    expect(await world.settle(run.id)).toMatchObject({ state });
    const { rows } = await world.db.owner.query(
      'select id, request_id, run_id, ended_as, targets, agent_id from precedent where run_id = $1',
      [run.id],
    );
    expect(rows).toEqual([
      {
        id: run.id,
        request_id: null,
        run_id: run.id,
        ended_as: state,
        targets: [target],
        agent_id: world.agent.agentId,
      },
    ]);
  });
});

describe('the end of a run that a person planned for the task of an agent', () => {
  it('counts the words of each to its writer', async () => {
    const world = await runWorld();
    try {
      const target = newHost();
      const run = await world.queued({ phases: [phase('all', [target], [step('okapi')])] });
      await world.db.owner.query(
        `alter table plan disable trigger user;
         update plan set agent_id = null, person_id = '${world.person.personId}' where id = '${run.planId}';
         alter table plan enable trigger user`,
      );
      await world.settle(run.id);
      const { rows } = await world.db.owner.query(
        `select agent_id, person_id, goal_is_own, own_words like '%okapi%' as planned, said_words like '%' || goal || '%' as asked
           from precedent where run_id = $1`,
        [run.id],
      );
      const { personId } = world.person;
      expect(rows).toEqual([{ agent_id: null, person_id: personId, goal_is_own: false, planned: true, asked: true }]);
    } finally {
      await world.close();
    }
  }, 60_000);
});

describe('the end of a cancelled run', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await runWorld();
  }, 60_000);
  afterAll(() => world.close());

  it('counts the calls that changed something before', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 600 })] });
    await world.settle(run.id);
    expect(await world.control.execute(world.agent, run.id, 'cancel', null)).toMatchObject({ ok: true });
    expect(await world.settle(run.id)).toMatchObject({ state: 'cancelled' });
    const { rows } = await world.db.owner.query('select ended_as, effects from precedent where run_id = $1', [run.id]);
    expect(rows).toEqual([{ ended_as: 'cancelled', effects: 1 }]);
  });
});

describe('the end of a request', () => {
  let world: ApprovalWorld;
  beforeAll(async () => {
    world = await approvalWorld(db);
  }, 60_000);

  const rowsOf = async (id: string): Promise<readonly unknown[]> =>
    (
      await db.owner.query<Record<string, unknown>>(
        'select ended_as, tools, target_count, goal, said_words, because from precedent where id = $1',
        [id],
      )
    ).rows;

  it('writes its precedent in the same transaction, and finds it for the next request of that kind', async () => {
    const lea = await world.person('SRELead');
    const finding = createPrecedents({ uow: db.uow, rows: createPrecedentStore() }).findPrecedents;
    const lineOf = ({ id }: Pick<ApprovalRequest, 'id'>) =>
      db.uow.run(world.stages.tenantId, (tx) => finding.lineOf(tx, id));
    const request = await world.asked({ goal: 'Remediate drift, once' });
    expect(await rowsOf(request.id)).toEqual([]);
    expect(await lineOf(request)).toMatch(/^Not done before/);
    await world.review(lea, request, 'reject');
    expect(await lineOf(request)).toBeNull();
    expect(await rowsOf(request.id)).toEqual([
      expect.objectContaining({
        ...{
          ended_as: 'denied',
          tools: ['execute_rollout_prod', 'query_alerts'],
          target_count: 47,
          goal: 'Remediate drift, once',
        },
      }),
    ]);
    const next = await world.asked({ goal: 'Remediate drift, twice' });
    const found = await finding.ofRequest(lea, next.id, 5);
    expect(found).toMatchObject({
      value: {
        line: expect.stringContaining('once before') as string,
        hits: [{ ending: 'refused', precedent: { id: request.id, goal: 'Remediate drift, once' } }],
      },
    });
    expect(await lineOf(next)).toMatch(/^Asked once before .*: 1 denied\.$/);
  });

  it('is a question of its own agent alone', async () => {
    const request = await world.asked({ goal: 'Remediate drift, thrice' });
    const { findPrecedents } = createPrecedents({ uow: db.uow, rows: createPrecedentStore() });
    const { agent } = world.stages;
    expect(await findPrecedents.ofRequest(agent, request.id, 5)).toMatchObject({ ok: true });
    const other = { ...agent, agentId: newId<AgentId>() };
    expect(await findPrecedents.ofRequest(other, request.id, 5)).toMatchObject({
      error: { code: 'resource.not_found' },
    });
  });

  it('writes none if the transaction is rolled back', async () => {
    const request = await world.asked();
    const undone = db.uow.run(world.stages.tenantId, async (tx) => {
      await sqlOf(tx).execute(
        `update approval_request set state = 'denied', closed_at = clock_timestamp(), closed_reason = '{}' where id = $1`,
        [request.id],
      );
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await rowsOf(request.id)).toEqual([]);
  });
});
