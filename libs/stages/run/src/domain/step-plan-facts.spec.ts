import type { CallFacts, PlanFacts, ToolFacts } from '#lib/policy-inputs';
import { stepPlanFacts } from './step-plan-facts.js';

const tool = (risk: ToolFacts['risk']) => ({ risk }) as ToolFacts;
const TOOLS = {
  'look@1': tool('read_only'),
  'guess@1': tool('plan_only'),
  'deploy@1': tool('state_change_prod'),
  'undo@1': tool('state_change_nonprod'),
};
const call = (seq: number, targets: readonly string[], more: Partial<CallFacts> = {}): CallFacts => ({
  seq,
  tool: 'deploy@1',
  targets: [...targets],
  compensation: null,
  compensation_targets: [],
  shell: null,
  compensation_shell: null,
  paths: null,
  compensation_paths: null,
  ...more,
});
const planOf = (...phases: readonly (readonly CallFacts[])[]): PlanFacts => ({
  id: 'plan',
  digest: 'sha256:0',
  phases: phases.map((calls, index) => ({
    index,
    name: `phase ${String(index)}`,
    canary: false,
    has_rollback_condition: true,
    batches: [{ index: 0, calls: [...calls] }],
  })),
});
const callsOf = (plan: PlanFacts, phase = 0): readonly CallFacts[] => plan.phases[phase]?.batches[0]?.calls ?? [];
const NOWHERE = { phaseIndex: 9, seq: 9 };

describe('the facts of a plan for one of its steps', () => {
  it('have one call for those of the same tool, with the targets of all, each once', () => {
    const plan = planOf([call(1, ['a', 'b']), call(2, ['b', 'c']), call(3, ['d'])]);
    expect(callsOf(stepPlanFacts(plan, TOOLS, NOWHERE))).toEqual([call(1, ['a', 'b', 'c', 'd'])]);
  });

  it("keep the step's own call as it is, in its place", () => {
    const plan = planOf([call(1, ['a']), call(2, ['b']), call(3, ['c'])], [call(4, ['d']), call(5, ['e'])]);
    const facts = stepPlanFacts(plan, TOOLS, { phaseIndex: 0, seq: 2 });
    expect(callsOf(facts)).toEqual([call(1, ['a', 'c']), call(2, ['b'])]);
    expect(callsOf(facts, 1)).toEqual([call(4, ['d', 'e'])]);
    expect(callsOf(stepPlanFacts(plan, TOOLS, { phaseIndex: 1, seq: 5 }))).toEqual([call(1, ['a', 'b', 'c'])]);
  });

  it('merge no call with one of another tool, or with another way back', () => {
    const undone = { compensation: 'undo@1', compensation_targets: ['x'] };
    const calls = [call(1, ['a']), call(2, ['b'], { tool: 'undo@1' }), call(3, ['c'], undone), call(4, ['d'], undone)];
    expect(callsOf(stepPlanFacts(planOf(calls), TOOLS, NOWHERE))).toEqual([
      calls[0],
      calls[1],
      call(3, ['c', 'd'], undone),
    ]);
  });

  it('merge no call that names its targets with one of the whole environment', () => {
    const whole = { compensation: 'undo@1', compensation_targets: [] };
    const calls = [
      call(1, ['a']),
      call(2, []),
      call(3, ['b'], whole),
      call(4, ['c'], { compensation: 'undo@1', compensation_targets: ['c'] }),
    ];
    expect(callsOf(stepPlanFacts(planOf(calls), TOOLS, NOWHERE))).toEqual(calls);
  });

  it('join the targets of the ways back, and leave those of calls that change nothing out', () => {
    const back = (name: string) => ({ compensation: 'undo@1', compensation_targets: [name] });
    const calls = [
      call(1, ['a'], back('a')),
      call(2, ['b'], back('b')),
      call(3, ['c'], { tool: 'look@1' }),
      call(4, ['d'], { tool: 'guess@1', compensation: 'look@1', compensation_targets: ['d'] }),
      call(5, ['e'], { tool: 'gone@1' }),
    ];
    expect(callsOf(stepPlanFacts(planOf(calls), TOOLS, NOWHERE))).toEqual([
      call(1, ['a', 'b'], { compensation: 'undo@1', compensation_targets: ['a', 'b'] }),
      call(3, [], { tool: 'look@1' }),
      call(4, [], { tool: 'guess@1', compensation: 'look@1' }),
      call(5, ['e'], { tool: 'gone@1' }),
    ]);
  });

  it('take the verdict on a command line or on paths for it whether a call changes something', () => {
    const line = (tier: 1 | 2): Partial<CallFacts> => ({
      shell: { tier, class: 'WRITE' },
    });
    const secret: Partial<CallFacts> = { tool: 'look@1', paths: { tier: 2, class: 'READ_ONLY' } };
    const calls = [
      call(1, ['a'], line(1)),
      call(2, ['b'], { tool: 'look@1', ...line(2) }),
      call(3, ['c'], secret),
      call(4, ['d'], { tool: 'look@1', paths: { tier: 1, class: 'READ_ONLY' } }),
      call(5, ['e'], secret),
    ];
    expect(callsOf(stepPlanFacts(planOf(calls), TOOLS, NOWHERE))).toEqual([
      call(1, [], line(1)),
      calls[1],
      call(3, ['c', 'e'], secret),
      call(4, [], { tool: 'look@1', paths: { tier: 1, class: 'READ_ONLY' } }),
    ]);
  });

  it('have no targets of calls that change nothing, however many', () => {
    const looks = [call(1, ['a'], { tool: 'look@1' }), call(2, ['b'], { tool: 'look@1' })];
    expect(callsOf(stepPlanFacts(planOf(looks), TOOLS, NOWHERE))).toEqual([call(1, [], { tool: 'look@1' })]);
  });

  it('are the whole plan if two calls have one number, in whichever phases', () => {
    const plan = planOf([call(1, ['a']), call(2, ['b'])], [call(2, ['c'])]);
    expect(stepPlanFacts(plan, TOOLS, { phaseIndex: 0, seq: 1 })).toBe(plan);
  });

  it('are made once for a revision, but for the phase of the step', () => {
    const plan = planOf([call(1, ['a'])], [call(2, ['b'])]);
    const [first, again] = [stepPlanFacts(plan, TOOLS, NOWHERE), stepPlanFacts(plan, TOOLS, NOWHERE)];
    expect(again).toBe(first);
    expect(stepPlanFacts(plan, TOOLS, { phaseIndex: 0, seq: 1 }).phases[1]).toBe(first.phases[1]);
  });

  it('keep everything else of the plan', () => {
    const plan = planOf([call(1, ['a']), call(2, ['b'])]);
    const { phases, ...rest } = stepPlanFacts(plan, TOOLS, { phaseIndex: 0, seq: 1 });
    expect(rest).toEqual({ id: 'plan', digest: 'sha256:0' });
    expect(phases).toMatchObject([{ index: 0, name: 'phase 0', canary: false, has_rollback_condition: true }]);
    expect(phases[0]?.batches).toMatchObject([{ index: 0 }]);
  });
});
