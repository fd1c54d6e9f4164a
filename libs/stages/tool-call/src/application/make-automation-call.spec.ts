import { CALLS_PER_HOUR } from '#lib/formats';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { definitionText, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { fakeToolCalls } from './fake-tool-calls.js';

it('puts no call to the policies that is over the limit of its agent', async () => {
  const world = fakeWorld();
  const { uow, home } = world;
  const { parts, stores, rows, audit, policy } = fakeToolCalls(world);
  const tool = sampleTool('look');
  await uow.run(home.tenantId, (tx) =>
    stores.tools.addVersion(tx, tool, definitionText(tool.definition), home.admin.personId, 0),
  );
  jest.spyOn(rows.calls, 'lockUse').mockResolvedValue({ inHour: CALLS_PER_HOUR, inTurn: 0, inFlight: 0 });
  const decides = jest.spyOn(policy, 'decide');
  const { agentId } = home.agent;
  const asked = { tool: 'look', environment: 'staging', agentId, accepted: null, arguments: { targets: ['web-01'] } };
  const made = await uow.run(home.tenantId, (tx) => parts.makeAutomationCall.execute(tx, home.agent, asked, []));
  expect(made).toMatchObject({ ok: false, error: { code: 'tool_call.budget_spent' } });
  expect(decides).not.toHaveBeenCalled();
  expect(audit.of(home).map(({ action }) => action)).toEqual(['tool_call.limited']);
});

it('counts a call that lacks a fact in the hour of its agent', async () => {
  const world = fakeWorld();
  const { uow, home } = world;
  const { parts, rows, policy } = fakeToolCalls(world);
  const decides = jest.spyOn(policy, 'decide');
  const { agentId } = home.agent;
  const asked = { tool: 'never', environment: 'staging', agentId, accepted: null, arguments: {} };
  const made = await uow.run(home.tenantId, (tx) => parts.makeAutomationCall.execute(tx, home.agent, asked, []));
  expect(made).toMatchObject({ value: { kind: 'blocked', fault: { code: 'policy.unknown_tool' } } });
  expect(decides).not.toHaveBeenCalled();
  const used = await uow.run(home.tenantId, (tx) => rows.calls.lockUse(tx, { kind: 'agent', id: agentId }, null));
  expect(used.inHour).toBe(1);
});
