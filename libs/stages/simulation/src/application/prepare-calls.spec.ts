import { EXECUTOR_KINDS } from '#lib/dispatch';
import type { ToolDocument } from '#lib/formats';
import { sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { planToSimulate } from '../domain/simulation-calls.js';
import { FakeSimulationWorld } from './fake-simulation-world.js';
import { CallPreparation } from './prepare-calls.js';

let world: FakeSimulationWorld;
beforeEach(async () => {
  world = await FakeSimulationWorld.open();
});

/** The calls of a plan as they can be predicted now. */
const prepared = async () => {
  const { expansion } = await world.plannedFor(['web-1', 'web-2']);
  if (expansion === null) throw new Error('it was not expanded');
  const calls = planToSimulate(expansion.plan, [world.look, world.rollout]);
  if (!calls.ok) throw new Error(calls.error.code);
  const [first, second] = calls.value;
  if (first === undefined || second === undefined) throw new Error('too few calls');
  return (alter: readonly object[] = [{}, {}]) =>
    world.inTx((tx) =>
      new CallPreparation(world.tools, world.resolver, EXECUTOR_KINDS).prepare(
        tx,
        expansion.plan,
        world.tenant.production,
        [
          { ...first, ...alter[0] },
          { ...second, ...alter[1] },
        ],
      ),
    );
};
const registerLook = (document: Partial<ToolDocument>) => world.register(sampleTool('look', document, 2));

describe('the preparation of calls', () => {
  it('gives each the simulation tool that counts now, and its executor', async () => {
    const prepare = await prepared();
    await registerLook({});
    expect(await prepare()).toMatchObject({
      ok: true,
      value: [1, 2].map((seq) => ({
        call: { seq },
        with: { tool: { name: 'look', version: 2 }, executor: world.fleet },
      })),
    });
  });

  it('gives no tool to a call that nothing has to predict', async () => {
    const prepare = await prepared();
    expect(await prepare([{ simulatedBy: null }, {}])).toMatchObject({
      ok: true,
      value: [{ with: null }, { with: { tool: { name: 'look' } } }],
    });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['is gone', () => world.inTx((tx) => world.tools.remove(tx, 'look')), 'simulation.tool_missing'],
    [
      'changes state by now',
      () => registerLook({ risk: 'state_change_prod', effect: 'modify', simulated_by: null }),
      'simulation.tool_changes_state',
    ],
    ['has no executor in the environment', () => registerLook({ executor: 'elsewhere' }), 'simulation.no_executor'],
    [
      'has an executor that fetches its calls',
      async () => {
        const { production, admin } = world.tenant;
        const agents = sampleExecutor(production, { id: world.fleet.id, version: 2, kind: 'agent', url: null });
        await world.inTx((tx) => world.executors.save(tx, production.id, agents, admin.personId, 0));
      },
      'simulation.no_executor',
    ],
    [
      'takes other arguments by now',
      () => registerLook({ parameters: { type: 'object', additionalProperties: false, properties: {} } }),
      'simulation.arguments_do_not_fit',
    ],
  ])('is refused if the simulation tool %s', async (_what, change, code) => {
    const prepare = await prepared();
    await change();
    expect(await prepare()).toMatchObject({ ok: false, error: { code } });
  });

  it('T53: is refused if the simulation tool executes a command line, which has no verdict there', async () => {
    const prepare = await prepared();
    await registerLook({
      risk: 'state_change_nonprod',
      effect: 'modify',
      surface: 'terminal',
      simulated_by: null,
      shell: { argument: '/line', shell: 'bash' },
      parameters: { type: 'object', additionalProperties: false, properties: { line: { type: 'string' } } },
    });
    expect(await prepare()).toMatchObject({ ok: false, error: { code: 'simulation.tool_changes_state' } });
  });
});
