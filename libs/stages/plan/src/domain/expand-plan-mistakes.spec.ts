import { canonicalJson } from '#lib/canonical';
import type { PlanDocument } from '#lib/formats';
import { expandPlan, MAX_EXPANDED_CHARACTERS } from './expand-plan.js';
import {
  check,
  context,
  expanded,
  hosts,
  onlyCall,
  plan,
  refused,
  restartStep,
  rolloutStep,
} from './fake-expansion.js';

const undo = { tool: 'rollout', arguments: { targets: { $batch: 'targets' } } };
const stepsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...rolloutStep, ...more, id: `s${String(index)}` }));
const checksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...check,
    name: `c${String(index)}`,
    arguments: { targets: { $batch: 'targets' } },
  }));

/** Eighteen calls, of which the last fills the room that the others leave. */
const padded = <Call extends { readonly arguments: object }>(calls: readonly Call[], last: string) =>
  calls.map((call, index) => ({
    ...call,
    arguments: { ...call.arguments, image: index === 17 ? last : 'x'.repeat(60_000) },
  }));

describe('a mistake is told by step', () => {
  it.each<[string, string, PlanDocument]>([
    ['plan.unknown_tool', '/phases/0/steps/0/tool', plan({ steps: [{ ...rolloutStep, tool: 'roll_out' }] })],
    [
      'plan.unknown_tool',
      '/phases/0/steps/0/compensate_with/tool',
      plan({ steps: [{ ...rolloutStep, compensate_with: { tool: 'undo', arguments: {} } }] }),
    ],
    ['tool.argument_required', '/phases/0/steps/0/arguments', plan({ steps: [{ ...rolloutStep, arguments: {} }] })],
    [
      'tool.argument_unknown',
      '/phases/0/steps/0/arguments/imag',
      plan({ steps: [{ ...rolloutStep, arguments: { targets: { $batch: 'targets' }, imag: 'x' } }] }),
    ],
    [
      'tool.literal_secret',
      '/phases/0/steps/0/arguments/token',
      plan({ steps: [{ ...restartStep, arguments: { ...restartStep.arguments, token: 'hunter2' } }] }),
    ],
    [
      'plan.target_outside_batch',
      '/phases/0/steps/0/arguments',
      plan({ steps: [{ ...rolloutStep, arguments: { targets: ['h0', 'elsewhere'] } }] }),
    ],
    [
      'plan.target_outside_batch',
      '/phases/0/steps/0/compensate_with/arguments',
      plan({
        steps: [{ ...rolloutStep, compensate_with: { tool: 'rollout', arguments: { targets: ['elsewhere'] } } }],
      }),
    ],
    [
      'plan.target_outside_batch',
      '/phases/0/steps/0/arguments',
      plan({ batch_percent: 25, steps: [{ ...rolloutStep, arguments: { targets: hosts(4) } }] }),
    ],
    [
      'plan.reserved_target',
      '/phases/0/steps/0/arguments',
      plan({ steps: [{ ...rolloutStep, arguments: { targets: ['environment:production'] } }] }),
    ],
    ['plan.reserved_target', '/phases/0/targets/0', plan({ targets: ['environment:production'] })],
    [
      'plan.batch_reference',
      '/phases/0/steps/0/arguments/image',
      plan({ steps: [{ ...rolloutStep, arguments: { targets: { $batch: 'targets' }, image: { $batch: 'all' } } }] }),
    ],
    [
      'plan.batch_reference',
      '/phases/0/steps/0/arguments',
      plan({ steps: [{ ...rolloutStep, arguments: { targets: { $batch: 'targets' }, image: { $batch: 'target' } } }] }),
    ],
    [
      'plan.batch_reference',
      '/phases/0/steps/0/compensate_with/arguments',
      plan({
        steps: [
          { ...restartStep, compensate_with: { tool: 'rollout', arguments: { targets: { $batch: 'targets' } } } },
        ],
      }),
    ],
    ['plan.batch_without_targets', '/phases/0/steps/0/arguments', plan({ targets: [] })],
    ['plan.duplicate_name', '/phases/1/name', plan({ name: 'same' }, { name: 'same' })],
    ['plan.duplicate_name', '/phases/0/steps/1/id', plan({ steps: [rolloutStep, rolloutStep] })],
    ['plan.duplicate_name', '/phases/0/targets/1', plan({ targets: ['h0', 'h0'] })],
    ['plan.duplicate_name', '/phases/0/health_checks/1/name', plan({ health_checks: [check, check] })],
    [
      'plan.retry_not_idempotent',
      '/phases/0/steps/0/on_failure',
      plan({ steps: [{ ...rolloutStep, on_failure: 'retry' }] }),
    ],
    [
      'plan.compensation_read_only',
      '/phases/0/steps/0/compensate_with/tool',
      plan({ steps: [{ ...rolloutStep, compensate_with: { tool: 'look', arguments: {} } }] }),
    ],
    [
      'plan.health_check_not_read_only',
      '/phases/0/health_checks/0/tool',
      plan({ health_checks: [{ ...check, tool: 'rollout' }] }),
    ],
    [
      'plan.batch_reference',
      '/phases/0/health_checks/0/arguments',
      plan({ health_checks: [{ ...check, arguments: { targets: [{ $batch: 'target' }] } }] }),
    ],
    [
      'plan.condition_syntax',
      '/phases/0/rollback_if',
      plan({ health_checks: [check], rollback_if: 'web.errors >> 1' }),
    ],
    ['plan.unknown_metric', '/phases/0/rollback_if', plan({ health_checks: [check], rollback_if: 'db.errors > 1' })],
  ])('%s at %s', (code, pointer, document) => {
    expect(refused(document)).toEqual(expect.arrayContaining([expect.objectContaining({ code, pointer })]));
  });

  it('an absent secret is named at its place in the arguments, and a present one is no mistake', () => {
    const restart = (secret: string): PlanDocument =>
      plan({
        steps: [
          {
            id: 'restart',
            tool: 'restart',
            arguments: { host: { name: { $batch: 'target' } }, token: { $secret: secret } },
          },
        ],
      });
    expect(refused(restart('kept@2'))).toEqual([
      expect.objectContaining({ code: 'plan.secret_not_bound', pointer: '/phases/0/steps/0/arguments/token' }),
    ]);
    expect(expandPlan(restart('kept@1'), context()).ok).toBe(true);
    // The same for one that is there, and for something else: a refusal never tells which secrets there are.
    const missing = refused(restart('kept@2'));
    for (const other of ['unbound@1', 'elsewhere@1', 'other-tool@1', 'token@1', 'issuer@1']) {
      const renamed = JSON.parse(
        JSON.stringify(missing)
          .replaceAll('kept', other.split('@')[0] ?? '')
          .replaceAll('@2', '@1'),
      ) as unknown;
      expect(refused(restart(other))).toEqual(renamed);
    }
  });

  it('mistakes are told with the next step', () => {
    const suggested = (document: PlanDocument): unknown[] => refused(document).map(({ suggestion }) => suggestion);
    const arg = (value: unknown): PlanDocument =>
      plan({ steps: [{ ...rolloutStep, arguments: { targets: { $batch: 'targets' }, image: value } }] });
    expect(suggested(arg({ $batch: 'all' }))).toContain('{"$batch":"targets"}');
    expect(suggested(arg({ $batch: 'target' }))).toContain(
      'Use {"$batch":"target"} throughout, or {"$batch":"targets"} throughout.',
    );
    expect(suggested(plan({ steps: [{ ...rolloutStep, on_failure: 'retry' }] }))).toContain('pause or rollback');
    expect(
      suggested(plan({ steps: [{ ...rolloutStep, compensate_with: { tool: 'look', arguments: {} } }] })),
    ).toContain('Name the tool that puts things back, or leave compensate_with out.');
    expect(suggested(plan({ steps: [{ ...rolloutStep, arguments: { targets: ['elsewhere'] } }] }))).toEqual([
      expect.stringContaining('list them in the phase'),
    ]);
    expect(suggested(plan({ health_checks: [check], rollback_if: 'db.errors > 1' }))).toEqual([
      'The checks here are: web.',
    ]);
    expect(suggested(plan({ rollback_if: 'db.errors > 1' }))).toEqual(['Add a health check named "db".']);
    expect(suggested(plan({ health_checks: [check], rollback_if: 'web.errors' }))).toEqual([
      expect.stringContaining('Write, for example'),
    ]);
    expect(
      suggested(plan({ health_checks: [{ ...check, arguments: { targets: [{ $batch: 'target' }] } }] })),
    ).toContain('{"$batch":"targets"}');
    const token = { token: { $secret: 'kept@2' } };
    expect(suggested(plan({ steps: [{ ...restartStep, arguments: { ...restartStep.arguments, ...token } }] }))).toEqual(
      [expect.stringContaining('countersign secret bind kept --executor production/fleet --tool restart')],
    );
    expect(
      refused(plan({ health_checks: [check] }), { constraints: { rollback_trigger: 'db.errors > 1' } }),
    ).toMatchObject([{ code: 'plan.trigger_without_check', suggestion: 'Add a health check named "db".' }]);
  });

  it('of many targets outside a batch, the first five are named', () => {
    const [error] = refused(
      plan({ steps: [{ ...rolloutStep, arguments: { targets: ['a', 'b', 'c', 'd', 'e', 'f'] } }] }),
    );
    expect(error?.message).toBe('The call would touch a, b, c, d, e, outside its batch.');
  });

  it('an unknown tool of a check is one mistake', () => {
    expect(refused(plan({ health_checks: [{ ...check, tool: 'none' }] })).map(({ code }) => code)).toEqual([
      'plan.unknown_tool',
    ]);
  });

  it('a hundred mistakes are listed, each once', () => {
    const many = plan({ targets: hosts(150), steps: [{ ...rolloutStep, tool: 'none' }] });
    expect(refused(many, { scope: { targets: ['h0'] } })).toHaveLength(100);
    expect(refused(plan({ batch_percent: 25, steps: [{ ...rolloutStep, tool: 'none' }] }))).toHaveLength(1);
  });

  it('a tool that is none is told from the one that was probably meant', () => {
    const [error] = refused(plan({ steps: [{ ...rolloutStep, tool: 'rolout' }] }));
    expect(error).toMatchObject({ code: 'plan.unknown_tool', suggestion: 'rollout' });
    const [unlike] = refused(plan({ steps: [{ ...rolloutStep, tool: 'none' }] }));
    expect(unlike).not.toHaveProperty('suggestion');
  });

  it('a condition is told by its own position, not by a line of a document that was never written', () => {
    const [error] = refused(plan({ health_checks: [check], rollback_if: 'web.errors >> 1' }));
    expect(error?.message).toContain('at position 13');
    expect(error).not.toHaveProperty('line');
  });

  it('targets must lie in the scope of the task', () => {
    const errors = refused(plan({}), { scope: { targets: ['h0', 'h1', 'h3'] } });
    expect(errors).toEqual([
      expect.objectContaining({ pointer: '/phases/0/targets/2', code: 'plan.target_outside_scope' }),
    ]);
  });

  it('an executor without an address in this environment is named', () => {
    const result = expandPlan(plan({}), { ...context(), executors: new Map() });
    expect(result).toMatchObject({
      ok: false,
      error: [{ pointer: '/phases/0/steps/0/tool', code: 'plan.no_executor' }],
    });
  });

  it('a call for one target of its batch touches no other', () => {
    const step = { id: 'roll', tool: 'rollout' };
    const others = (targets: unknown): PlanDocument =>
      plan({ steps: [{ ...step, arguments: { targets, image: { $batch: 'target' } } }] });
    expect(refused(others(['h0']))).toEqual([
      expect.objectContaining({
        code: 'plan.target_outside_batch',
        message: 'The call would touch h0, outside its batch.',
      }),
    ]);
    expect(expandPlan(others([{ $batch: 'target' }]), context()).ok).toBe(true);
  });

  it.each([
    ['beside another argument', { ...rolloutStep, arguments: { targets: ['environment:production'], image: 'web' } }],
    ['inside another argument', { ...restartStep, arguments: { host: { name: 'environment:production' } } }],
  ])('a call does not name the environment as a whole %s', (_what, step) => {
    expect(refused(plan({ steps: [step] }))).toEqual([
      expect.objectContaining({ code: 'plan.reserved_target', pointer: '/phases/0/steps/0/arguments' }),
    ]);
  });

  it('a call that names no target is of the environment as a whole', () => {
    expect(onlyCall(plan({ steps: [{ ...rolloutStep, arguments: { targets: [] } }] }))?.targets).toEqual([
      'environment:production',
    ]);
  });

  it('a call names no environment as a whole, not even among others', () => {
    const touching = (targets: readonly string[]): PlanDocument =>
      plan({ steps: [{ ...rolloutStep, arguments: { targets } }] });
    expect(refused(touching(['environment:production', 'h0']))).toEqual([
      expect.objectContaining({
        code: 'plan.target_outside_batch',
        message: 'The call would touch environment:production, outside its batch.',
      }),
    ]);
  });

  it.each([
    ['calls', (count: number) => ({ steps: stepsOf(count) }), 10, 20],
    ['calls that undo them', (count: number) => ({ steps: stepsOf(count, { compensate_with: undo }) }), 5, 8],
    ['health checks', (count: number) => ({ health_checks: checksOf(count) }), 9, 20],
  ] as const)('a plan is refused for the size of its %s alone', (_what, phaseOf, few, many) => {
    const targets = Array.from({ length: 1_000 }, (_, index) => `h${String(index)}-${'x'.repeat(44)}`);
    const codes = (size: number): unknown => {
      const result = expandPlan(plan({ targets, ...phaseOf(size) }), context());
      return result.ok ? 'expanded' : result.error.map(({ code }) => code);
    };
    expect(codes(few)).toBe('expanded');
    expect(codes(many)).toEqual(['plan.too_large']);
  });

  it.each([
    ['call', (pad: string) => ({ steps: padded(stepsOf(18), pad) })],
    ['health check', (pad: string) => ({ health_checks: padded(checksOf(18), pad) })],
  ])('a plan is refused if its last %s passes the limit', (_what, phaseOf) => {
    const sizeOf = (pad: string): number =>
      expanded(plan(phaseOf(pad)))
        .phases.flatMap(({ batches }) => batches.flatMap((batch) => [...batch.calls, ...batch.health_checks]))
        .reduce((size, { invocation }) => size + canonicalJson(invocation).length, 0);
    const room = 'x'.repeat(MAX_EXPANDED_CHARACTERS - sizeOf(''));
    expect(sizeOf(room)).toBe(MAX_EXPANDED_CHARACTERS);
    expect(refused(plan(phaseOf(`${room}x`)))).toEqual([expect.objectContaining({ code: 'plan.too_large' })]);
  });

  it('a plan with arguments that multiply beyond measure is refused before it is built', () => {
    const long = Array.from({ length: 1_000 }, (_, index) => `h${String(index)}-${'x'.repeat(40)}`);
    const steps = Array.from({ length: 50 }, (_, index) => ({ ...rolloutStep, id: `s${String(index)}` }));
    expect(refused(plan({ targets: long, steps }))).toEqual([
      expect.objectContaining({ code: 'plan.too_large', suggestion: 'Split the task.' }),
    ]);
  });
});
