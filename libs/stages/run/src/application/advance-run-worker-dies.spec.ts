import type { DispatchOutcome } from '#lib/dispatch';
import { newId, type DecisionId } from '#lib/kernel';
import {
  dieAfterSending,
  Died,
  fine,
  lost,
  newHost,
  phase,
  step,
  stepIdOf,
  until,
  valueOf,
} from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

describe('T27: a worker that dies between two transactions', () => {
  it('sends an idempotent call again when the lease is over, not before', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('again', { tool: 'restart' })])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    world().behave(() => fine);
    expect((await world().settle(run.id)).state).toBe('executing');
    expect(world().calls).toHaveLength(1);
    world().passTime(60);
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls.map((call) => call.attempt)).toEqual([1, 2]);
    const attempts = await world().attempts(run.id);
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['unknown', 'succeeded']);
  });

  it.each(['restart', 'deploy'])(
    'ends with the answer that the executor kept, and sends nothing again: %s',
    async (tool) => {
      world().behave(dieAfterSending);
      const run = await world().queued({ phases: [phase('one', [newHost()], [step('kept', { tool })])] });
      await expect(world().settle(run.id)).rejects.toThrow(Died);
      world().keptAnswer = { kind: 'succeeded', result: { kept: true } };
      expect((await world().settle(run.id)).state).toBe('executing');
      world().passTime(60);
      expect((await world().settle(run.id)).state).toBe('completed');
      expect(world().calls).toHaveLength(1);
      expect(await world().attempts(run.id)).toMatchObject([{ outcome: 'succeeded', result: { kept: true } }]);
    },
  );

  it('ends with the answer that is handed over, before the lease is over', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('kept', { tool: 'restart' })])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    world().keptAnswer = { kind: 'succeeded', result: { kept: true } };
    const handOver = async (attempt: number) => {
      const source = { type: 'run', id: run.id } as const;
      const sent = { source, step: await stepIdOf(world(), run.id, 'kept'), attempt, idempotencyKey: 'k' };
      await world().tx((tx) => world().parts.recordKept.recordKept(tx, sent));
      return (await world().settle(run.id)).state;
    };
    expect(await handOver(2)).toBe('executing');
    expect(await handOver(1)).toBe('completed');
    expect(await handOver(1)).toBe('completed');
    expect(world().calls).toHaveLength(1);
    expect(await world().attempts(run.id)).toMatchObject([{ outcome: 'succeeded', result: { kept: true } }]);
  });

  it('is awaited while its executor works on it, and lost only afterwards', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('slow', { tool: 'restart' })])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    world().passTime(60);
    const until = (await world().tx((tx) => tx.now())) + 5_000;
    world().keptAnswer = { kind: 'under_way', until };
    expect(await world().settle(run.id)).toMatchObject({ state: 'executing', nextAt: until });
    world().keptAnswer = null;
    world().behave(() => fine);
    expect((await world().settle(run.id)).state).toBe('executing');
    expect(world().calls).toHaveLength(1);
    world().passTime(5);
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls.map((call) => call.attempt)).toEqual([1, 2]);
  });

  it('lets nothing leave from a worker that stood still until its lease was over', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('late')])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    const mayLeaveUntil = () => world().tx(async (tx) => (await world().calls[0]?.mayLeaveUntil?.(tx)) ?? null);
    expect(await mayLeaveUntil()).toBeGreaterThan(await world().tx((tx) => tx.now()));
    world().passTime(60);
    expect(await mayLeaveUntil()).toBeLessThan(await world().tx((tx) => tx.now()));
    expect(await world().settle(run.id)).toMatchObject({ reason: { code: 'run.effect_unknown' } });
    expect(await mayLeaveUntil()).toBeNull();

    const stepId = await stepIdOf(world(), run.id, 'late');
    const { person, parts } = world();
    const { resolve } = parts;
    valueOf(await resolve.execute(person, run.id, stepId, { effect: 'did_not', note: 'nothing in its log' }));
    valueOf(await resolve.execute(person, run.id, stepId, { effect: 'retry', note: 'once more' }));
    valueOf(await world().parts.resume.execute(person, run.id, null));
    world().behave(async () => {
      expect(await mayLeaveUntil()).toBeNull();
      return fine;
    });
    expect((await world().settle(run.id)).state).toBe('completed');
  });

  it('gives an idempotent call up if it may not leave again, and then pauses', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('again', { tool: 'restart' })])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    await world().halt();
    world().passTime(60);
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(await world().steps(run.id)).toEqual(['again:failed']);
    expect((await world().eventTypes(run.id)).slice(-3)).toEqual([
      'run.worker_lost',
      'run.step_given_up',
      'run.paused',
    ]);
    const [pause] = world()
      .audit.of(world())
      .filter(({ action }) => action === 'run.paused');
    const denied = await world().tx((tx) => world().decisions.find(tx, pause?.decisionId ?? newId<DecisionId>()));
    expect(denied?.decision.outcome).toBe('deny');
    expect(world().calls).toHaveLength(1);
  });

  it('never starts another call twice: it is unknown, and waits for a person for ever', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('once'), step('next')])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    world().behave(() => fine);
    world().passTime(60);
    const paused = await world().settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' }, nextAt: null });
    world().passTime(86_400 * 365);
    expect((await world().settle(run.id)).state).toBe('paused');
    expect(world().calls).toHaveLength(1);
    expect(await world().parts.resume.execute(world().person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.effect_unknown' },
    });

    const stepId = await stepIdOf(world(), run.id, 'once');
    const effect = { effect: 'happened', note: 'seen in its log' } as const;
    expect(valueOf(await world().parts.resolve.execute(world().person, run.id, stepId, effect))).toMatchObject({
      state: 'paused',
      reason: { code: 'run.effect_resolved', message: expect.stringContaining('"once" is known now') as string },
    });
    valueOf(await world().parts.resume.execute(world().person, run.id, null));
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls).toHaveLength(2);
  });

  it('starts it again only after a person has stated that it did not happen', async () => {
    world().behave(() => lost);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('once')])] });
    await world().settle(run.id);
    world().behave(() => fine);
    const stepId = await stepIdOf(world(), run.id, 'once');
    const retry = { effect: 'retry', note: 'please' } as const;
    expect(await world().parts.resolve.execute(world().person, run.id, stepId, retry)).toMatchObject({
      ok: false,
      error: { code: 'run_step.retry_needs_did_not' },
    });
    valueOf(
      await world().parts.resolve.execute(world().person, run.id, stepId, {
        effect: 'did_not',
        note: 'no trace of it',
      }),
    );
    valueOf(await world().parts.resolve.execute(world().person, run.id, stepId, retry));
    valueOf(await world().parts.resume.execute(world().person, run.id, null));
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls).toHaveLength(2);
  });

  it('keeps a late answer as evidence, and nothing follows from it', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world().behave(() => new Promise((resolve) => (answer = resolve)));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('slow')])] });
    await world().parts.advance.execute(world().tenantId, run.id);
    const slow = world().parts.advance.execute(world().tenantId, run.id);
    await until(() => world().calls.length === 1);
    world().passTime(60);
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' } });
    answer({ kind: 'succeeded', result: { at: 'last' } });
    await slow;
    expect((await world().run(run.id)).state).toBe('paused');
    const [attempt] = await world().attempts(run.id);
    expect(attempt).toMatchObject({ outcome: 'unknown', lateResult: { kind: 'succeeded', result: { at: 'last' } } });
  });

  it('sends nothing twice when two workers advance the same run at once', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b'), step('c')])] });
    await Promise.all([world().settle(run.id), world().settle(run.id), world().settle(run.id)]);
    await world().settle(run.id);
    expect((await world().run(run.id)).state).toBe('completed');
    expect(new Set(world().calls.map((call) => call.step)).size).toBe(3);
    expect(world().calls).toHaveLength(3);
  });
});
