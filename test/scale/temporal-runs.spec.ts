import { hostname } from 'node:os';
import { newId, type RunId } from '#lib/kernel';
import { valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { startTemporal, type TemporalServer } from '../support/temporal-server.js';
import {
  NO_LOOK,
  OFTEN,
  ofType,
  oneByOne,
  temporalWorld,
  withWait,
  type TemporalWorld,
} from '../support/temporal-world.js';
import { BUILT_WITHIN_MS } from '../support/through-temporal.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

let temporal: TemporalServer;
let at: TemporalWorld;
let world: TemporalWorld['world'];
let tools: TemporalWorld['tools'];
let worker: WorkerProcess | null = null;

beforeAll(async () => {
  temporal = await startTemporal();
  at = await temporalWorld(temporal);
  ({ world, tools } = at);
}, BUILT_WITHIN_MS);

afterEach(async () => {
  at.answerAfter(0);
  await worker?.kill();
  worker = null;
});
afterAll(async () => {
  await temporal.stop();
  await at.close();
});

async function work(kind: 'embedded' | 'temporal', more?: Readonly<Record<string, string>>): Promise<void> {
  worker = await at.work(kind, more);
}

const untilItWaits = (id: RunId): Promise<true> =>
  until(async () => ofType(await temporal.history(at.workflowOf(id)).catch(() => []), 'TIMER_STARTED') === 1 || null);

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
    await at.inState(id, 'completed');
    const told = await until(async () => {
      const now = await temporal.workflow(at.workflowOf(id));
      return now?.status === 'WORKFLOW_EXECUTION_STATUS_COMPLETED' ? now : null;
    });
    expect(told.priority).toEqual({ fairnessKey: world.tenantId, fairnessWeight: 3 });
    const events = await temporal.history(at.workflowOf(id));
    // One before each wait, and one after them.
    expect(ofType(events, 'ACTIVITY_TASK_SCHEDULED')).toBeGreaterThanOrEqual(3);
    // One after each batch.
    expect(ofType(events, 'TIMER_STARTED')).toBe(2);
    await at.expectEachOnce(id);
  }, 120_000);

  it('leaves ids and times in the history, also of a turn that failed', async () => {
    await work('temporal');
    await world.db.owner.query('alter table plan rename to plan_elsewhere');
    const found = world.queued(oneByOne(1)).catch(() => null);
    expect(await found).toBeNull();
    await world.db.owner.query('alter table plan_elsewhere rename to plan');
    const { id } = await world.queued(withWait(3));
    await untilItWaits(id);
    await world.db.owner.query('alter table plan rename to plan_elsewhere');
    await until(async () => ofType(await temporal.history(at.workflowOf(id)), 'TIMER_STARTED') >= 3 || null);
    await world.db.owner.query('alter table plan_elsewhere rename to plan');
    await at.inState(id, 'completed');
    const texts = textsOf(await temporal.history(at.workflowOf(id)));
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
      await untilItWaits(id);
      valueOf(await world.control.execute(world.person, id, request, null));
      await at.inState(id, state);
      if (state !== 'paused') return;
      valueOf(await world.resume.execute(world.person, id, 'go on'));
      await at.inState(id, 'executing');
    },
    120_000,
  );

  it('takes a halt as a signal', async () => {
    await work('temporal', NO_LOOK);
    const { id } = await world.queued(withWait(3_000));
    await untilItWaits(id);
    const halt = await world.halt();
    await at.inState(id, 'paused');
    await world.lift(halt);
  }, 120_000);

  it('goes on in a new history once its own is long', async () => {
    await work('temporal', NO_LOOK);
    const { id } = await world.queued(withWait(3_000));
    await untilItWaits(id);
    const workflow = at.workflowOf(id);
    const first = await temporal.workflow(workflow);
    await until(async () => {
      // It is refused while the old history closes.
      await temporal.wake(workflow).catch(() => undefined);
      return (await temporal.workflow(workflow))?.runId !== first?.runId;
    });
    expect(textsOf((await temporal.history(workflow))[0])).toContain('continuedExecutionRunId');
    await until(async () => {
      await world.passTime(3_001);
      await temporal.wake(workflow);
      return (await world.run(id)).state === 'completed';
    });
    await at.expectEachOnce(id);
  }, 180_000);

  it('is not lost, nor its steps doubled, if workers change from Temporal to the embedded dispatcher and back', async () => {
    at.answerAfter(150);
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
      await at.inState(id, 'completed');
      await at.expectEachOnce(id);
    }
  }, 180_000);

  it('is found by the look if Temporal forgot it', async () => {
    await work('temporal');
    const { id } = await world.queued(withWait(3));
    await untilItWaits(id);
    await temporal.terminate(at.workflowOf(id));
    await at.inState(id, 'completed');
    await at.expectEachOnce(id);
  }, 120_000);

  it('goes on after the Temporal server was killed', async () => {
    at.answerAfter(100);
    await work('temporal');
    const { id } = await world.queued(oneByOne(20));
    const before = tools.ledger.length;
    await until(() => tools.ledger.length >= before + 3 || null);
    await temporal.restart();
    await at.inState(id, 'completed');
    await at.expectEachOnce(id);
  }, 180_000);

  it('T19: of another tenant is not reached by a workflow that names it', async () => {
    const { id } = await world.queued(oneByOne(1));
    await world.db.owner.query("update run set next_at = now() + interval '1 hour' where id = $1", [id]);
    await work('temporal', NO_LOOK);
    const before = await world.run(id);
    await temporal.start(newId(), at.installation, [newId(), id]);
    expect(await world.run(id)).toEqual(before);
    await temporal.start(newId(), at.installation, ['x', "'; drop table run"]);
    valueOf(await world.control.execute(world.person, id, 'cancel', null));
    await at.inState(id, 'cancelled');
  }, 120_000);

  it('is refused at the start of a worker without the packages', async () => {
    await expect(startWorkerProcess({ ...at.settings(), ...temporal.settings })).rejects.toThrow(
      'dispatcher.temporal_missing',
    );
  }, 60_000);
});
