import type { RunId } from '#lib/kernel';
import { fine, lost, newHost, phase, step, stepIdOf, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

describe('requests', () => {
  it('are taken between steps', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world().behave(async () => {
      if (world().calls.length === 1)
        valueOf(await world().parts.control.execute(world().person, run.id, 'pause', 'lunch'));
      return fine;
    });
    expect(await world().settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.pause_requested', message: 'lunch' },
    });
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'b:pending']);
    valueOf(await world().parts.resume.execute(world().person, run.id, null));
    expect((await world().settle(run.id)).state).toBe('completed');
  });

  it('cancel, and the task can be planned again', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 600 })] });
    await world().settle(run.id);
    valueOf(await world().parts.control.execute(world().agent, run.id, 'cancel', null));
    expect(await world().settle(run.id)).toMatchObject({
      state: 'cancelled',
      outcome: { not_undone: [{ why: 'not_rolled_back' }] },
    });
    expect(await world().taskState(run)).toBe('planned');
    expect(await world().parts.control.execute(world().person, run.id, 'pause', null)).toMatchObject({
      ok: false,
      error: { code: 'run.wrong_state' },
    });
  });
});

describe('a paused run that is resumed and asked for something at once', () => {
  const paused = async (): Promise<RunId> => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world().behave(async () => {
      if (world().calls.length === 1)
        valueOf(await world().parts.control.execute(world().person, run.id, 'pause', null));
      return fine;
    });
    expect((await world().settle(run.id)).state).toBe('paused');
    world().behave(() => fine);
    return run.id;
  };

  it.each([
    ['roll_back', 'rolled_back'],
    ['cancel', 'cancelled'],
  ] as const)('keeps to a %s that was accepted first', async (request, end) => {
    const id = await paused();
    valueOf(await world().parts.control.execute(world().person, id, request, 'not good'));
    expect(await world().parts.resume.execute(world().person, id, 'go on')).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'run.already_requested', details: { requested: request } },
    });
    expect((await world().settle(id)).state).toBe(end);
    expect(await world().eventTypes(id)).not.toContain('run.resumed');
  });

  it.each([
    ['roll_back', 'rolled_back'],
    ['cancel', 'cancelled'],
  ] as const)('takes a %s that comes after the resume', async (request, end) => {
    const id = await paused();
    valueOf(await world().parts.resume.execute(world().person, id, null));
    valueOf(await world().parts.control.execute(world().person, id, request, 'not good'));
    expect((await world().settle(id)).state).toBe(end);
    expect(await world().steps(id)).toContain('b:pending');
  });

  it('is rolled back if request and worker race, and loses no answer', async () => {
    for (let round = 0; round < 6; round += 1) {
      world().calls.length = 0;
      const id = await paused();
      const [resumed, cancelled, asked] = await Promise.all([
        world().parts.resume.execute(world().person, id, null),
        world().parts.control.execute(world().person, id, 'cancel', null),
        world().parts.control.execute(world().person, id, 'roll_back', 'not good'),
      ]);
      valueOf(asked);
      for (const other of [resumed, cancelled]) {
        if (!other.ok) expect(other.error.code).toBe('run.already_requested');
      }
      expect((await world().settle(id)).state).toBe('rolled_back');
    }
  });

  it('names the unknown step first, and then rolls back as requested', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a', { tool: 'restart' })])] });
    world().behave(() => lost);
    expect((await world().settle(run.id)).reason).toMatchObject({ code: 'run.effect_unknown' });
    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    expect(await world().parts.resume.execute(world().person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.effect_unknown' },
    });
    const stepId = await stepIdOf(world(), run.id, 'a');
    valueOf(
      await world().parts.resolve.execute(world().person, run.id, stepId, {
        effect: 'did_not',
        note: 'not in its log',
      }),
    );
    expect(await world().parts.resume.execute(world().person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.already_requested' },
    });
    expect((await world().settle(run.id)).state).toBe('rolled_back');
  });
});
