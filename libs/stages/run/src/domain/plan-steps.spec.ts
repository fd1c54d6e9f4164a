import { call, invocation, phase, planOf } from './fake-run-plan.js';
import { invocationOf, phasesOf, plannedSteps, stepToolsOf, targetsToLock, type StepTool } from './plan-steps.js';

const TOOLS = new Map<string, StepTool>([
  ['deploy@1', { idempotent: true, changes: true }],
  ['undeploy@3', { idempotent: true, changes: true }],
  ['look@1', { idempotent: true, changes: false }],
  ['check web@1', { idempotent: true, changes: false }],
]);
const undo = invocation('undeploy', ['web-1', 'db-1'], 3);
const PLAN = planOf(
  phase(0, [{ calls: [call(1, ['web-2'], { compensate_with: undo })], checks: ['web'] }], { canary: true }),
  phase(1, [
    {
      calls: [
        call(2, ['web-4']),
        call(3, ['web-3'], { on_failure: 'retry', invocation: invocation('look', ['web-9']) }),
      ],
    },
    { calls: [], checks: ['web'] },
  ]),
);

it('the tools of a plan change something if their risk is a change of state', () => {
  const facts = (risk: string) => ({ risk, idempotent: risk === 'read_only' });
  const tools = stepToolsOf({
    'a@1': facts('read_only'),
    'b@1': facts('plan_only'),
    'c@1': facts('state_change_nonprod'),
    'd@1': facts('state_change_prod'),
  } as unknown as Parameters<typeof stepToolsOf>[0]);
  expect([...tools]).toEqual([
    ['a@1', { idempotent: true, changes: false }],
    ['b@1', { idempotent: false, changes: false }],
    ['c@1', { idempotent: false, changes: true }],
    ['d@1', { idempotent: false, changes: true }],
  ]);
});

it.each([
  ['all', [0, 1]],
  ['canary', [0]],
  ['promotion', [1]],
] as const)('the phases of a run of %s are %j', (phases, indexes) => {
  expect(phasesOf(PLAN, phases).map(({ index }) => index)).toEqual(indexes);
});

describe('the steps of a run', () => {
  it('are the calls of each batch, and then its health checks', () => {
    const steps = plannedSteps(PLAN, 'all', TOOLS);
    expect(steps.map(({ position, kind, stepId, seq }) => [position, kind, stepId, seq])).toEqual([
      [1, 'call', 'step 1', 1],
      [2, 'health_check', 'web', 1],
      [3, 'call', 'step 2', 2],
      [4, 'call', 'step 3', 3],
      [5, 'health_check', 'web', 0],
    ]);
    expect(steps.map(({ phaseIndex, batchIndex, healthRound }) => [phaseIndex, batchIndex, healthRound])).toEqual([
      [0, 0, 0],
      [0, 0, 1],
      [1, 0, 0],
      [1, 0, 0],
      [1, 1, 1],
    ]);
  });

  it('have the facts of their tools, of the way back, and of the plan', () => {
    const [first, check, , third] = plannedSteps(PLAN, 'all', TOOLS);
    expect(first).toMatchObject({
      toolName: 'deploy',
      toolVersion: 1,
      idempotent: true,
      changes: true,
      onFailure: 'pause',
      compensationIdempotent: true,
    });
    expect(check).toMatchObject({
      toolName: 'check web',
      changes: false,
      onFailure: 'pause',
      compensationIdempotent: null,
    });
    expect(third).toMatchObject({ toolName: 'look', changes: false, onFailure: 'retry', compensationIdempotent: null });
  });

  it('count a tool that is missing as one that changes something and is not idempotent', () => {
    const [step] = plannedSteps(PLAN, 'all', new Map());
    expect(step).toMatchObject({ idempotent: false, changes: true, compensationIdempotent: false });
  });

  it.each([
    ['read_only', false],
    ['state_change_prod', true],
  ] as const)('change something if their command line does, whatever their tool says: %s', (risk, changes) => {
    const line = { ...invocation('deploy', []), shell: { risk } } as ReturnType<typeof invocation>;
    const plan = planOf(phase(0, [{ calls: [call(1, [], { invocation: line })] }]));
    expect(plannedSteps(plan, 'all', TOOLS)).toMatchObject([{ idempotent: true, changes }]);
  });

  it('are those of its phases alone', () => {
    expect(plannedSteps(PLAN, 'promotion', TOOLS).map(({ position, seq }) => [position, seq])).toEqual([
      [1, 2],
      [2, 3],
      [3, 0],
    ]);
  });
});

describe('the targets that a run holds', () => {
  it('are all that its calls and compensations may change, each once and in order', () => {
    expect(targetsToLock(PLAN, 'all', TOOLS)).toEqual(['db-1', 'web-1', 'web-2', 'web-4']);
    expect(targetsToLock(PLAN, 'promotion', TOOLS)).toEqual(['web-4']);
  });

  it('are the whole environment for a call that names none', () => {
    const plan = planOf(phase(0, [{ calls: [call(1, [])] }]));
    const [only, ...others] = targetsToLock(plan, 'all', TOOLS);
    expect(others).toEqual([]);
    expect(only).toContain('production');
    const reading = planOf(phase(0, [{ calls: [call(1, [], { invocation: invocation('look', []) })] }]));
    expect(targetsToLock(reading, 'all', TOOLS)).toEqual([]);
  });
});

describe('the invocation behind a step', () => {
  const at = (phaseIndex: number, batchIndex: number, seq: number) =>
    ({ kind: 'call', phaseIndex, batchIndex, seq, stepId: 'step' }) as const;
  const check = { kind: 'health_check', phaseIndex: 0, batchIndex: 0, seq: 1, stepId: 'web' } as const;

  it("is the call's own, or the one that undoes it", () => {
    expect(invocationOf(PLAN, at(0, 0, 1), 'call')).toEqual(invocation('deploy', ['web-2']));
    expect(invocationOf(PLAN, at(0, 0, 1), 'compensation')).toEqual(undo);
    expect(invocationOf(PLAN, at(1, 0, 3), 'call')).toEqual(invocation('look', ['web-9']));
    expect(invocationOf(PLAN, at(1, 0, 2), 'compensation')).toBeNull();
  });

  it('is the health check of its batch, by name', () => {
    expect(invocationOf(PLAN, check, 'call')).toEqual(invocation('check web', []));
    expect(invocationOf(PLAN, { ...check, stepId: 'db' }, 'call')).toBeNull();
    expect(invocationOf(PLAN, { ...check, phaseIndex: 1 }, 'call')).toBeNull();
  });

  it.each([
    ['phase', at(2, 0, 1)],
    ['batch', at(0, 1, 1)],
    ['call', at(0, 0, 2)],
  ])('is none if the plan lacks its %s', (_what, step) => {
    expect(invocationOf(PLAN, step, 'call')).toBeNull();
    expect(invocationOf(PLAN, step, 'compensation')).toBeNull();
    expect(invocationOf(PLAN, { ...step, kind: 'health_check' }, 'call')).toBeNull();
  });
});
