import type { JsonObject } from '#lib/canonical';
import type {
  ExpandedBatch,
  ExpandedCall,
  ExpandedInvocation,
  ExpandedLine,
  ExpandedPaths,
  ExpandedPhase,
  ExpandedPlan,
} from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';
import { fakeExpandedPhase } from '../../../../foundation/formats/src/fake-expanded-phase.js';
import { describePlan } from './describe-plan.js';
import { planHeadline, planRisk } from './plan-headline.js';
import { repeatsTargets, same } from './repeats-targets.js';

const digest = `sha256:${'0'.repeat(64)}`;

const facts = (name: string, more: Partial<ToolFacts> = {}): ToolFacts => ({
  name,
  version: 1,
  risk: 'state_change_prod',
  idempotent: true,
  scope: 'asset',
  effect: 'modify',
  surface: 'asset',
  requires_plan: true,
  requires_hitl: 'always',
  simulated_by: null,
  simulation: 'not_applicable',
  canary: true,
  ...more,
});
const TOOLS = {
  'rollout@1': facts('rollout'),
  'wipe@1': facts('wipe', { effect: 'destructive', risk: 'state_change_prod', scope: 'organization' }),
  'look@1': facts('look', { effect: 'read', risk: 'read_only', requires_plan: false }),
};

const invocation = (
  targets: readonly string[],
  args: JsonObject = {},
  more: Partial<ExpandedInvocation> = {},
): ExpandedInvocation => ({
  tool: { name: 'rollout', version: 1, digest },
  executor: { name: 'fleet', digest },
  arguments: { ...args } as ExpandedInvocation['arguments'],
  arguments_digest: digest,
  targets: [...targets],
  ...more,
});
const tool = (name: string, version = 1): Pick<ExpandedInvocation, 'tool'> => ({ tool: { name, version, digest } });

/** The verdict on a line that only reads. */
const SHELL: ExpandedLine = {
  argument: '/line',
  shell: 'bash',
  tier: 1,
  class: 'READ_ONLY',
  risk: 'read_only',
  tree: digest,
};

interface Made extends Partial<Omit<ExpandedCall, 'seq' | 'invocation'>> {
  invocation: ExpandedInvocation;
}
const made = (invoked: ExpandedInvocation, more: Partial<Made> = {}): Made => ({ invocation: invoked, ...more });

/** A phase of these batches, each with its targets and its calls. */
function phaseOf(
  batches: readonly (readonly [targets: readonly string[], calls: readonly Made[]])[],
  more: Partial<ExpandedPhase> = {},
): ExpandedPhase {
  let seq = 0;
  return fakeExpandedPhase({
    name: 'canary',
    canary: true,
    wait_seconds: 60,
    rollback_if: 'web.errors > 1',
    batches: batches.map(([targets, calls], index): ExpandedBatch => ({
      index,
      targets: [...targets],
      calls: calls.map((call): ExpandedCall => {
        seq += 1;
        return { step_id: 'step', on_failure: 'pause', compensate_with: null, ...call, seq };
      }),
      health_checks: [],
    })),
    ...more,
  });
}
const planOf = (...phases: ExpandedPhase[]): ExpandedPlan => ({
  format: 'countersign.plan/v1',
  task_id: 'task',
  revision: 2,
  environment: { id: 'e', name: 'production', digest },
  distinct_targets: ['a', 'b'],
  phases,
});
const plain = (...calls: Made[]): ExpandedPlan => planOf(phaseOf([[['a', 'b'], calls]]));
const stepsOf = (phase: ExpandedPhase) => describePlan(planOf(phase), TOOLS).phases[0]?.steps ?? [];
const onlyStepOf = (phase: ExpandedPhase) => {
  const [step, ...more] = stepsOf(phase);
  if (step === undefined || more.length > 0) throw new Error(`the phase has ${String(more.length + 1)} groups`);
  return step;
};

describe('the description of a plan', () => {
  it('shows everything that is executed', () => {
    const undo = invocation(['a'], { image: 'v1' });
    const phase = phaseOf([[['a'], [made(invocation(['a'], { image: 'v2', host: 'a' }), { compensate_with: undo })]]]);
    const second = phaseOf([[[], []]], { index: 1, name: 'rest', canary: false, rollback_if: null });
    const side = {
      tool: {
        name: 'rollout',
        version: 1,
        executor: 'fleet',
        risk: 'state_change_prod',
        effect: 'modify',
        idempotent: true,
      },
      shell: null,
      paths: null,
    };
    expect(describePlan(planOf(phase, second), TOOLS)).toEqual({
      headline: 'rollout on a, image v2, revision 2',
      risk: 'high',
      revision: 2,
      environment: 'production',
      targets: ['a', 'b'],
      phases: [
        {
          number: 1,
          name: 'canary',
          canary: true,
          batches: [{ number: 1, targets: ['a'] }],
          steps: [
            {
              step_id: 'step',
              on_failure: 'pause',
              call: { ...side, arguments: [{ name: 'image', value: 'v2' }], targets_as: ['host'] },
              undo: { ...side, arguments: [{ name: 'image', value: 'v1' }], targets_as: [] },
              spread: 'batch',
              calls: [{ seq: 1, batch: 1, targets: ['a'], arguments: [], undo_targets: null, undo_arguments: [] }],
            },
          ],
          wait_seconds: 60,
          health_checks: [],
          rollback_if: 'web.errors > 1',
        },
        {
          number: 2,
          name: 'rest',
          canary: false,
          batches: [{ number: 1, targets: [] }],
          steps: [],
          wait_seconds: 60,
          health_checks: [],
          rollback_if: null,
        },
      ],
    });
  });

  it('says of a tool without facts that it is unknown', () => {
    const [step] = describePlan(plain(made(invocation(['a']))), {}).phases[0]?.steps ?? [];
    expect(step?.call.tool).toMatchObject({ risk: 'unknown', effect: 'unknown', idempotent: false });
  });

  it('says the risk of a command line or of paths, also if the tool has no facts', () => {
    const paths: ExpandedPaths = {
      reads: ['/path'],
      writes: [],
      tier: 2,
      class: 'READ_ONLY',
      risk: 'state_change_prod',
    };
    const plan = plain(
      made(invocation(['a'], { line: 'ls' }, { shell: SHELL })),
      made(invocation(['a'], {}, { paths })),
    );
    expect(describePlan(plan, {}).phases[0]?.steps.map(({ call }) => call.tool.risk)).toEqual([
      'read_only',
      'state_change_prod',
    ]);
  });

  it('puts calls together whose arguments come in another order', () => {
    const [first, second] = [invocation(['a'], { image: 'v2', port: 1 }), invocation(['b'], { port: 1, image: 'v2' })];
    expect(describePlan(plain(made(first), made(second)), TOOLS).phases[0]?.steps).toHaveLength(1);
  });

  it('has no values of an undo if a call has none', () => {
    const step = onlyStepOf(phaseOf([[['a'], [made(invocation(['a']))]]]));
    expect(step).toMatchObject({ undo: null, calls: [{ undo_targets: null, undo_arguments: [] }] });
  });

  it('puts calls together that differ in targets and values alone, and shows the values that differ', () => {
    const undo = (image: string): ExpandedInvocation => invocation(['c'], { image, mode: 'x' });
    const step = onlyStepOf(
      phaseOf([
        [['a'], [made(invocation(['a'], { image: 'v2', port: 1 }), { compensate_with: undo('v0') })]],
        [['b'], [made(invocation(['b'], { image: 'v2', port: 2 }), { compensate_with: undo('v1') })]],
      ]),
    );
    expect(step).toMatchObject({
      call: { arguments: [{ name: 'image', value: 'v2' }], targets_as: [] },
      undo: { arguments: [{ name: 'mode', value: 'x' }] },
      calls: [
        {
          seq: 1,
          batch: 1,
          targets: ['a'],
          arguments: [{ name: 'port', value: 1 }],
          undo_targets: ['c'],
          undo_arguments: [{ name: 'image', value: 'v0' }],
        },
        { seq: 2, batch: 2, arguments: [{ name: 'port', value: 2 }], undo_arguments: [{ name: 'image', value: 'v1' }] },
      ],
    });
  });

  it.each(['constructor', '__proto__'])(
    'has no argument called %s in its headline that one of two calls has',
    (name) => {
      const given = Object.fromEntries([[name, 'v1']]);
      const plan = plain(made(invocation(['a'], given)), made(invocation(['b'])));
      expect(describePlan(plan, TOOLS).headline).toBe('rollout on a and b, revision 2');
    },
  );

  it('says that an argument holds the targets only if it does in every call', () => {
    const step = onlyStepOf(
      phaseOf([
        [
          ['a', 'b'],
          [made(invocation(['a'], { host: 'a' })), made(invocation(['b'], { host: 'a' }))],
        ],
      ]),
    );
    expect(step.call).toMatchObject({ targets_as: [], arguments: [{ name: 'host', value: 'a' }] });
  });

  it.each<[what: string, other: Made]>([
    ['another step', made(invocation(['b']), { step_id: 'other' })],
    ['another way to fail', made(invocation(['b']), { on_failure: 'rollback' })],
    ['another tool', made(invocation(['b'], {}, tool('wipe')))],
    ['another version', made(invocation(['b'], {}, tool('rollout', 2)))],
    ['another executor', made(invocation(['b'], {}, { executor: { name: 'other', digest } }))],
    ['another argument', made(invocation(['b'], { image: 'v2' }))],
    ['an undo', made(invocation(['b']), { compensate_with: invocation(['b']) })],
  ])('keeps a call apart that has %s', (_what, other) => {
    expect(
      stepsOf(
        phaseOf([
          [
            ['a', 'b'],
            [made(invocation(['a'])), other],
          ],
        ]),
      ),
    ).toHaveLength(2);
  });

  it.each<[spread: string, what: string, phase: ExpandedPhase]>([
    ['environment', 'the environment as a whole', phaseOf([[[], [made(invocation(['environment:production']))]]])],
    ['listed', 'the environment and a target', phaseOf([[['a'], [made(invocation(['environment:production', 'a']))]]])],
    [
      'listed',
      'the environment in one call and a target in another',
      phaseOf([[['a'], [made(invocation(['environment:production'])), made(invocation(['a']))]]]),
    ],
    ['listed', 'another environment', phaseOf([[['a'], [made(invocation(['environment:staging']))]]])],
    [
      'batch',
      'each batch',
      phaseOf([
        [['a', 'b'], [made(invocation(['a', 'b']))]],
        [['c'], [made(invocation(['c']))]],
      ]),
    ],
    [
      'target',
      'each target',
      phaseOf([
        [
          ['a', 'b'],
          [made(invocation(['a'])), made(invocation(['b']))],
        ],
        [['c'], [made(invocation(['c']))]],
      ]),
    ],
    [
      'listed',
      'the targets in another order',
      phaseOf([
        [
          ['a', 'b'],
          [made(invocation(['b'])), made(invocation(['a']))],
        ],
      ]),
    ],
    ['listed', 'a part of a batch', phaseOf([[['a', 'b'], [made(invocation(['a']))]]])],
    [
      'listed',
      'a batch twice',
      phaseOf([
        [
          ['a', 'b'],
          [made(invocation(['a', 'b'])), made(invocation(['a', 'b']))],
        ],
      ]),
    ],
  ])('says that calls go over %s: %s', (spread, _what, phase) => {
    expect(onlyStepOf(phase).spread).toBe(spread);
  });

  it('shows health checks together if they differ in batch and values alone', () => {
    const check = (
      targets: readonly string[],
      args: JsonObject,
      name = 'web',
    ): ExpandedBatch['health_checks'][number] => ({
      name,
      invocation: invocation(targets, args, tool('look')),
    });
    const phase = phaseOf([
      [['a'], []],
      [['b'], []],
    ]);
    const [first, second] = phase.batches;
    if (first === undefined || second === undefined) throw new Error('the phase has two batches');
    const batches = [
      { ...first, health_checks: [check(['x'], { hosts: ['a'], port: 1, all: true })] },
      { ...second, health_checks: [check([], { hosts: ['b'], port: 2, all: true }), check(['b'], {}, 'db')] },
    ];
    const [shown] = describePlan(planOf({ ...phase, batches }), TOOLS).phases;
    expect(shown?.health_checks).toMatchObject([
      {
        name: 'web',
        call: {
          tool: { name: 'look', risk: 'read_only' },
          targets_as: ['hosts'],
          arguments: [{ name: 'all', value: true }],
        },
        checks: [
          { batch: 1, targets: ['x'], arguments: [{ name: 'port', value: 1 }] },
          { batch: 2, targets: [], arguments: [{ name: 'port', value: 2 }] },
        ],
      },
      { name: 'db', checks: [{ batch: 2, targets: ['b'], arguments: [] }] },
    ]);
  });
});

describe('the headline of a plan', () => {
  it.each<[headline: string, plan: ExpandedPlan]>([
    ['rollout on a, revision 2', plain(made(invocation(['a'])))],
    ['rollout on a and b, revision 2', plain(made(invocation(['a'])), made(invocation(['b'])))],
    ['rollout on 3 targets, revision 2', plain(made(invocation(['a', 'b', 'c'])))],
    ['rollout on 0 targets, revision 2', plain(made(invocation([])))],
    ['rollout on all of production, revision 2', plain(made(invocation(['environment:production', 'a'])))],
    ['nothing on 0 targets, revision 2', plain()],
    ['look on a, revision 2', plain(made(invocation(['a'], {}, tool('look'))))],
    ['rollout on a, revision 2', plain(made(invocation(['b'], {}, tool('look'))), made(invocation(['a'])))],
    ['wipe and rollout on a, revision 2', plain(made(invocation(['a'])), made(invocation(['a'], {}, tool('wipe'))))],
    [
      'unheard and wipe on a, revision 2',
      plain(made(invocation(['a'], {}, tool('wipe'))), made(invocation(['a'], {}, tool('unheard')))),
    ],
    [
      'unheard and 2 other tools on a, revision 2',
      plain(
        made(invocation(['a'])),
        made(invocation(['a'], {}, tool('wipe'))),
        made(invocation(['a'], {}, tool('unheard'))),
      ),
    ],
  ])('is %s', (headline, plan) => {
    expect(planHeadline(plan, TOOLS)).toBe(headline);
  });

  it.each<[told: string, calls: readonly JsonObject[]]>([
    ['image web-2026.13', [{ image: 'web-2026.13' }]],
    ['image "two words"', [{ image: 'two words' }]],
    ['image "1"', [{ image: '1' }]],
    ['image "true"', [{ image: 'true' }]],
    ['image truest', [{ image: 'truest' }]],
    ['image untrue', [{ image: 'untrue' }]],
    ['count 3', [{ count: 3 }]],
    ['forced true', [{ forced: true }]],
    ['until null', [{ until: null }]],
    ['one 1, two 2', [{ one: 1, two: 2, three: 3 }]],
    ['', [{ labels: { tier: 'web' } }]],
    ['', [{ list: ['x'] }]],
    ['', [{ host: 'a' }]],
    ['', [{ image: 'x'.repeat(43) }]],
    [`image ${'x'.repeat(42)}`, [{ image: 'x'.repeat(42) }]],
    ['', [{ image: 'v1' }, { image: 'v2' }]],
    [
      'image v1',
      [
        { image: 'v1', port: 1 },
        { image: 'v1', port: 2 },
      ],
    ],
  ])('names the short arguments that all calls share: "%s"', (told, calls) => {
    const plan = plain(...calls.map((args) => made(invocation(['a'], args))));
    expect(planHeadline(plan, TOOLS)).toBe(['rollout on a', told, 'revision 2'].filter(Boolean).join(', '));
  });

  it('names an argument that repeats the targets of some calls alone', () => {
    const plan = plain(...['a', 'b'].map((target) => made(invocation([target], { host: 'a' }))));
    expect(planHeadline(plan, TOOLS)).toBe('rollout on a and b, host a, revision 2');
  });

  it('names the arguments of the riskiest tool alone', () => {
    const calls = [made(invocation(['a'], { image: 'v1' })), made(invocation(['a'], { disk: 'sda' }, tool('wipe')))];
    expect(planHeadline(plain(...calls), TOOLS)).toBe('wipe and rollout on a, disk sda, revision 2');
  });
});

describe('the risk of a plan', () => {
  const riskOf = (...invoked: ExpandedInvocation[]) => planRisk(plain(...invoked.map((each) => made(each))), TOOLS);
  const [rollout, wipe, look] = [['rollout'], ['wipe'], ['look']].map(([name]) =>
    invocation(['a'], {}, tool(name ?? '')),
  ) as [ExpandedInvocation, ExpandedInvocation, ExpandedInvocation];

  it('is that of its riskiest call, undo or check', () => {
    expect(riskOf(look)).toBe('low');
    expect([riskOf(look, wipe), riskOf(wipe, look)]).toEqual(['critical', 'critical']);
    expect(planRisk(plain(made(look, { compensate_with: rollout })), TOOLS)).toBe('high');
  });

  it('leaves out a tool that is missing', () => {
    expect(riskOf(look, invocation(['a'], {}, tool('nothing')))).toBe('low');
  });

  it('is critical without a known tool', () => {
    expect(planRisk(plain(), TOOLS)).toBe('critical');
    expect(riskOf(invocation(['a'], {}, tool('nothing')))).toBe('critical');
  });

  it('follows the command line of a call, and not its tool', () => {
    expect(riskOf(invocation(['a'], { line: 'ls' }, { shell: SHELL }))).toBe('low');
    expect(
      riskOf(
        invocation(
          ['a'],
          { line: 'rm a' },
          { shell: { ...SHELL, tier: 2, class: 'DESTRUCTIVE', risk: 'state_change_prod' } },
        ),
      ),
    ).toBe('critical');
  });
});

describe('paths in the description', () => {
  const write = (path: string, more: Partial<ExpandedPaths> = {}): ExpandedInvocation =>
    invocation(
      ['a'],
      { path },
      {
        paths: { reads: [], writes: ['/path'], tier: 2, class: 'UNKNOWN', risk: 'state_change_prod', ...more },
      },
    );
  const sidesOf = (...invoked: ExpandedInvocation[]) =>
    describePlan(plain(...invoked.map((each) => made(each))), TOOLS).phases[0]?.steps.map(({ call }) => call) ?? [];

  it('of code stand with their verdict, their reasons and the risk that they make', () => {
    expect(sidesOf(write('.mcp.json'))).toMatchObject([
      {
        tool: { risk: 'state_change_prod' },
        paths: { tier: 2, class: 'UNKNOWN', reasons: [{ code: 'paths.writes_code' }] },
      },
    ]);
  });

  it('that are ordinary say nothing', () => {
    expect(sidesOf(write('a.txt', { class: 'WRITE' }))).toMatchObject([{ paths: null }]);
  });

  it('of code are shown call by call, so that each has its own reasons', () => {
    expect(sidesOf(write('.mcp.json'), write('package.json'))).toHaveLength(2);
    const [first, second] = [write('a', { class: 'WRITE' }), write('b', { class: 'WRITE' })];
    expect(sidesOf(first, second)).toHaveLength(1);
    expect(sidesOf(first, write('b', { class: 'WRITE', writes: [], reads: ['/path'] }))).toHaveLength(2);
  });
});

describe('a command line in the description', () => {
  const line = (command: string, more: Partial<ExpandedLine> = {}): ExpandedInvocation =>
    invocation(['a'], { line: command, host: 'b' }, { shell: { ...SHELL, ...more } });
  const sidesOf = (...invoked: ExpandedInvocation[]) =>
    describePlan(plain(...invoked.map((each) => made(each))), TOOLS).phases[0]?.steps.map(({ call }) => call);

  it('stands with its verdict in the place of its argument, and has its own risk', () => {
    expect(sidesOf(line('ls | wc -l'))).toEqual([
      {
        tool: expect.objectContaining({ risk: 'read_only', effect: 'read' }) as unknown,
        shell: {
          argument: '/line',
          command: 'ls | wc -l',
          shell: 'bash',
          tier: 1,
          class: 'READ_ONLY',
          parts: [
            expect.objectContaining({ start: 0, end: 2, program: 'ls', tier: 1 }) as unknown,
            expect.objectContaining({ start: 5, end: 10, program: 'wc', tier: 1 }) as unknown,
          ],
        },
        paths: null,
        arguments: [{ name: 'host', value: 'b' }],
        targets_as: [],
      },
    ]);
  });

  it('has the reasons for each part, by the place in the line', () => {
    const [made] = sidesOf(line('ls; rm a', { tier: 2 })) ?? [];
    expect(made?.shell?.parts.map(({ reasons }) => reasons)).toEqual([
      [{ code: 'shell.read_only', message: 'ls lists files.', start: 0, end: 2 }],
      [
        { code: 'shell.destructive', message: expect.stringContaining('rm') as string, start: 4, end: 8 },
        { code: 'shell.writes_file', message: 'The line changes a.', start: 7, end: 8 },
      ],
    ]);
  });

  it('is shown once for calls of the same line, and by itself if it differs', () => {
    expect(sidesOf(line('ls'), line('ls'))).toHaveLength(1);
    expect(sidesOf(line('ls'), line('pwd'))?.map(({ shell }) => shell?.command)).toEqual(['ls', 'pwd']);
    expect(sidesOf(line('ls'), line('ls', { tier: 2 }))?.map(({ shell }) => shell?.tier)).toEqual([1, 2]);
  });

  it('stays among the arguments if it lies deeper than they are', () => {
    const nested = invocation(['a'], { how: { line: 'ls' } }, { shell: { ...SHELL, argument: '/how/line' } });
    expect(sidesOf(nested)?.[0]).toMatchObject({ shell: { command: 'ls' }, arguments: [{ name: 'how' }] });
  });
});

test.each<[boolean, unknown, string[]]>([
  [true, 'a', ['a']],
  [false, 'a', ['b']],
  [false, 'a', ['a', 'b']],
  [true, ['a', 'b'], ['a', 'b']],
  [false, ['b', 'a'], ['a', 'b']],
  [false, [], []],
  [false, 1, ['1']],
  [false, undefined, []],
])('an argument repeats its targets: %s for %j on %j', (repeats, value, targets) => {
  expect(repeatsTargets(invocation(targets, { hosts: value } as JsonObject), 'hosts')).toBe(repeats);
});

test('values are the same if they say the same', () => {
  expect(same(undefined, undefined)).toBe(true);
  expect(same({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(same(null, undefined)).toBe(false);
  expect(same(undefined, null)).toBe(false);
  expect(same(1, 2)).toBe(false);
});
