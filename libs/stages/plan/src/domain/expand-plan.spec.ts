import fc from 'fast-check';
import { canonicalJson } from '#lib/canonical';
import {
  type ExpandedInvocation,
  type ExpandedPlan,
  MAX_EXPANDED_CALLS,
  planDocumentSchema,
  type PlanDocument,
  type PlanStep,
  type TaskSpec,
  taskSpecSchema,
  type ToolDocument,
} from '#lib/formats';
import {
  type EnvironmentId,
  type FieldError,
  digestOf,
  type ExecutorId,
  type PlanId,
  type TaskId,
  type ToolVersionId,
} from '#lib/kernel';
import { executableTree, treeDigest } from '#lib/shell-safety';
import { completeDefinition, type ExecutorRecord, type ToolVersion } from '#lib/tool';
import type { SecretBinding } from '#lib/tenancy';
import { batchSize } from './batches.js';
import { expandPlan, type ExpansionContext, secretNamesOf, toolNamesOf } from './expand-plan.js';
import { callsOf } from './invocations.js';
import { maskRefusedSecrets } from './mask-refused-secrets.js';
import { planFacts } from './plan-facts.js';

const tool = (name: string, document: Partial<ToolDocument>): ToolVersion => {
  const completed = completeDefinition(
    name,
    { description: name, risk: 'read_only', idempotent: true, scope: 'environment', executor: 'fleet', ...document },
    '',
  );
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  const definition = completed.value;
  return {
    id: `${name}-id` as ToolVersionId,
    name,
    version: 1,
    digest: digestOf('tool', definition as never),
    definition,
  };
};
const strings = { type: 'array', items: { type: 'string' } };
const TOOLS = [
  tool('rollout', {
    risk: 'state_change_prod',
    idempotent: false,
    effect: 'modify',
    canary: true,
    simulated_by: 'look',
    identity_fields: ['/targets'],
    parameters: {
      type: 'object',
      required: ['targets'],
      additionalProperties: false,
      properties: { targets: strings, image: { type: 'string' } },
    },
  }),
  tool('restart', {
    risk: 'state_change_prod',
    effect: 'modify',
    canary: true,
    simulated_by: 'look',
    identity_fields: ['/host/name'],
    parameters: {
      type: 'object',
      required: ['host'],
      additionalProperties: false,
      properties: {
        host: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: { name: { type: 'string' } },
        },
        token: { type: 'string', writeOnly: true },
      },
    },
  }),
  tool('shell', {
    risk: 'state_change_nonprod',
    effect: 'modify',
    idempotent: false,
    surface: 'terminal',
    simulation: 'not_applicable',
    shell: { argument: '/line', shell: 'bash' },
    parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
  }),
  ...(['read-file', 'write-file'] as const).map((name) => {
    const writes = name === 'write-file';
    return tool(name, {
      scope: 'asset',
      ...(writes
        ? { risk: 'state_change_nonprod' as const, effect: 'modify' as const, surface: 'workspace' as const }
        : {}),
      ...(writes ? { identity_fields: ['/path'], simulation: 'not_applicable' as const } : {}),
      path_arguments: writes ? { writes: ['/path'] } : { reads: ['/path'] },
      parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
    });
  }),
  tool('failover', {
    risk: 'state_change_prod',
    idempotent: false,
    effect: 'destructive',
    simulated_by: 'look',
    parameters: { type: 'object', additionalProperties: false, properties: {} },
  }),
  tool('look', { parameters: { type: 'object', properties: { targets: strings } } }),
];
const executor: ExecutorRecord = {
  id: 'x' as ExecutorId,
  name: 'fleet',
  kind: 'http',
  url: 'http://fleet',
  audience: 'fleet',
  sharedAudience: false,
  secret: null,
  settings: {},
  version: 1,
  digest: digestOf('executor', 'fleet'),
};
const context = (spec: Partial<TaskSpec> = {}): ExpansionContext => ({
  task: {
    id: 'task' as TaskId,
    spec: taskSpecSchema.parse({ goal: 'g', task_type: 't', environment: 'production', ...spec }),
  },
  revision: 1,
  environment: { id: 'e' as EnvironmentId, name: 'production', production: true, version: 1 },
  tools: new Map(TOOLS.map((version) => [version.name, version])),
  executors: new Map([['fleet', executor]]),
  toolNames: ['rollout', 'restart', 'look'],
  secrets: new Map<string, SecretBinding | null>([
    ['kept@1', bound()],
    ['unbound@1', null],
    ['elsewhere@1', bound({ executors: ['staging/fleet', 'production/other'], environments: ['staging'] })],
    ['other-tool@1', bound({ tools: ['rollout'] })],
    ['token@1', bound({ purpose: 'executor_token', tools: [] })],
    ['issuer@1', bound({ purpose: 'sign_in', executors: [], tools: [] })],
  ]),
});

const bound = (changes: Partial<SecretBinding> = {}): SecretBinding => ({
  purpose: 'tool_arguments',
  executors: ['production/fleet'],
  environments: [],
  tools: ['restart'],
  ...changes,
});

type Draft = { [Key in keyof PlanDocument['phases'][number]]?: unknown };
const hosts = (count: number): string[] => Array.from({ length: count }, (_, index) => `h${String(index)}`);
const rolloutStep = { id: 'roll', tool: 'rollout', arguments: { targets: { $batch: 'targets' } } };
const restartStep = { id: 'restart', tool: 'restart', arguments: { host: { name: { $batch: 'target' } } } };
const plan = (...phases: Draft[]): PlanDocument =>
  planDocumentSchema.parse({
    phases: phases.map((phase, index) => ({
      name: `p${String(index)}`,
      targets: hosts(4),
      steps: [{ ...rolloutStep, id: `s${String(index)}` }],
      ...phase,
    })),
  });
const expanded = (document: PlanDocument, spec: Partial<TaskSpec> = {}): ExpandedPlan => {
  const result = expandPlan(document, context(spec));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const refused = (document: PlanDocument, spec: Partial<TaskSpec> = {}): readonly FieldError[] => {
  const result = expandPlan(document, context(spec));
  if (result.ok) throw new Error('was expanded');
  return result.error;
};

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

describe('a mistake is told by step', () => {
  const check = { name: 'web', tool: 'look', arguments: {} };
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

  it('a secret that is not there is named where it would be put in, and one that is there is none of it', () => {
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

  describe('a command line', () => {
    const shell = (line: string, more: Partial<PlanStep> = {}): PlanDocument =>
      plan({ steps: [{ id: 'a', tool: 'shell', arguments: { line }, ...more }] });
    const undoneBy = (line: string) => ({ compensate_with: { tool: 'shell', arguments: { line } } });
    const invocationOf = (line: string, production = true): ExpandedInvocation | undefined => {
      const own = context();
      const result = expandPlan(shell(line), { ...own, environment: { ...own.environment, production } });
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      return result.value.phases[0]?.batches[0]?.calls[0]?.invocation;
    };

    it('stands in the plan with its verdict and the digest of its tree', () => {
      const tree = executableTree('ls > list', 'bash');
      if (!tree.ok) throw new Error('ls > list cannot be executed');
      expect(invocationOf('ls > list')).toMatchObject({
        targets: ['environment:production'],
        shell: {
          argument: '/line',
          shell: 'bash',
          tier: 2,
          class: 'WRITE',
          risk: 'state_change_prod',
          tree: treeDigest(tree.value),
        },
      });
      expect(invocationOf('ls > list', false)?.shell?.risk).toBe('state_change_nonprod');
    });

    it('that only reads is read_only in production, and touches nothing', () => {
      expect(invocationOf('git status')).toMatchObject({ targets: [], shell: { tier: 1, risk: 'read_only' } });
    });

    it('of Tier 3 is refused with its reasons and the way out', () => {
      expect(refused(shell('ls; sudo ls'))).toEqual([
        {
          code: 'shell.denied',
          pointer: '/phases/0/steps/0/arguments/line',
          message: expect.stringMatching(/^The command line is Tier 3, which is always denied: .*sudo/) as string,
          suggestion: 'Leave these parts of the line out: no approval lifts them.',
        },
      ]);
      expect(refused(shell('ls > list', undoneBy('sudo rm list')))).toMatchObject([
        { code: 'shell.denied', pointer: '/phases/0/steps/0/compensate_with/arguments/line' },
      ]);
    });

    it('that no runner executes is refused before anybody is asked', () => {
      expect(refused(shell('for file in a b; do touch "$file"; done'))).toMatchObject([
        {
          code: 'shell.not_executable',
          pointer: '/phases/0/steps/0/arguments/line',
          suggestion: expect.stringContaining('single commands') as string,
        },
      ]);
    });

    it('T53: is no health check, also if it only reads', () => {
      expect(refused(plan({ health_checks: [{ ...check, tool: 'shell', arguments: { line: 'ls' } }] }))).toMatchObject([
        { code: 'plan.health_check_not_read_only', pointer: '/phases/0/health_checks/0/tool' },
      ]);
    });

    it('that only reads undoes nothing', () => {
      expect(refused(shell('touch list', undoneBy('ls')))).toMatchObject([
        { code: 'plan.compensation_read_only', pointer: '/phases/0/steps/0/compensate_with/arguments/line' },
      ]);
      expect(expandPlan(shell('touch list', undoneBy('rm list')), context()).ok).toBe(true);
    });
  });

  describe('a call on paths', () => {
    const callOf = (name: string, path: string, production: boolean): ExpandedInvocation | undefined => {
      const own = context();
      const targets = name === 'write-file' ? { targets: [path] } : {};
      const document = plan({ ...targets, steps: [{ id: 'a', tool: name, arguments: { path } }] });
      const result = expandPlan(document, { ...own, environment: { ...own.environment, production } });
      if (!result.ok) throw new Error(JSON.stringify(result.error));
      return result.value.phases[0]?.batches[0]?.calls[0]?.invocation;
    };

    it('holds their verdict, and the risk that they make (T52)', () => {
      expect(callOf('write-file', 'app/package.json', false)?.paths).toEqual({
        ...{ reads: [], writes: ['/path'] },
        ...{ tier: 2, class: 'UNKNOWN', risk: 'state_change_nonprod' },
      });
      expect(callOf('write-file', 'a.txt', false)?.paths).toMatchObject({ tier: 2, class: 'WRITE' });
      // A nonprod tool stays one.
      expect(callOf('write-file', 'app/package.json', true)?.paths?.risk).toBe('state_change_nonprod');
    });

    it('that reads a secret has the risk of a change, and touches no target', () => {
      expect(callOf('read-file', '.env', true)).toMatchObject({
        targets: [],
        paths: { tier: 2, class: 'READ_ONLY', risk: 'state_change_prod' },
      });
      expect(callOf('read-file', 'a.txt', true)).toMatchObject({ targets: [], paths: { tier: 1, risk: 'read_only' } });
    });

    it('is no health check if it reads a secret: no person is asked about a check', () => {
      const checked = (path: string): PlanDocument =>
        plan({ health_checks: [{ name: 'web', tool: 'read-file', arguments: { path } }] });
      expect(refused(checked('.env'))).toMatchObject([
        { code: 'plan.health_check_not_read_only', pointer: '/phases/0/health_checks/0/arguments' },
      ]);
      expect(expandPlan(checked('a.txt'), context()).ok).toBe(true);
    });
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
  });

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
    const each = (count: number): PlanDocument =>
      plan({ targets: hosts(count), health_checks: [check], steps: [restartStep] });
    expect(callsOf(expanded(each(MAX_EXPANDED_CALLS)))).toHaveLength(MAX_EXPANDED_CALLS);
    expect(refused(each(MAX_EXPANDED_CALLS + 1))).toEqual([
      expect.objectContaining({ pointer: '/phases', code: 'plan.too_many_calls' }),
    ]);
  });

  it('a plan with arguments that multiply beyond measure is refused before it is built', () => {
    const long = Array.from({ length: 1_000 }, (_, index) => `h${String(index)}-${'x'.repeat(40)}`);
    const steps = Array.from({ length: 50 }, (_, index) => ({ ...rolloutStep, id: `s${String(index)}` }));
    expect(refused(plan({ targets: long, steps }))).toEqual([expect.objectContaining({ code: 'plan.too_large' })]);
  });
});

describe('T32: a plan that is refused for a literal secret', () => {
  it('is kept as it is if it was refused for something else', () => {
    const document = plan({ steps: [{ ...restartStep, arguments: { list: [1, null], deep: { a: ['b'] } } }] });
    const error = { pointer: '/phases/0/steps/0/arguments', message: 'm' };
    expect(maskRefusedSecrets(document, [{ ...error, code: 'plan.other' }])).toBe(document);
    const masked = maskRefusedSecrets(document, [
      { ...error, code: 'plan.other' },
      { message: 'm', code: 'tool.literal_secret', pointer: '/phases/0/steps/0/arguments/deep/a/0' },
    ]);
    expect(masked.phases[0]?.steps[0]?.arguments).toEqual({ list: [1, null], deep: { a: ['[masked]'] } });
  });

  it('is kept with the secret masked', () => {
    const document = plan({ steps: [{ ...restartStep, arguments: { ...restartStep.arguments, token: 'hunter2' } }] });
    const kept = maskRefusedSecrets(document, refused(document));
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    expect(kept.phases[0]?.steps[0]?.arguments).toEqual({ ...restartStep.arguments, token: '[masked]' });
  });
});

it('names its tools once each', () => {
  const document = plan({
    health_checks: [{ name: 'web', tool: 'look', arguments: {} }],
    steps: [rolloutStep, { ...restartStep, compensate_with: { tool: 'failover', arguments: {} } }],
  });
  expect(toolNamesOf(document)).toEqual(['rollout', 'restart', 'failover', 'look']);
});

test('the secrets that a plan names are found in steps, in what undoes them and in health checks, each once', () => {
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
