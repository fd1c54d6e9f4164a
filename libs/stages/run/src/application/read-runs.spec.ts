import { newId, type RunId, type TenantId } from '#lib/kernel';
import { codeOf, failed, lost, newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const get = (id: RunId) => world().parts.read.get(world().tenantId, id);
const oneStep = (tool = 'deploy') => ({ phases: [phase('one', [newHost()], [step('a', { tool })])] });

describe('a run that is read', () => {
  it('comes with the reasons of its state', async () => {
    const planId = await world().plan(oneStep());
    await world().predict(planId);
    const run = valueOf(await world().parts.start.execute(world().agent, planId));
    await world().settle(run.id);
    const explained = valueOf(await get(run.id));
    expect(explained).toMatchObject({
      run: { id: run.id, state: 'completed' },
      environmentName: 'staging',
      steps: [{ stepId: 'a', state: 'succeeded' }],
      attempts: [{ outcome: 'succeeded', number: 1 }],
      health: [{ verdict: 'healthy' }],
      decision: { id: run.decisionId, decision: { outcome: 'allow' } },
      predicted: { affected_assets: 1 },
      resumeRefused: null,
    });
  });

  it('is there for its tenant alone', async () => {
    const run = await world().queued(oneStep());
    expect(codeOf(await get(newId<RunId>()))).toBe('resource.not_found');
    const elsewhere = newId<TenantId>();
    expect(codeOf(await world().parts.read.get(elsewhere, run.id))).toBe('resource.not_found');
    expect(codeOf(await world().parts.read.events(elsewhere, run.id, 0, 10))).toBe('resource.not_found');
    expect(await world().parts.read.list(elsewhere, {}, { limit: 10, after: null })).toEqual([]);
    expect(await world().parts.read.list(world().tenantId, {}, { limit: 10, after: null })).toEqual([run]);
  });

  it('names the refusal of a person who resumes it', async () => {
    world().behave(() => lost);
    const unknown = await world().queued(oneStep());
    await world().settle(unknown.id);
    expect(valueOf(await get(unknown.id)).resumeRefused?.code).toBe('run.effect_unknown');
    world().behave(() => failed('not_started'));
    const stuck = await world().queued(oneStep());
    await world().settle(stuck.id);
    expect(valueOf(await get(stuck.id)).resumeRefused?.code).toBe('run.step_failed');
    const free = await world().queued(oneStep('restart'));
    await world().settle(free.id);
    expect(valueOf(await get(free.id)).resumeRefused).toBeNull();
    await world().halt();
    expect(valueOf(await get(free.id)).resumeRefused?.code).toBe('halt.active');
  });

  it('tells its events in order, and when no more will come', async () => {
    const run = await world().queued(oneStep());
    const events = (afterSeq: number, limit = 100) =>
      world().parts.read.events(world().tenantId, run.id, afterSeq, limit);
    expect(valueOf(await events(0))).toMatchObject({ events: [{ seq: 1, type: 'run.created' }], ended: false });
    await world().settle(run.id);
    const first = valueOf(await events(0, 2));
    expect(first.events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(first.ended).toBe(false);
    const rest = valueOf(await events(2));
    expect(rest.events.at(-1)?.type).toBe('run.completed');
    expect(rest.ended).toBe(true);
    expect(valueOf(await events(100))).toEqual({ events: [], ended: true });
  });
});
