import type { DecisionId, TenantId } from '#lib/kernel';
import { loadPolicyEngine, createDecisionLog, type LoggedDecision } from '#lib/policy';
import { approvalWorld } from '../../../../../test/support/approval-world.js';
import type { TestDatabase } from '../../../../../test/support/database.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { sampleDecision } from '../../../../rules/policy/src/application/fake-decision.js';
import { sampleOf } from '../domain/strata.js';
import { SqlStoredDecisions } from './sql-stored-decisions.js';

const { bundle } = loadPolicyEngine();
const DAY = 86_400_000;
const now = Date.now();
const period = { since: now - DAY, until: now + DAY };

/** An id of a moment; its end decides whether a sample has it. */
const idAt = (at: number, end: number): DecisionId =>
  `${at
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2')}-7000-8000-${end.toString(16).padStart(12, '0')}` as DecisionId;

describe('the reader of stored decisions', () => {
  const stored = new SqlStoredDecisions();
  let db: TestDatabase;
  let home: TenantId;
  let other: TenantId;
  const logged: LoggedDecision[] = [];
  beforeAll(async () => {
    const world = await postgresWorld();
    ({ db } = world);
    [home, other] = [world.home.tenantId, world.other.tenantId];
    for (let index = 0; index < 40; index += 1)
      logged.push({ ...sampleDecision(bundle), id: idAt(now + Math.floor(index / 3), index) });
    const outside = [period.since - 1, period.until].map((at) => ({ ...sampleDecision(bundle), id: idAt(at, 1) }));
    await db.uow.run(home, async (tx) => {
      for (const one of [...logged, ...outside]) await createDecisionLog().record(tx, one, bundle);
    });
  });

  const all = async (most: number, limit = 7) => {
    const strata = sampleOf([{ entrypoint: 'plan', outcome: 'deny', total: 40 }], most).map((one) => ({
      ...one,
      part: most / 40,
    }));
    const found: string[] = [];
    for (let after: string | null = null; ; after = found.at(-1) ?? null) {
      const from = { after, strata, limit };
      const batch = await db.uow.run(home, (tx) => stored.batch(tx, period, from));
      found.push(...batch.map(({ id }) => id));
      if (batch.length < limit) return found;
    }
  };

  it('counts the decisions of a period, of its own tenant', async () => {
    expect(await db.uow.run(home, (tx) => stored.count(tx, period))).toEqual([
      { entrypoint: 'plan', outcome: 'deny', total: 40 },
    ]);
    expect(await db.uow.run(other, (tx) => stored.count(tx, period))).toEqual([]);
  });

  it('reads each decision once, batch by batch, in the order of the log', async () => {
    expect(await all(40)).toEqual(logged.map(({ id }) => id));
    const from = { after: null, strata: [{ entrypoint: 'plan', outcome: 'deny', total: 1, part: 1 }], limit: 5 };
    expect(await db.uow.run(other, (tx) => stored.batch(tx, period, from))).toEqual([]);
    const [first] = await db.uow.run(home, (tx) => stored.batch(tx, period, from));
    const { id, entrypoint, input, inputDigest, decision, decidedAt, about } = logged[0] ?? sampleDecision(bundle);
    expect(first).toMatchObject({ id, entrypoint, input, inputDigest, decision, decidedAt, ...about });
  });

  it('takes the same sample every time, whatever the size of the batches', async () => {
    const sample = await all(20);
    expect(sample.length).toBeGreaterThan(8);
    expect(sample.length).toBeLessThan(32);
    expect(await all(20, 3)).toEqual(sample);
    const larger = await all(30);
    expect(larger).toEqual(expect.arrayContaining(sample));
  });

  it.each<[string, string, string]>([
    ['an unknown entrypoint', 'entrypoint', `'gone'`],
    ['an input that is no object', 'input', `'[]'`],
    ['a result without reasons', 'result', `'{"outcome": "deny"}'`],
    ['a place that is none', 'within', `'[{"type": "plan", "id": 7}]'`],
    ['a place without an id', 'within', `'[{"type": "plan"}]'`],
  ])('gives a row with %s as malformed, and the others as they are', async (_what, column, value) => {
    const {
      db: own,
      home: { tenantId },
    } = await postgresWorld();
    const [bad, good] = [idAt(now, 1), idAt(now, 2)];
    await own.uow.run(tenantId, async (tx) => {
      for (const id of [bad, good]) await createDecisionLog().record(tx, { ...sampleDecision(bundle), id }, bundle);
    });
    await own.owner.query('alter table decision disable trigger user');
    await own.owner.query(`update decision set ${column} = ${value} where id = $1`, [bad]);
    await own.owner.query('alter table decision enable trigger user');
    const strata = await own.uow.run(tenantId, (tx) => stored.count(tx, period));
    const from = { after: null, strata: sampleOf(strata, 10), limit: 5 };
    expect(await own.uow.run(tenantId, (tx) => stored.batch(tx, period, from))).toMatchObject([
      { id: bad, malformed: true, decision: { outcome: 'deny' } },
      { id: good, entrypoint: 'plan' },
    ]);
  });

  it('names the agent of the plan, also if another one acts on it', async () => {
    const { stages, simulated, asked, person, review } = await approvalWorld(db);
    const request = await asked();
    await review(await person('PlatformAdmin'), request);
    await simulated();
    const entrypoints = ['plan', 'review'] as const;
    const strata = entrypoints.flatMap((entrypoint) =>
      ['allow', 'deny', 'require_approval'].map((outcome) => ({ entrypoint, outcome, total: 1, part: 1 })),
    );
    const from = { after: null, strata, limit: 100 };
    const batch = await stages.inTenant((tx) => stored.batch(tx, period, from));
    expect(new Set(batch.map(({ entrypoint }) => entrypoint))).toEqual(new Set(entrypoints));
    expect(new Set(batch.map(({ agent }) => agent))).toEqual(new Set([stages.agent.agentId]));
  });
});
