import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanDocument } from '#lib/formats';
import { newId, type RunId } from '#lib/kernel';
import type { Run } from '#lib/run';
import { newHost, phase, step, valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld, type RunWorld } from '../support/run-world.js';
import { keepTestKeyring } from '../support/seals.js';
import {
  packageWithTemporal,
  startTemporal,
  type TemporalEvent,
  type TemporalServer,
} from '../support/temporal-server.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

/** The first time, the server is built. */
const BUILT_WITHIN_MS = 1_800_000;
/** No look helps within a test: what happens, a signal did. */
const NO_LOOK = { COUNTERSIGN_SWEEP_MS: '60000' };
const OFTEN = { COUNTERSIGN_SWEEP_MS: '200' };

const data = mkdtempSync(join(tmpdir(), 'countersign-temporal-runs-'));
let temporal: TemporalServer;
let tools: ToolServer;
let world: RunWorld;
let worker: WorkerProcess | null = null;
let answerAfterMs = 0;

beforeAll(async () => {
  temporal = await startTemporal();
  tools = await toolServer({
    before: async () => {
      await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
      return true;
    },
  });
  keepTestKeyring(data);
  world = await runWorld({ toolServer: tools.url, timeLimitSeconds: 2, hints: true });
}, BUILT_WITHIN_MS);

afterEach(async () => {
  answerAfterMs = 0;
  await worker?.kill();
  worker = null;
});
afterAll(async () => {
  await temporal.stop();
  await tools.close();
  await world.close();
  rmSync(data, { recursive: true, force: true });
});

const embedded = (more: Readonly<Record<string, string>> = OFTEN): Readonly<Record<string, string>> => ({
  DATABASE_URL: world.db.url,
  COUNTERSIGN_DATA: data,
  COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(tools.url).host,
  COUNTERSIGN_LEASE_MARGIN_MS: '100',
  ...more,
});

async function work(kind: 'embedded' | 'temporal', more?: Readonly<Record<string, string>>): Promise<void> {
  worker =
    kind === 'embedded'
      ? await startWorkerProcess(embedded(more))
      : await startWorkerProcess({ ...embedded(more), ...temporal.settings }, packageWithTemporal(temporal));
}

/** Steps that may not be repeated, one after the other. */
const oneByOne = (count: number): PlanDocument => ({
  phases: [
    phase(
      'all',
      [newHost()],
      Array.from({ length: count }, (_, nth) => step(`deploy_${String(nth)}`)),
    ),
  ],
});

/** Two batches, and so many seconds between them. */
const withWait = (seconds: number): PlanDocument => ({
  phases: [phase('all', [newHost(), newHost()], [step('deploy')], { batch_percent: 50, wait_seconds: seconds })],
});

const inState = (id: RunId, state: Run['state']): Promise<true> =>
  until(async () => (await world.run(id)).state === state || null);

async function expectEachOnce(id: RunId): Promise<void> {
  const steps = await world.tx((tx) => world.runs.steps(tx, id));
  const arrived = steps.map(({ id: key }) => tools.ledger.filter((call) => call.key === key).length);
  expect({ states: new Set(steps.map(({ state }) => state)), arrived: new Set(arrived) }).toEqual({
    states: new Set(['succeeded']),
    arrived: new Set([1]),
  });
}

const ofType = (events: readonly TemporalEvent[], type: string): number =>
  events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`).length;

/** Every text of a history: its names, its values, and those that are base64, decoded. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value, Buffer.from(value, 'base64').toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
};

describe('a run through Temporal', () => {
  it('has the workflow of its id, its turns as activities, its waits as timers, and the share of its tenant', async () => {
    const { rows } = await world.db.owner.query<{ slug: string }>('select slug from tenant where id = $1', [
      world.tenantId,
    ]);
    await work('temporal', { ...OFTEN, COUNTERSIGN_TEMPORAL_WEIGHTS: `${rows[0]?.slug ?? ''}=3` });
    const { id } = await world.queued(withWait(2));
    await inState(id, 'completed');
    const told = await until(async () => {
      const now = await temporal.workflow(id);
      return now?.status === 'WORKFLOW_EXECUTION_STATUS_COMPLETED' ? now : null;
    });
    expect(told.priority).toEqual({ fairnessKey: world.tenantId, fairnessWeight: 3 });
    const events = await temporal.history(id);
    expect(ofType(events, 'ACTIVITY_TASK_SCHEDULED')).toBeGreaterThanOrEqual(4);
    // One after each batch.
    expect(ofType(events, 'TIMER_STARTED')).toBe(2);
    await expectEachOnce(id);
  }, 120_000);

  it('leaves ids and times in the history, also of a turn that failed', async () => {
    await work('temporal');
    await world.db.owner.query('alter table plan rename to plan_elsewhere');
    const found = world.queued(oneByOne(1)).catch(() => null);
    expect(await found).toBeNull();
    await world.db.owner.query('alter table plan_elsewhere rename to plan');
    const { id } = await world.queued(withWait(3));
    await until(async () => ofType(await temporal.history(id).catch(() => []), 'TIMER_STARTED') === 1 || null);
    await world.db.owner.query('alter table plan rename to plan_elsewhere');
    await until(async () => ofType(await temporal.history(id), 'TIMER_STARTED') >= 3 || null);
    await world.db.owner.query('alter table plan_elsewhere rename to plan');
    await inState(id, 'completed');
    const texts = textsOf(await temporal.history(id));
    expect(texts).toContain(world.tenantId);
    expect(texts).toContain('failed');
    for (const word of ['deploy', 'host-', 'plan', 'Operator', 'relation', hostname()])
      expect(texts.filter((text) => text.includes(word))).toEqual([]);
  }, 120_000);

  it.each([
    ['pause', 'paused'],
    ['cancel', 'cancelled'],
  ] as const)(
    'takes %s as a signal',
    async (request, state) => {
      await work('temporal', NO_LOOK);
      const { id } = await world.queued(withWait(3_000));
      await until(async () => ofType(await temporal.history(id).catch(() => []), 'TIMER_STARTED') === 1 || null);
      valueOf(await world.control.execute(world.person, id, request, null));
      await inState(id, state);
      if (state !== 'paused') return;
      valueOf(await world.resume.execute(world.person, id, 'go on'));
      await inState(id, 'executing');
    },
    120_000,
  );

  it('takes a halt as a signal', async () => {
    await work('temporal', NO_LOOK);
    const { id } = await world.queued(withWait(3_000));
    await until(async () => ofType(await temporal.history(id).catch(() => []), 'TIMER_STARTED') === 1 || null);
    const halt = await world.halt();
    await inState(id, 'paused');
    await world.lift(halt);
  }, 120_000);

  it('goes on in a new history once its own is long', async () => {
    await work('temporal', NO_LOOK);
    const host = newHost();
    const { id } = await world.queued({
      phases: Array.from({ length: 8 }, (_, nth) =>
        phase(
          `look_${String(nth)}`,
          [host],
          Array.from({ length: 50 }, (__, place) => step(`check_${String(nth)}_${String(place)}`, { tool: 'check' })),
        ),
      ),
    });
    await inState(id, 'completed');
    expect(textsOf((await temporal.history(id))[0])).toContain('continuedExecutionRunId');
    await expectEachOnce(id);
  }, 180_000);

  it('is not lost, nor its steps doubled, if workers change from Temporal to the embedded dispatcher and back', async () => {
    answerAfterMs = 150;
    const ids = [];
    for (let run = 0; run < 4; run += 1) ids.push((await world.queued(oneByOne(20))).id);
    const before = tools.ledger.length;
    const calls = (count: number) => until(() => tools.ledger.length >= before + count || null);
    for (const [kind, count] of [
      ['temporal', 15],
      ['embedded', 35],
      ['temporal', 55],
    ] as const) {
      await work(kind);
      await calls(count);
      expect(await worker?.terminate()).toBe(0);
    }
    await work('embedded');
    for (const id of ids) {
      await inState(id, 'completed');
      await expectEachOnce(id);
    }
  }, 180_000);

  it('is found by the look if Temporal forgot it', async () => {
    await work('temporal');
    const { id } = await world.queued(withWait(3));
    await until(async () => ofType(await temporal.history(id).catch(() => []), 'TIMER_STARTED') === 1 || null);
    await temporal.terminate(id);
    await inState(id, 'completed');
    await expectEachOnce(id);
  }, 120_000);

  it('goes on after the Temporal server was killed', async () => {
    answerAfterMs = 100;
    await work('temporal');
    const { id } = await world.queued(oneByOne(20));
    const before = tools.ledger.length;
    await until(() => tools.ledger.length >= before + 3 || null);
    await temporal.restart();
    await inState(id, 'completed');
    await expectEachOnce(id);
  }, 180_000);

  it('T19: of another tenant is not reached by a workflow that names it', async () => {
    const { id } = await world.queued(oneByOne(1));
    await world.db.owner.query("update run set next_at = now() + interval '1 hour' where id = $1", [id]);
    await work('temporal', NO_LOOK);
    const before = await world.run(id);
    await temporal.start(newId(), [newId(), id]);
    expect(await world.run(id)).toEqual(before);
    await temporal.start(newId(), ['x', "'; drop table run"]);
    valueOf(await world.control.execute(world.person, id, 'cancel', null));
    await inState(id, 'cancelled');
  }, 120_000);

  it('is refused at the start of a worker without the packages', async () => {
    await expect(startWorkerProcess({ ...embedded(), ...temporal.settings })).rejects.toThrow(
      'dispatcher.temporal_missing',
    );
  }, 60_000);
});
