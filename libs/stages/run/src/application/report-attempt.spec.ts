import type { DispatchOutcome } from '#lib/dispatch';
import { MASK, newId, type RunId } from '#lib/kernel';
import type { AttemptId } from '../domain/ids.js';
import { codeOf, failed, fine, newHost, phase, step, stepIdOf, valueOf } from '../fake-run-documents.js';
import { FakeRunWorld, worldOfTest } from '../fake-run-world.js';
import type { WorkItem } from './agent-work.js';
import type { AttemptReport } from './report-attempt.js';

const world = worldOfTest({ executor: 'agent' });

const oneStep = (tool = 'deploy') => ({ phases: [phase('one', [newHost()], [step('a', { tool })])] });

/** A run with one call, which the agent has fetched. */
async function offered(tool?: string): Promise<{ readonly runId: RunId; readonly item: WorkItem }> {
  const { id } = await world().queued(oneStep(tool));
  await world().settle(id);
  const [item] = valueOf(await world().parts.work.execute(world().agent, id));
  if (item === undefined) throw new Error('there is nothing for the agent to do');
  return { runId: id, item };
}

const report = (runId: RunId, item: WorkItem, more: Partial<AttemptReport> = {}) =>
  world().parts.report.execute(world().agent, runId, item.attempt.id, {
    jti: item.grant,
    argumentsDigest: item.attempt.argumentsDigest,
    outcome: { kind: 'succeeded', result: { by: 'hand' } },
    ...more,
  });

describe('a report', () => {
  it.each<[string, DispatchOutcome, string]>([
    ['success', fine, 'a:succeeded'],
    ['failure', failed('done'), 'a:failed'],
    ['doubt', { kind: 'unknown', error: { code: 'agent.lost', message: 'it hung' } }, 'a:unknown'],
  ])('of a %s moves the step, and wakes the run', async (_what, outcome, state) => {
    const { runId, item } = await offered();
    const jobs = world().jobs.of(world()).length;
    expect(codeOf(await report(runId, item, { outcome }))).toBe('ok');
    expect(await world().steps(runId)).toEqual([state]);
    expect(world().jobs.of(world()).slice(jobs)).toMatchObject([{ name: 'run.advance', id: runId }]);
  });

  it('is kept without the secrets in it', async () => {
    const { runId, item } = await offered();
    valueOf(await report(runId, item, { outcome: { kind: 'succeeded', result: { api_key: 'hunter2hunter2' } } }));
    expect(await world().attempts(runId)).toMatchObject([{ result: { api_key: MASK } }]);
  });

  it('names an attempt of the run', async () => {
    const { runId, item } = await offered();
    expect(codeOf(await report(newId<RunId>(), item))).toBe('resource.not_found');
    const nothing = { ...item, attempt: { ...item.attempt, id: newId<AttemptId>() } };
    expect(codeOf(await report(runId, nothing))).toBe('resource.not_found');
  });

  it('is refused for a call that an executor was sent', async () => {
    const sent = await FakeRunWorld.open();
    const run = await sent.queued(oneStep());
    await sent.settle(run.id);
    const [attempt] = await sent.attempts(run.id);
    if (attempt === undefined) throw new Error('nothing was sent');
    const { id, argumentsDigest } = attempt;
    const said = { jti: id, argumentsDigest, outcome: fine };
    expect(codeOf(await sent.parts.report.execute(sent.agent, run.id, id, said))).toBe('run_attempt.not_yours');
  });

  it('is made under the grant that was fetched', async () => {
    const { id } = await world().queued(oneStep());
    await world().settle(id);
    const [attempt] = await world().attempts(id);
    if (attempt === undefined) throw new Error('nothing was offered');
    const blind = { jti: attempt.id, argumentsDigest: attempt.argumentsDigest, outcome: fine };
    const refused = await world().parts.report.execute(world().agent, id, attempt.id, blind);
    expect(codeOf(refused)).toBe('run_attempt.grant_differs');
    const { runId, item } = await offered();
    expect(codeOf(await report(runId, item, { jti: newId() }))).toBe('run_attempt.grant_differs');
  });

  it('is made of the arguments that were approved', async () => {
    const { runId, item } = await offered();
    expect(codeOf(await report(runId, item, { argumentsDigest: 'sha256:0' }))).toBe('run_attempt.arguments_differ');
    expect(await world().steps(runId)).toEqual(['a:dispatched']);
  });

  it('is made once', async () => {
    const { runId, item } = await offered();
    valueOf(await report(runId, item));
    expect(codeOf(await report(runId, item, { outcome: failed('done') }))).toBe('run_attempt.already_reported');
    expect(await world().steps(runId)).toEqual(['a:succeeded']);
  });

  it.each<[DispatchOutcome]>([
    [{ kind: 'succeeded', result: { api_key: 'hunter2hunter2' } }],
    [failed('done')],
    [{ kind: 'unknown', error: { code: 'agent.lost', message: 'it hung' } }],
  ])('is answered with the run as it stands if it comes once more: %j', async (outcome) => {
    const { runId, item } = await offered();
    valueOf(await report(runId, item, { outcome }));
    const run = await world().settle(runId);
    const [attempts, jobs] = [await world().attempts(runId), world().jobs.of(world()).length];
    world().passTime(60);
    expect(valueOf(await report(runId, item, { outcome }))).toEqual(run);
    expect(await world().attempts(runId)).toEqual(attempts);
    expect(await world().settle(runId)).toEqual(run);
    expect(world().jobs.of(world())).toHaveLength(jobs);
  });

  it('of the same error with another effect is another report', async () => {
    const { runId, item } = await offered();
    valueOf(await report(runId, item, { outcome: failed('done') }));
    const other = await report(runId, item, { outcome: failed('not_started') });
    expect(codeOf(other)).toBe('run_attempt.already_reported');
  });

  it('counts until its lease is over, and not in that moment', async () => {
    const [inTime, late] = [await offered(), await offered()];
    world().uow.now = inTime.item.leaseUntil - 1;
    expect(codeOf(await report(inTime.runId, inTime.item))).toBe('ok');
    world().uow.now = late.item.leaseUntil;
    expect(await report(late.runId, late.item)).toMatchObject({
      ok: false,
      error: { code: 'run_attempt.late', details: { lease_until: new Date(late.item.leaseUntil).toISOString() } },
    });
  });

  it('that comes too late is kept as evidence, once, and its call is unknown', async () => {
    const { runId, item } = await offered();
    world().passTime(60);
    expect(codeOf(await report(runId, item))).toBe('run_attempt.late');
    expect(await world().settle(runId)).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' } });
    const [attempt] = await world().attempts(runId);
    expect(attempt).toMatchObject({ outcome: 'unknown', lateResult: { kind: 'succeeded', result: { by: 'hand' } } });
    expect(codeOf(await report(runId, item))).toBe('run_attempt.already_reported');
  });

  it.each(['given up', 'restored'])('is kept, too, if its attempt was %s before', async (how) => {
    const { runId, item } = await offered();
    if (how === 'restored') await world().tx((tx) => world().parts.restore.execute(tx, { epoch: 2, reason: 'noon' }));
    else world().passTime(60);
    await world().settle(runId);
    expect(codeOf(await report(runId, item))).toBe('run_attempt.late');
    expect(await world().steps(runId)).toEqual(['a:unknown']);
    const stepId = await stepIdOf(world(), runId, 'a');
    const { resolve } = world().parts;
    valueOf(await resolve.execute(world().person, runId, stepId, { effect: 'happened', note: 'it was reported' }));
    valueOf(await world().parts.resume.execute(world().person, runId, null));
    expect((await world().settle(runId)).state).toBe('completed');
  });
});
