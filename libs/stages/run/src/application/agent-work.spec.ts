import type { PlanDocument } from '#lib/formats';
import { type AgentPrincipal, type AgentId, newId, type RunId } from '#lib/kernel';
import { attemptDocument } from '../domain/evidence-documents.js';
import { isFinishedAttempt } from '../domain/step-attempt.js';
import { codeOf, newHost, phase, step, undo, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';
import type { WorkItem } from './agent-work.js';
import type { AttemptReport } from './report-attempt.js';

const world = worldOfTest({ executor: 'agent' });

type Step = PlanDocument['phases'][number]['steps'][number];
const planOf = (...steps: Partial<Step>[]): PlanDocument => ({
  phases: [
    phase(
      'one',
      [newHost()],
      steps.map((each, index) => step(`step_${String(index)}`, each)),
    ),
  ],
});

/** A run with its first call there for the agent. */
async function offered(...steps: Partial<Step>[]): Promise<{ readonly runId: RunId; readonly item: WorkItem }> {
  const { id } = await world().queued(planOf(...steps));
  await world().settle(id);
  return { runId: id, item: await workOf(id) };
}

async function workOf(runId: RunId): Promise<WorkItem> {
  const [item] = valueOf(await world().parts.work.execute(world().agent, runId));
  if (item === undefined) throw new Error('there is nothing for the agent to do');
  return item;
}

const done = (item: WorkItem, more: Partial<AttemptReport> = {}): AttemptReport => ({
  jti: item.grant,
  argumentsDigest: item.attempt.argumentsDigest,
  outcome: { kind: 'succeeded', result: { by: 'hand' } },
  ...more,
});

const report = async (runId: RunId, item: WorkItem, more: Partial<AttemptReport> = {}) =>
  world().parts.report.execute(world().agent, runId, item.attempt.id, done(item, more));

const stranger = (): AgentPrincipal => ({ ...world().agent, agentId: newId<AgentId>() });

describe('calls that the agent carries out itself', () => {
  it('are offered to it one by one, reported, and shown as unverified', async () => {
    const { runId, item } = await offered({}, { tool: 'restart' });
    expect(item).toMatchObject({
      arguments: { targets: item.attempt.targets },
      idempotencyKey: item.step.id,
    });
    expect(world().calls).toEqual([]);
    expect((await workOf(runId)).grant).toBe(item.grant);
    valueOf(await report(runId, item));
    await world().settle(runId);
    valueOf(await report(runId, await workOf(runId)));
    expect((await world().settle(runId)).state).toBe('completed');

    const attempts = await world().attempts(runId);
    expect(attempts.filter(isFinishedAttempt).map(attemptDocument)).toEqual([
      expect.objectContaining({ agent_id: world().agent.agentId, unverified: true, executor_version: 1 }),
      expect.objectContaining({ agent_id: world().agent.agentId, unverified: true, result: { by: 'hand' } }),
    ]);
    const events = await world().events(runId);
    expect(events.filter((event) => event.type === 'run.step_succeeded')).toEqual([
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'agent' }) as object,
        data: expect.objectContaining({ unverified: true }) as object,
      }),
      expect.anything(),
    ]);
  });

  it('are undone by it, too', async () => {
    const { runId, item } = await offered({ compensate_with: undo }, { on_failure: 'rollback' });
    valueOf(await report(runId, item));
    await world().settle(runId);
    const failure = { kind: 'failed', effect: 'not_started', error: { code: 'no', message: 'could not' } } as const;
    valueOf(await report(runId, await workOf(runId), { outcome: failure }));
    await world().settle(runId);
    const back = await workOf(runId);
    expect(back.attempt.purpose).toBe('compensation');
    valueOf(await report(runId, back));
    expect((await world().settle(runId)).state).toBe('rolled_back');
  });

  it('are neither shown to anybody else nor reported by them', async () => {
    const { runId, item } = await offered({});
    expect(valueOf(await world().parts.work.execute(stranger(), runId))).toEqual([]);
    expect(valueOf(await world().parts.work.execute(world().person, runId))).toEqual([]);
    for (const by of [stranger(), world().person]) {
      const refused = await world().parts.report.execute(by, runId, item.attempt.id, done(item));
      expect(codeOf(refused)).toBe('run_attempt.not_yours');
    }
    const other = await offered({});
    expect(codeOf(await report(other.runId, item))).toBe('resource.not_found');
    expect((await world().steps(runId))[0]).toBe('step_0:dispatched');
  });

  it('are offered again if they are idempotent and not reported', async () => {
    const { runId, item } = await offered({ tool: 'restart' });
    world().passTime(60);
    await world().settle(runId);
    const again = await workOf(runId);
    expect(again.attempt.number).toBe(2);
    expect(again.idempotencyKey).toBe(item.idempotencyKey);
    expect(codeOf(await report(runId, item))).toBe('run_attempt.late');
    valueOf(await report(runId, again));
    expect((await world().settle(runId)).state).toBe('completed');
  });

  it('are not handed out once a halt has come (T35)', async () => {
    const { id } = await world().queued(planOf({}));
    await world().settle(id);
    const halt = await world().halt();
    expect(valueOf(await world().parts.work.execute(world().agent, id))).toEqual([]);
    await world().lift(halt);
  });
});

describe('the end of a run', () => {
  it('is told to the metrics once, after its commit', async () => {
    const ends: string[] = [];
    world().parts.advance.onEnd((state) => ends.push(state));
    const { runId, item } = await offered({});
    valueOf(await report(runId, item));
    await world().settle(runId);
    await world().settle(runId);
    const second = await offered({});
    valueOf(
      await report(second.runId, second.item, {
        outcome: { kind: 'failed', effect: 'not_started', error: { code: 'no', message: 'no' } },
      }),
    );
    await world().settle(second.runId);
    valueOf(await world().parts.control.execute(world().person, second.runId, 'cancel', null));
    await world().settle(second.runId);
    expect(ends).toEqual(['completed', 'cancelled']);
  });
});
