import fc from 'fast-check';
import { canonicalJson } from '#lib/canonical';
import { MAX_EXPANDED_CALLS, type PlanDocument, type TaskSpec } from '#lib/formats';
import type { PlanId } from '#lib/kernel';
import { batchSize } from './batches.js';
import { secretNamesOf, toolNamesOf } from './expand-plan.js';
import { check, executor, expanded, hosts, plan, refused, restartStep, rolloutStep, TOOLS } from './fake-expansion.js';
import { callsOf } from './invocations.js';
import { planFacts } from './plan-facts.js';

const anyPlan = fc
  .array(
    fc.record({
      targets: fc.uniqueArray(fc.constantFrom(...hosts(40)), { minLength: 1, maxLength: 40 }),
      batch_percent: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0.01, max: 100, noNaN: true })),
      wait_seconds: fc.integer({ min: 0, max: 60 }),
      canary: fc.boolean(),
      each: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((phases) =>
    plan(
      ...phases.map(({ each, ...phase }, index) => ({
        ...phase,
        steps: [
          { ...rolloutStep, id: `roll-${String(index)}` },
          ...(each ? [{ ...restartStep, id: `restart-${String(index)}` }] : []),
        ],
      })),
    ),
  );

describe('every expansion', () => {
  it('puts each target of a phase into exactly one batch, in the order given', () => {
    fc.assert(
      fc.property(anyPlan, (document) => {
        expanded(document).phases.forEach((phase, index) => {
          expect(phase.batches.flatMap((batch) => batch.targets)).toEqual(document.phases[index]?.targets);
        });
      }),
    );
  });

  it('bounds batches by the percentage of the plan’s distinct targets, the task’s if that is less, and by one', () => {
    fc.assert(
      fc.property(anyPlan, fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }), (document, limit) => {
        const result = expanded(document, limit === undefined ? {} : { constraints: { max_batch_percent: limit } });
        const distinct = new Set(document.phases.flatMap((phase) => phase.targets)).size;
        expect(result.distinct_targets).toHaveLength(distinct);
        result.phases.forEach((phase, index) => {
          const percent = Math.min(document.phases[index]?.batch_percent ?? 100, limit ?? 100);
          const sizes = phase.batches.map(({ targets }) => targets.length);
          expect(sizes.filter((size) => size < 1 || (size > 1 && size * 100 > percent * distinct))).toEqual([]);
          // Only the last may be smaller.
          expect(new Set(sizes.slice(0, -1)).size).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it('is the same bytes for the same input, and other bytes for another', () => {
    fc.assert(
      fc.property(anyPlan, (document) => {
        const once = canonicalJson(expanded(document));
        expect(canonicalJson(expanded(structuredClone(document)))).toBe(once);
        expect(canonicalJson(expanded({ ...document, summary: 'Nothing of this is executed.' }))).toBe(once);
        const [first] = document.phases;
        if (first === undefined) return;
        const longer = {
          ...document,
          phases: [{ ...first, wait_seconds: first.wait_seconds + 1 }, ...document.phases.slice(1)],
        };
        expect(canonicalJson(expanded(longer))).not.toBe(once);
      }),
    );
  });

  it('numbers calls in the order of execution, and keeps each within its batch', () => {
    fc.assert(
      fc.property(anyPlan, (document) => {
        const result = expanded(document);
        expect(callsOf(result).map((call) => call.seq)).toEqual(callsOf(result).map((_, index) => index + 1));
        const outside = result.phases
          .flatMap((phase) => phase.batches)
          .filter(({ targets, calls }) =>
            calls.some(({ invocation }) => invocation.targets.some((each) => !targets.includes(each))),
          );
        expect(outside).toEqual([]);
      }),
    );
  });
});

describe('batches', () => {
  it.each([
    [47, 20, 9],
    [47, 100, 47],
    [3, 20, 1],
    [1, 1, 1],
    [100, 29, 29],
    [10_000, 0.01, 1],
  ])('of %i targets at %d percent have at most %i', (distinct, percent, size) => {
    expect(batchSize(distinct, percent)).toBe(size);
  });

  it('make one call for all their targets, or one for each of them, anywhere in the arguments', () => {
    const result = expanded(plan({ batch_percent: 50, steps: [rolloutStep, restartStep] }));
    expect(callsOf(result).map((call) => [call.seq, call.step_id, call.invocation.targets])).toEqual([
      [1, 'roll', ['h0', 'h1']],
      [2, 'restart', ['h0']],
      [3, 'restart', ['h1']],
      [4, 'roll', ['h2', 'h3']],
      [5, 'restart', ['h2']],
      [6, 'restart', ['h3']],
    ]);
    expect(callsOf(result)[1]?.invocation.arguments).toEqual({ host: { name: 'h0' } });
  });

  it('without targets are for the environment as a whole', () => {
    const result = expanded(plan({ targets: [], steps: [{ id: 'over', tool: 'failover', arguments: {} }] }));
    expect(result.phases[0]?.batches).toMatchObject([
      { targets: [], calls: [{ invocation: { targets: ['environment:production'] } }] },
    ]);
    const facts = planFacts({ id: 'p' as PlanId, digest: 'sha256:00', expanded: result }, TOOLS);
    expect(facts.plan.phases[0]?.batches[0]?.calls).toEqual([
      {
        seq: 1,
        tool: 'failover@1',
        targets: [],
        compensation: null,
        compensation_targets: [],
        shell: null,
        compensation_shell: null,
        paths: null,
        compensation_paths: null,
      },
    ]);
    expect(Object.keys(facts.tools)).toEqual(['failover@1']);
  });
});

describe('the steps of a plan', () => {
  it('a step for each target is undone for each target, and one for a batch never for each', () => {
    const undone = (own: object, undo: object): string[] =>
      refused(plan({ steps: [{ ...own, compensate_with: undo }] })).map(({ code }) => code);
    const each = { tool: 'restart', arguments: { host: { name: { $batch: 'target' } } } };
    expect(undone(rolloutStep, each)).toContain('plan.batch_reference');
    const good = plan({ steps: [{ ...restartStep, compensate_with: each }] });
    expect(callsOf(expanded(good)).map(({ compensate_with: undo }) => undo?.targets)).toEqual(
      hosts(4).map((host) => [host]),
    );
    const both = plan({
      steps: [{ ...rolloutStep, compensate_with: { tool: 'rollout', arguments: rolloutStep.arguments } }],
    });
    expect(callsOf(expanded(both))[0]?.compensate_with?.targets).toEqual(hosts(4));
  });

  it('a call for one target stays inside it, and its executor is part of the plan', () => {
    const reference = { id: 'x', tool: 'restart', arguments: { host: { name: 'h0' }, token: { $secret: 'kept@1' } } };
    expect(expanded(plan({ targets: ['h0'], steps: [reference] })).phases[0]?.batches[0]?.calls).toMatchObject([
      { invocation: { targets: ['h0'], executor: { name: 'fleet', digest: executor.digest } } },
    ]);
    const other = { ...restartStep, arguments: { host: { name: 'h1' } } };
    expect(refused(plan({ targets: ['h0'], steps: [other] })).map(({ code }) => code)).toEqual([
      'plan.target_outside_batch',
    ]);
  });

  it('a health check is expanded for its batch', () => {
    const reading = { name: 'web', tool: 'look', arguments: { targets: { $batch: 'targets' } } };
    const [phase] = expanded(plan({ targets: ['h0', 'h1'], batch_percent: 50, health_checks: [reading] })).phases;
    expect(phase?.batches.map(({ health_checks: checks }) => checks)).toMatchObject([
      [{ name: 'web', invocation: { tool: { name: 'look' }, arguments: { targets: ['h0'] } } }],
      [{ name: 'web', invocation: { arguments: { targets: ['h1'] } } }],
    ]);
  });

  it('the task’s trigger is joined to every phase, and needs its checks there', () => {
    const spec: Partial<TaskSpec> = { constraints: { rollback_trigger: 'web.unhealthy >= 1' } };
    const good = expanded(
      plan({ health_checks: [check], rollback_if: 'web.errors > 0.05' }, { health_checks: [check] }),
      spec,
    );
    expect(good.phases.map((phase) => phase.rollback_if)).toEqual([
      'web.errors > 0.05 or web.unhealthy >= 1',
      'web.unhealthy >= 1',
    ]);
    expect(refused(plan({}), spec)).toEqual([
      expect.objectContaining({ pointer: '/phases/0/health_checks', code: 'plan.trigger_without_check' }),
    ]);
  });

  it('the largest plan is expanded, and one call more is not', () => {
    const each = (count: number, checks = [check]): PlanDocument =>
      plan({ targets: hosts(count), health_checks: checks, steps: [restartStep] });
    expect(callsOf(expanded(each(MAX_EXPANDED_CALLS)))).toHaveLength(MAX_EXPANDED_CALLS);
    for (const checks of [[check], []])
      expect(refused(each(MAX_EXPANDED_CALLS + 1, checks))).toEqual([
        expect.objectContaining({
          ...{ pointer: '/phases', code: 'plan.too_many_calls' },
          suggestion: expect.stringContaining('split the task') as string,
        }),
      ]);
  });
});

it('names its tools once each', () => {
  const document = plan({
    health_checks: [{ name: 'web', tool: 'look', arguments: {} }],
    steps: [rolloutStep, { ...restartStep, compensate_with: { tool: 'failover', arguments: {} } }],
  });
  expect(toolNamesOf(document)).toEqual(['rollout', 'restart', 'failover', 'look']);
});

test('the secrets that a plan names are found in steps, compensations and health checks, each once', () => {
  const call = (secret: string) => ({ tool: 'restart', arguments: { token: { $secret: secret } } });
  const document = plan({
    steps: [
      { id: 'a', ...call('step@1'), compensate_with: call('undo@1') },
      { id: 'b', ...call('step@1') },
    ],
    health_checks: [{ name: 'web', ...call('check@1') }],
  });
  expect(secretNamesOf(document)).toEqual(['step@1', 'undo@1', 'check@1']);
});
