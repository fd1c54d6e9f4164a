import type { PlanDocument } from '#lib/formats';
import { actorOf, newId, type PlanId, type TaskId } from '#lib/kernel';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakePlanWorld, rolloutDocument } from './fake-plan-world.js';

let world: FakePlanWorld;
beforeEach(async () => {
  world = await FakePlanWorld.open();
});

/** The sample with other calls in each step. */
const withCalls = (call: Partial<PlanDocument['phases'][number]['steps'][number]>): PlanDocument => ({
  ...rolloutDocument(),
  phases: rolloutDocument().phases.map((phase) => ({
    ...phase,
    steps: phase.steps.map((step) => ({ ...step, ...call })),
  })),
});
/** Every target at once, and no canary: policy refuses it. */
const reckless = (): PlanDocument => ({
  ...rolloutDocument(),
  phases: rolloutDocument().phases.map((phase) => ({ ...phase, canary: false, batch_percent: 100 })),
});

describe('an invalid plan', () => {
  const refusedOf = async (taskId: TaskId, document: PlanDocument) => {
    const refused = await world.submit(taskId, document);
    if (refused.ok) throw new Error('it was accepted');
    const kept = await world.find(refused.error.details?.plan_id as PlanId);
    return { error: refused.error, kept };
  };

  it('that cannot be expanded is kept with the errors, and the one before stays live', async () => {
    const task = await world.task();
    const live = await world.planned(task.id);
    const before = world.audited.length;
    const { error, kept } = await refusedOf(task.id, withCalls({ tool: 'rolout' }));
    const errors = [0, 1].map((phase) => ({
      pointer: `/phases/${String(phase)}/steps/0/tool`,
      code: 'plan.unknown_tool',
      suggestion: 'rollout',
    }));
    expect(error).toMatchObject({
      kind: 'unprocessable',
      code: 'plan.invalid',
      errors,
      details: { plan_id: kept?.id, revision: 2 },
    });
    expect(kept).toMatchObject({ state: 'invalid', expansion: null, headline: null, decisionId: null, errors });
    expect(await world.revisionsOf(task.id)).toEqual([
      [1, 'validated'],
      [2, 'invalid'],
    ]);
    expect(await world.find(live.id)).toEqual(live);
    expect(world.listener.heard).toEqual([]);
    expect(world.audited.slice(before)).toEqual([
      {
        action: 'plan.refused',
        actor: actorOf(world.tenant.agent),
        level: 'detailed',
        subject: { type: 'plan', id: kept?.id },
        within: expect.anything() as unknown,
        payload: {
          revision: 2,
          environment: 'production',
          task_digest: task.digest,
          errors: errors.map(({ pointer, code }) => ({ pointer, code })),
        },
      },
    ]);
  });

  describe('with a tool that takes a secret', () => {
    const restartWith = (token: string | { readonly $secret: string }): PlanDocument =>
      withCalls({ tool: 'restart', arguments: { targets: { $batch: 'targets' }, token } });
    beforeEach(() =>
      world.register(
        sampleTool('restart', {
          risk: 'state_change_prod',
          effect: 'modify',
          canary: true,
          simulated_by: 'look',
          identity_fields: ['/targets'],
          parameters: {
            type: 'object',
            additionalProperties: false,
            properties: {
              targets: { type: 'array', items: { type: 'string' } },
              token: { type: 'string', writeOnly: true },
            },
          },
        }),
      ),
    );

    it('is kept without the secret that stood in its arguments', async () => {
      const { error, kept } = await refusedOf((await world.task()).id, restartWith('hunter2'));
      expect(error.errors).toMatchObject([{ code: 'tool.literal_secret' }, { code: 'tool.literal_secret' }]);
      expect(kept?.document).toEqual(restartWith('[masked]'));
      expect(JSON.stringify(world.audited)).not.toContain('hunter2');
    });

    it('names no secret that is not there, or not for this tool', async () => {
      const task = await world.task();
      const binding = { purpose: 'tool_arguments', environments: [], tools: ['restart'] } as const;
      const document = restartWith({ $secret: 'token@1' });
      const unbound = [{ code: 'plan.secret_not_bound' }, { code: 'plan.secret_not_bound' }];
      expect((await refusedOf(task.id, document)).error.errors).toMatchObject(unbound);
      world.secrets.keep(world.tenant, 'token@1', { ...binding, executors: ['staging/fleet'] });
      expect((await refusedOf(task.id, document)).error.errors).toMatchObject(unbound);
      world.secrets.keep(world.tenant, 'token@1', { ...binding, executors: ['production/fleet'] });
      expect(await world.submit(task.id, document)).toMatchObject({ ok: true });
    });
  });

  it('that policy refuses is kept with its expansion and the decision, and the one before stays live', async () => {
    const task = await world.task();
    await world.planned(task.id);
    const before = world.audited.length;
    const { error, kept } = await refusedOf(task.id, reckless());
    expect(error).toMatchObject({
      kind: 'unprocessable',
      code: 'plan.refused',
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'safety.canary_first' })]) as unknown,
      details: { plan_id: kept?.id, revision: 2, decision_id: kept?.decisionId },
    });
    expect(kept).toMatchObject({ state: 'invalid', errors: [], headline: { risk: 'high' } });
    expect(await world.inTx((tx) => world.decisions.find(tx, kept?.decisionId ?? newId()))).toMatchObject({
      decision: { outcome: 'deny', reasons: error.reasons },
    });
    expect(await world.revisionsOf(task.id)).toEqual([
      [1, 'validated'],
      [2, 'invalid'],
    ]);
    expect(world.listener.heard).toEqual([]);
    expect(world.audited.slice(before)).toMatchObject([
      {
        action: 'plan.refused',
        decisionId: kept?.decisionId,
        evidence: [{ kind: 'plan', id: kept?.id, digest: kept?.expansion?.digest }],
        payload: { revision: 2, plan_digest: kept?.expansion?.digest },
      },
    ]);
  });

  it('leaves a new task unplanned', async () => {
    const task = await world.task();
    await refusedOf(task.id, reckless());
    expect(await world.inTx((tx) => world.tasks.find(tx, task.id))).toEqual(task);
  });
});
