import { planDocumentSchema } from '#lib/formats';
import { ExpansionErrors } from './expansion-errors.js';
import { conditionGrammar, MAX_CONDITION_DEPTH, parseCondition } from './parse-condition.js';
import { phaseCondition } from './phase-condition.js';

/** The condition of a phase with these health checks, and the codes of its errors by their pointers. */
function conditionOf(own: string | undefined, trigger: string | undefined, checks: readonly string[] = ['web']) {
  const phase = planDocumentSchema.parse({
    phases: [
      {
        name: 'all',
        targets: ['web-1'],
        steps: [{ id: 'roll', tool: 'rollout', arguments: {} }],
        health_checks: checks.map((name) => ({ name, tool: 'look', arguments: {} })),
        ...(own === undefined ? {} : { rollback_if: own }),
      },
    ],
  }).phases[0];
  if (phase === undefined) throw new Error('no phase');
  const errors = new ExpansionErrors();
  const condition = phaseCondition(phase, trigger, '/phases/0', errors);
  return { condition, errors: errors.list.map(({ pointer, code }) => `${code} ${pointer}`) };
}

/** An alternative in as many pairs of parentheses. */
const nested = (levels: number): string =>
  levels === 0 ? 'web.errors > 1 or web.down >= 1' : `web.errors > 1 or (${nested(levels - 1)})`;

describe('the condition on which a phase is rolled back', () => {
  it.each([
    ['nothing', undefined, undefined, null],
    ['its own', 'web.errors > 1', undefined, 'web.errors > 1'],
    ["the task's trigger", undefined, 'web.down >= 1', 'web.down >= 1'],
    ['either of them', 'web.errors > 1', 'web.down >= 1', 'web.errors > 1 or web.down >= 1'],
    ['its own, spelt out', '(web.errors>1)', undefined, 'web.errors > 1'],
  ])('is %s', (_what, own, trigger, condition) => {
    expect(conditionOf(own, trigger)).toEqual({ condition, errors: [] });
  });

  it.each([
    ['cannot be read', 'web.errors >', undefined, 'plan.condition_syntax /phases/0/rollback_if'],
    ['names a metric of no check', 'db.errors > 1', undefined, 'plan.unknown_metric /phases/0/rollback_if'],
    [
      'has a trigger of its task that cannot be read',
      undefined,
      'web.errors',
      'plan.condition_syntax /phases/0/health_checks',
    ],
    [
      'has a trigger of its task with a metric of no check',
      undefined,
      'db.errors > 1',
      'plan.trigger_without_check /phases/0/health_checks',
    ],
  ])('is refused if it %s', (_what, own, trigger, error) => {
    expect(conditionOf(own, trigger).errors).toEqual([error]);
  });

  it('names the missing health check, or those that are there', () => {
    expect(conditionOf('db.errors > 1', undefined, []).errors).toHaveLength(1);
    expect(conditionOf('db.errors > 1 and web.errors > 1', 'web.down >= 1', ['db', 'web']).errors).toEqual([]);
  });

  it("is refused if it nests too deeply together with the task's trigger", () => {
    const deep = nested(MAX_CONDITION_DEPTH);
    expect(conditionOf(undefined, deep).errors).toEqual([]);
    expect(conditionOf('web.down >= 1', deep).errors).toEqual(['plan.condition_too_deep /phases/0/rollback_if']);
    expect(parseCondition(nested(MAX_CONDITION_DEPTH + 1)).ok).toBe(false);
  });
});

it('the grammar tells the place of an error, and nothing of a condition', () => {
  expect(conditionGrammar.problemOf('web.error_rate > 0.05')).toBeNull();
  expect(conditionGrammar.problemOf('web.error_rate >')).toEqual({
    position: 16,
    message: 'expected a number such as 0.05',
  });
});
