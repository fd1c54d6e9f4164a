import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleRollout, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { rolloutDocument } from '../../../plan/src/application/fake-plan-world.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { haltScopeOf } from './halt-scope.js';
import { planToSimulate, waitSecondsOf } from './simulation-calls.js';

const tenant = sampleTenant();
const task = sampleTask(tenant);
const look = sampleTool('look');
const { name: _name, ...rolling } = sampleRollout().definition;
/** A plan that looks at each batch before it changes it. */
const expandedWith = (rollout = sampleRollout(), waitSeconds = 0) => {
  const document = rolloutDocument();
  const phases = document.phases.map((phase) => ({
    ...phase,
    wait_seconds: waitSeconds,
    steps: phase.steps.flatMap((step) => [
      { ...step, id: `look-${step.id}`, tool: 'look', arguments: { targets: { $batch: 'targets' } } },
      step,
    ]),
  }));
  return samplePlan(tenant, task, { document: { ...document, phases }, tools: [rollout, look] });
};

describe('the calls of a plan that a simulation is about', () => {
  it('are those that change state, in order, each with the tool that predicts it', () => {
    const rollout = sampleRollout();
    const calls = planToSimulate(expandedWith(rollout).expansion.plan, [look, rollout]);
    expect(calls).toMatchObject({
      ok: true,
      value: [2, 4, 6].map((seq) => ({ call: { seq }, tool: { name: 'rollout' }, simulatedBy: 'look' })),
    });
  });

  it('have no tool that predicts them if their own tool needs none', () => {
    const free = sampleTool('rollout', {
      ...rolling,
      idempotent: true,
      simulated_by: null,
      simulation: 'not_applicable',
    });
    const calls = planToSimulate(expandedWith(free).expansion.plan, [look, free]);
    expect(calls).toMatchObject({ ok: true, value: [{ simulatedBy: null }, {}, {}] });
  });

  it('are refused if a tool needs a prediction and names no tool for it', () => {
    const blind = sampleTool('rollout', { ...rolling, simulated_by: null });
    expect(planToSimulate(expandedWith(blind).expansion.plan, [look, blind])).toMatchObject({
      ok: false,
      error: { code: 'simulation.no_tool' },
    });
  });

  it('are unknown without the versions that the plan holds', () => {
    const { plan } = expandedWith().expansion;
    expect(() => planToSimulate(plan, [look])).toThrow('rollout@1');
    expect(() => planToSimulate(plan, [look, sampleRollout(2)])).toThrow('rollout@1');
  });
});

it('a run waits after each batch', () => {
  expect(waitSecondsOf(expandedWith(sampleRollout(), 30).expansion.plan)).toBe(90);
});

describe('a halt stops a simulation', () => {
  it('of the environment, of the agents, and of the tools that are predicted or predict', () => {
    const rollout = sampleRollout();
    const { expansion, submitter } = expandedWith(rollout);
    const calls = planToSimulate(expansion.plan, [look, rollout]);
    expect(calls.ok && haltScopeOf(task, submitter, calls.value)).toEqual({
      environmentId: tenant.production.id,
      agentIds: [tenant.agent.agentId],
      tools: ['rollout', 'look'],
    });
  });

  it('of no agent if people submitted both task and plan', () => {
    const { submitter } = sampleTask(tenant, { by: tenant.owner });
    expect(haltScopeOf({ ...task, submitter }, submitter, []).agentIds).toEqual([]);
    expect(haltScopeOf({ ...task, submitter }, task.submitter, []).agentIds).toEqual([tenant.agent.agentId]);
  });
});
