import { newId, type AgentId } from '#lib/kernel';
import { automationSource, callStep, FakeAutomationWorld, there, valueOf } from './fake-automation-world.js';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

const SOURCE = automationSource('heal', callStep('look'));

it('T17: an automation makes no call once the person who answers for its agent is disabled', async () => {
  const automation = await world.enabled(SOURCE);
  await world.disablePerson(world.ada.personId);
  await world.tick(automation);
  await world.work(automation);
  expect((await world.last(automation)).run).toMatchObject({
    state: 'failed',
    fault: { code: 'automation.owner_disabled' },
  });
  expect(world.made).toEqual([]);
});

it('is given another credential for the same agent if an admin enables it after the first one was revoked', async () => {
  const first = await world.enabled(SOURCE);
  const { agentId, credentialId } = there(first.identity);
  await world.tx((tx) => world.credentials.revoke(tx, credentialId, world.uow.now));
  await world.tick(first);
  await world.work(first);
  expect((await world.last(first)).run.fault?.code).toBe('automation.credential_revoked');
  valueOf(await world.change.disable(world.ada, first.id));
  const second = valueOf(await world.change.enable(world.ada, first.id, first.revision.sha256));
  expect(second.identity).toMatchObject({ agentId, ownerId: world.ada.personId });
  expect(second.identity?.credentialId).not.toBe(credentialId);
  await world.tick(second);
  await world.work(second);
  expect(world.made).toEqual([expect.objectContaining({ credentialId: second.identity?.credentialId })]);
});

it.each([
  ['agent', 'automation.agent_disabled'],
  ['owner', 'automation.owner_disabled'],
] as const)('is not enabled while its %s is disabled', async (which, code) => {
  const { id, identity, revision } = await world.enabled(SOURCE);
  const grace = await world.admin();
  valueOf(await world.change.disable(grace, id));
  if (which === 'owner') await world.disablePerson(world.ada.personId);
  else
    await world.tx(async (tx) => {
      const agent = there(await world.agents.find(tx, there(identity).agentId));
      await world.agents.save(tx, { ...agent, disabledAt: world.uow.now });
    });
  const refused = await world.change.enable(grace, id, revision.sha256);
  expect(refused).toMatchObject({ ok: false, error: { code } });
});

it('writes down the agent and the credential that it was given', async () => {
  const { identity } = await world.enabled(SOURCE);
  const made = world.audit.of(world.tenant).filter(({ action }) => /^(agent|credential)\./.test(action));
  expect(made).toMatchObject([
    { action: 'agent.registered', subject: { id: identity?.agentId }, payload: { name: 'automation:heal' } },
    { action: 'credential.minted', subject: { id: identity?.credentialId }, payload: { kind: 'automation' } },
  ]);
});

it('goes on for the person who answers for the agent now, and not for the one who enabled it', async () => {
  const [automation, grace] = [await world.enabled(SOURCE), await world.admin()];
  await world.tx(async (tx) => {
    const agent = there(await world.agents.find(tx, there(automation.identity).agentId));
    await world.agents.save(tx, { ...agent, ownerId: grace.personId });
  });
  await world.disablePerson(world.ada.personId);
  await world.tick(automation);
  await world.work(automation);
  expect((await world.last(automation)).run.state).toBe('executing');
  expect(world.made).toHaveLength(1);
});

it('is not enabled while another agent has the name that it would act under', async () => {
  const { ownerId } = world.tenant.agent;
  const taken = { id: newId<AgentId>(), name: 'automation:heal', description: 'Heals.', ownerId };
  await world.tx((tx) => world.agents.insert(tx, taken));
  const { automation } = valueOf(await world.propose.execute(world.ada, SOURCE));
  const refused = await world.change.enable(world.ada, automation.id, automation.revision.sha256);
  expect(refused).toMatchObject({ ok: false, error: { code: 'automation.agent_name_taken' } });
  expect(await world.find(automation.id)).toMatchObject({ state: 'proposed', identity: null });
});
