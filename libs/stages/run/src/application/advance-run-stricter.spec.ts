import type { DispatchOutcome } from '#lib/dispatch';
import type { ExpandedPlan, PlanDocument } from '#lib/formats';
import { MASK, type RunId } from '#lib/kernel';
import {
  batchTargets,
  called,
  failed,
  fine,
  newHost,
  phase,
  step,
  SWAPPED_ARGUMENTS,
  undo,
  until,
  valueOf,
} from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

describe('T02: arguments swapped after the last check', () => {
  it.each(SWAPPED_ARGUMENTS)('%s, are never sent', async (_how, code, swap) => {
    const target = newHost();
    const run = await world().queued({
      phases: [phase('one', [target], [step('a', { arguments: { ...batchTargets, amount: 1 } })])],
    });
    await world().tamper(run.planId, (plan) => {
      if (plan.expansion === null) throw new Error('the plan has no expansion');
      const text = swap(plan.expansion.text, target);
      expect(text).not.toBe(plan.expansion.text);
      return { ...plan, expansion: { ...plan.expansion, text, plan: JSON.parse(text) as ExpandedPlan } };
    });
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code } });
    expect(world().calls).toEqual([]);
  });
});

describe('T32: what a tool answers', () => {
  const told = `password=hunter2hunter2, Bearer ${'x'.repeat(24)}`;
  const kept = { text: `password=${MASK}, Bearer ${MASK}`, api_key: MASK };

  it('is stored with the secrets in it masked', async () => {
    world().behave(() => ({ kind: 'succeeded', result: { text: told, api_key: 'hunter2hunter2' } }));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(await world().attempts(run.id)).toMatchObject([{ result: kept, error: null }]);
    const events = await world().events(run.id);
    expect(JSON.stringify(events)).toContain(MASK);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('is stored so as an error, too', async () => {
    world().behave(() => ({ kind: 'failed', effect: 'not_started', error: { code: 'tool.refused', message: told } }));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    await world().settle(run.id);
    expect(await world().attempts(run.id)).toMatchObject([{ error: { code: 'tool.refused', message: kept.text } }]);
  });
});

describe('T01: the executor gets another address in the middle of a run', () => {
  const approved = 'http://127.0.0.1:1';

  it('stops the way forward, and compensates at the approved address', async () => {
    const first = phase('one', [newHost()], [step('a', { compensate_with: undo })], { wait_seconds: 600 });
    const run = await world().queued({ phases: [first, phase('two', [newHost()], [step('b')])] });
    await world().settle(run.id);
    await world().moveToolServer('http://127.0.0.1:2');
    world().passTime(601);
    const paused = await world().settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(paused.reason?.reasons).toEqual([
      expect.objectContaining({ code: 'run.binding_changed', message: 'Changed since the approval: executors' }),
    ]);

    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    expect(await world().settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(world().calls.map((call) => `${call.tool.name} ${call.executor.url}`)).toEqual([
      `deploy ${approved}`,
      `undeploy ${approved}`,
    ]);
  });

  it('lets a run go on once the approved address is back', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    await world().moveToolServer('http://127.0.0.1:2');
    expect((await world().settle(run.id)).state).toBe('paused');
    expect(world().calls).toEqual([]);
    await world().moveToolServer(approved);
    valueOf(await world().parts.resume.execute(world().person, run.id, 'moved back'));
    expect((await world().settle(run.id)).state).toBe('completed');
  });
});

describe('T06: policy becomes stricter in the middle of a run', () => {
  const slow = (target: string): PlanDocument => ({
    phases: [phase('one', [target], [step('a')], { wait_seconds: 600 }), phase('two', [target], [step('b')])],
  });

  it('pauses at the next step, and says why', async () => {
    const run = await world().queued(slow(newHost()));
    await world().settle(run.id);
    world().autonomy({ autonomy: { mode: 'plan_only' } });
    world().passTime(601);
    const paused = await world().settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(paused.reason?.reasons?.map((reason) => reason.code)).toContain('run.stricter');
    expect(world().calls).toHaveLength(1);
  });

  it('is not touched by an unrelated edit', async () => {
    const run = await world().queued(slow(newHost()));
    await world().settle(run.id);
    world().autonomy({ autonomy: { mode: 'full_auto', environments: { production: { mode: 'plan_only' } } } });
    world().passTime(601);
    expect((await world().settle(run.id)).state).toBe('completed');
  });
});

describe('T35: a halt', () => {
  it('is told to policy before each step, also if nothing paused the run for it', async () => {
    world().behave(async () => {
      await world().haltBehindItsBack();
      return fine;
    });
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    const paused = await world().settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(paused.reason?.reasons?.map(({ code }) => code)).toEqual(['halt.active']);
    expect(world().calls).toHaveLength(1);
  });

  it('stops the way forward, lists the dispatched calls, and lets a rollback work', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world().behave((order) => (order.tool.name === 'undeploy' ? fine : new Promise((resolve) => (answer = resolve))));
    const run = await world().queued({
      phases: [phase('one', [newHost()], [step('a', { compensate_with: undo }), step('b')])],
    });
    await world().parts.advance.execute(world().tenantId, run.id);
    const inFlight = world().parts.advance.execute(world().tenantId, run.id);
    await until(() => world().calls.length === 1);

    const halt = await world().halt();
    expect(halt.effect).toMatchObject({
      pausedRuns: [run.id],
      inFlight: [{ run_id: run.id, step_id: 'a', tool: 'deploy@1', attempt: 1 }],
    });
    answer(fine);
    await inFlight;
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.halted' } });
    expect(world().calls).toHaveLength(1);

    expect(await world().parts.resume.execute(world().person, run.id, 'try')).toMatchObject({
      ok: false,
      error: {
        code: 'halt.active',
        message: 'A halt of everything is in force, set by Operator: something is wrong',
        action: expect.stringContaining('lifted by PlatformAdmin or SRELead') as string,
        details: { halt_id: halt.id, set_by: { kind: 'person' } },
      },
    });
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.halted' } });

    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    expect(await world().settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(called(world()).at(-1)).toMatch(/^undeploy /);
    await world().lift(halt);
  });
});

describe('a halt of a tool', () => {
  it('keeps a run from being resumed that still has to call it, and no other', async () => {
    world().behave(() => failed('not_started'));
    const runs = [
      await world().queued({ phases: [phase('one', [newHost()], [step('a', { tool: 'restart' }), step('b')])] }),
      await world().queued({ phases: [phase('one', [newHost()], [step('a', { tool: 'restart' })])] }),
    ];
    for (const run of runs) expect(await world().settle(run.id)).toMatchObject({ state: 'paused' });
    const halt = await world().halt({ kind: 'tool', tool: 'deploy' });
    const outcomes = [];
    for (const run of runs) outcomes.push(await world().parts.resume.execute(world().person, run.id, null));
    expect(outcomes).toMatchObject([
      { ok: false, error: { code: 'halt.active', details: { halt_id: halt.id, kind: 'tool' } } },
      { ok: true, value: { state: 'executing' } },
    ]);
    await world().lift(halt);
    expect(await world().parts.resume.execute(world().person, runs[0]?.id ?? ('' as RunId), null)).toMatchObject({
      ok: true,
    });
  });
});

describe('T35: a halt that comes while a call stands still', () => {
  it('keeps the call from leaving, and a call that undoes something not', async () => {
    const asked: string[] = [];
    world().behave(async (order) => {
      const halt = await world().halt();
      const until = await world().tx(async (tx) => order.mayLeaveUntil?.(tx) ?? null);
      asked.push(`${order.tool.name} ${until === null ? 'stays' : 'leaves'}`);
      await world().lift(halt);
      return order.arguments.targets !== undefined && asked.length === 2 ? failed('done') : fine;
    });
    const steps = [step('a', { compensate_with: undo }), step('b', { on_failure: 'rollback' })];
    const run = await world().queued({ phases: [phase('one', [newHost()], steps)] });
    await world().settle(run.id);
    valueOf(await world().parts.resume.execute(world().person, run.id, null));
    await world().settle(run.id);
    const paused = await world().run(run.id);
    if (paused.state === 'paused')
      valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    expect(await world().settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(asked).toEqual(['deploy stays', 'deploy stays', 'undeploy leaves']);
  });
});
