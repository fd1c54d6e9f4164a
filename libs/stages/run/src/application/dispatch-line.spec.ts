import type { ToolDefinition } from '#lib/formats';
import { register } from '../fake-run-registry.js';
import { newHost, phase, RUN_TOOLS, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

/** Executes a command line. */
const shell = (): ToolDefinition => {
  const [deploy] = RUN_TOOLS;
  if (deploy === undefined) throw new Error('there are no tools');
  const line = { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false };
  return {
    ...deploy,
    name: 'shell',
    surface: 'terminal',
    requires_plan: false,
    identity_fields: [],
    parameters: line,
    shell: { argument: '/line', shell: 'bash' },
  };
};
const executing = (line: string) => ({ tool: 'shell', arguments: { line } });

describe('T53: a call with a command line', () => {
  beforeEach(() => world().tx((tx) => register(tx, world().tools, world().home, [shell()])));

  it('is sent with the tree and the tier that people approved, and so is the line that undoes it', async () => {
    const staging = { mode: 'full_auto' as const, allowed_approvers: ['SRELead'] };
    world().autonomy({ autonomy: { mode: 'plan_only', environments: { staging } } });
    const steps = [step('write', { ...executing('touch a'), compensate_with: executing('rm a') })];
    const planId = await world().plan({ phases: [phase('one', [], steps, { wait_seconds: 600 })] });
    await world().predict(planId);
    const lead = world().approvals.person(world().agent, 'SRELead');
    await world().approvals.approve(lead, await world().approvals.ask(world().agent, planId));
    const { id } = valueOf(await world().parts.start.execute(world().agent, planId));
    await world().settle(id);
    valueOf(await world().parts.control.execute(world().person, id, 'roll_back', 'not good'));
    await world().settle(id);

    const expanded = (await world().tx((tx) => world().plans.find(tx, planId)))?.expansion?.plan;
    const approved = expanded?.phases[0]?.batches[0]?.calls[0];
    const [call, undo] = world().calls;
    expect(call).toMatchObject({ basis: 'approval', shell: { tier: 2, tree: approved?.invocation.shell?.tree } });
    expect(undo).toMatchObject({ basis: 'rollback', shell: { tier: 2, tree: approved?.compensate_with?.shell?.tree } });
    expect(call?.shell?.tree).not.toBe(undo?.shell?.tree);
  });

  it('is Tier 1 in its grant if it only reads, and no other call names a line', async () => {
    const steps = [step('list', executing('ls')), step('deploy')];
    const { id } = await world().queued({ phases: [phase('one', [newHost()], steps)] });
    await world().settle(id);
    expect(world().calls).toMatchObject([{ basis: 'policy', shell: { shell: 'bash', tier: 1 } }, { shell: null }]);
  });
});
