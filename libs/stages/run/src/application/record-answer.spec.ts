import type { DispatchOutcome } from '#lib/dispatch';
import { digestOf, MASK } from '#lib/kernel';
import { attemptDocument } from '../domain/evidence-documents.js';
import { isFinishedAttempt } from '../domain/step-attempt.js';
import { failed, fine, lost, newHost, phase, step, until, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const oneStep = (tool = 'deploy') => ({ phases: [phase('one', [newHost()], [step('a', { tool })])] });

describe('an answer', () => {
  it.each<[string, DispatchOutcome, string, object]>([
    ['of a success', fine, 'a:succeeded', { outcome: 'succeeded', effect: null, result: { ok: true }, error: null }],
    ['of a refusal', failed('not_started'), 'a:failed', { outcome: 'failed', effect: 'not_started', result: null }],
    ['of a failure half-way', failed('done'), 'a:failed', { outcome: 'failed', effect: 'done', result: null }],
    ['that never came', lost, 'a:unknown', { outcome: 'unknown', effect: null, result: null }],
  ])('%s is kept with its attempt, and moves the step', async (_what, outcome, state, kept) => {
    world().behave(() => outcome);
    const run = await world().queued(oneStep());
    await world().settle(run.id);
    expect(await world().steps(run.id)).toEqual([state]);
    const [attempt] = await world().attempts(run.id);
    expect(attempt).toMatchObject({ ...kept, finishedAt: world().uow.now, lateAt: null });
    expect(await world().events(run.id)).toContainEqual(
      expect.objectContaining({
        type: `run.step_${outcome.kind}`,
        data: expect.objectContaining({ attempt: 1, state: state.slice(2), outcome: outcome.kind }) as object,
      }),
    );
  });

  it('is evidence: its audit entry names the digest of the attempt as it then stands', async () => {
    const run = await world().queued(oneStep());
    await world().settle(run.id);
    const attempts = (await world().attempts(run.id)).filter(isFinishedAttempt);
    const entry = world()
      .audit.of(world())
      .find(({ action }) => action === 'run.step_succeeded');
    expect(entry?.evidence).toEqual(
      attempts.map((attempt) => ({
        kind: 'attempt',
        id: attempt.id,
        digest: digestOf('attempt', attemptDocument(attempt)),
      })),
    );
    expect(attempts).toHaveLength(1);
  });

  it('is kept without the secrets in it', async () => {
    world().behave(() => ({ kind: 'unknown', error: { code: 'tool.odd', message: 'password=hunter2hunter2' } }));
    const run = await world().queued(oneStep());
    await world().settle(run.id);
    const [attempt] = await world().attempts(run.id);
    expect(attempt?.error).toEqual({ code: 'tool.odd', message: `password=${MASK}` });
  });

  it('that comes twice too late is kept once, and every time it is told', async () => {
    const answers: ((outcome: DispatchOutcome) => void)[] = [];
    world().behave(() => new Promise((resolve) => answers.push(resolve)));
    const run = await world().queued(oneStep('restart'));
    const advance = () => world().parts.advance.execute(world().tenantId, run.id);
    await advance();
    const first = advance();
    await until(() => answers.length === 1);
    world().passTime(60);
    const second = advance();
    await until(() => answers.length === 2);
    answers[0]?.({ kind: 'succeeded', result: { from: 'the first' } });
    await first;
    expect(await world().steps(run.id)).toEqual(['a:dispatched']);
    answers[1]?.({ kind: 'succeeded', result: { from: 'the second' } });
    await second;
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(await world().attempts(run.id)).toMatchObject([
      { outcome: 'unknown', error: { code: 'run.worker_lost' }, lateResult: { result: { from: 'the first' } } },
      { outcome: 'succeeded', result: { from: 'the second' }, lateResult: null },
    ]);
    expect((await world().eventTypes(run.id)).filter((type) => type === 'run.late_answer')).toHaveLength(1);
  });

  it('that comes after the run has ended changes nothing but its events', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world().behave(() => new Promise((resolve) => (answer = resolve)));
    const run = await world().queued(oneStep());
    await world().parts.advance.execute(world().tenantId, run.id);
    const slow = world().parts.advance.execute(world().tenantId, run.id);
    await until(() => world().calls.length === 1);
    world().passTime(60);
    await world().settle(run.id);
    const [left] = await world().tx((tx) => world().runs.steps(tx, run.id));
    if (left === undefined) throw new Error('no step');
    const { resolve, control } = world().parts;
    valueOf(await resolve.execute(world().person, run.id, left.id, { effect: 'did_not', note: 'looked' }));
    valueOf(await control.execute(world().person, run.id, 'cancel', null));
    const ended = await world().settle(run.id);
    expect(ended.state).toBe('cancelled');
    world().passTime(60);
    answer(fine);
    await slow;
    expect(await world().run(run.id)).toEqual({ ...ended, eventCount: ended.eventCount + 1 });
    expect((await world().eventTypes(run.id)).at(-1)).toBe('run.late_answer');
  });

  it('is kept although the turn after it cannot be taken, which the next turn tells', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world().behave(async () => {
      await world().tx((tx) => {
        world().runs.forge(tx, run.id);
        return Promise.resolve();
      });
      return fine;
    });
    await expect(world().settle(run.id)).rejects.toMatchObject({ failure: { code: 'record.not_authentic' } });
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'b:pending']);
    expect(world().calls).toHaveLength(1);
  });

  it('is written once, also if the worker did not hear of the commit', async () => {
    const run = await world().queued(oneStep());
    const commit = world().uow.run.bind(world().uow);
    world().behave(() => {
      jest.spyOn(world().uow, 'run').mockImplementationOnce(async (tenantId, work) => {
        await commit(tenantId, work);
        throw new Error('the connection was lost');
      });
      return fine;
    });
    await world().settle(run.id);
    expect((await world().eventTypes(run.id)).filter((type) => /answer|succeeded/.test(type))).toEqual([
      'run.step_succeeded',
    ]);
    expect(await world().attempts(run.id)).toMatchObject([{ outcome: 'succeeded', lateAt: null }]);
  });

  it('and the next call are written together, but not by a worker that stops', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    const { advance } = world().parts;
    await advance.execute(world().tenantId, run.id, () => true);
    const transactions = jest.spyOn(world().uow, 'run');
    const again = await advance.execute(world().tenantId, run.id, () => world().calls.length < 2);
    expect(again).toEqual({ when: 'now' });
    expect(transactions).toHaveBeenCalledTimes(3);
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'b:succeeded']);
  });
});
