import { newId, type AgentId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { codeOf, FakeIdentityWorld, valueOf } from '../fake-identity-world.js';
import type { Agent } from '../domain/agent.js';

let world: FakeIdentityWorld;
let admin: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ({ admin } = world);
});
/** The change request, as a second person confirms it. */
function confirmed() {
  const [change] = world.twoPersonRule.waitingIn(world.tenant);
  if (change === undefined) throw new Error('no change waits');
  return { change, confirmation: sampleConfirmation(change, admin, { ...admin, personId: newId<PersonId>() }) };
}

describe('people', () => {
  it('are added once for each address, and can do nothing yet', async () => {
    const wanted = { email: 'grace@example.com', displayName: 'Grace' };
    const person = valueOf(await world.add.execute(admin, wanted));
    expect(person).toMatchObject({ ...wanted, enrolledAt: null, roles: [] });
    expect(codeOf(await world.add.execute(admin, { ...wanted, email: 'GRACE@example.com' }))).toBe(
      'identity.email_taken',
    );
    expect(world.actions()).toEqual(['person.added']);
  });

  it('take no name that is somebody’s, a person’s or an agent’s', async () => {
    const grace = await world.stranger('Grace');
    await world.register.execute(admin, { name: 'drift-bot', description: '', ownerId: admin.personId });
    const rename = async (displayName: string): Promise<string> =>
      codeOf(await world.change.execute(admin, grace.id, { displayName }));
    expect(await rename('ada the ADMIN')).toBe('person.name_taken');
    expect(await rename('Drift-Bot')).toBe('person.name_taken');
    expect(await rename('Grace Hopper')).toBe('ok');
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({ payload: { renamed_from: 'Grace' } });
  });

  it('lose every token at once if they are disabled, and keep the first moment of it', async () => {
    const alan = await world.person('Alan');
    expect(codeOf(await world.change.execute(admin, alan.personId, { disabled: true }))).toBe('ok');
    const at = world.uow.now;
    expect(await world.tx((tx) => world.credentials.stillGood(tx, alan.personId, alan.credentialId))).toBe(false);
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({
      action: 'person.disabled',
      payload: { revoked_tokens: 1, disabled: true },
    });
    world.uow.now += 60_000;
    await world.change.execute(admin, alan.personId, { disabled: true });
    expect(await world.found(alan.personId)).toMatchObject({ disabledAt: at });
  });

  it('T46: are never disabled if no other person could administer', async () => {
    expect(codeOf(await world.change.execute(admin, admin.personId, { disabled: true }))).toBe('identity.last_admin');
    expect(await world.found(admin.personId)).toMatchObject({ disabledAt: null });
    expect(codeOf(await world.change.execute(admin, newId<PersonId>(), { disabled: true }))).toBe('resource.not_found');
  });

  it('T34: come back with their roles once a second person agrees, and are then as they were shown', async () => {
    const alan = await world.person('Alan');
    await world.assign.execute(admin, alan.personId, 'SRELead');
    await world.change.execute(admin, alan.personId, { disabled: true });
    world.twoPersonRule.secondAdmin = true;
    const back = valueOf(await world.change.execute(admin, alan.personId, { disabled: false }));
    expect(back).toMatchObject({ outcome: 'waits' });
    expect(await world.found(alan.personId)).toMatchObject({ disabledAt: expect.any(Number) as number });
    const { change, confirmation } = confirmed();
    expect(change).toMatchObject({ kind: 'person_enabled', beneficiary: alan.personId });
    const wanted = world.change.payload.parse(change.payload);
    expect(codeOf(await world.tx((tx) => world.change.carryOut(tx, confirmation, wanted)))).toBe('ok');
    expect(await world.found(alan.personId)).toMatchObject({ disabledAt: null });
  });

  it('come back at once if they hold no role', async () => {
    const alan = await world.person('Alan');
    await world.change.execute(admin, alan.personId, { disabled: true });
    world.twoPersonRule.secondAdmin = true;
    expect(valueOf(await world.change.execute(admin, alan.personId, { disabled: false }))).toMatchObject({
      outcome: 'done',
    });
  });
});

describe('roles', () => {
  const assign = async (personId: PersonId, role: string, by = admin): Promise<string> =>
    codeOf(await world.assign.execute(by, personId, role));

  it.each([
    ['a name that is none', 'no role!', 'identity.role_name'],
    ['the word for every role', 'Any', 'identity.role_name'],
  ])('refuse %s', async (_, role, code) => {
    const { id } = await world.stranger('Grace');
    expect(await assign(id, role)).toBe(code);
  });

  it('T03: are not given to oneself, to the disabled, nor twice', async () => {
    const { id } = await world.stranger('Grace');
    expect(await assign(admin.personId, 'SRELead')).toBe('identity.self_assignment');
    expect(await assign(newId<PersonId>(), 'SRELead')).toBe('resource.not_found');
    const answer = valueOf(await world.assign.execute(admin, id, 'SRELead'));
    expect(answer).toMatchObject({ outcome: 'done', value: await world.found(id) });
    expect(await assign(id, 'SRELead')).toBe('identity.role_held');
    await world.change.execute(admin, id, { disabled: true });
    expect(await assign(id, 'SecurityReviewer')).toBe('identity.person_disabled');
    expect(await world.rolesOf(id)).toEqual(['SRELead']);
  });

  it('T34: wait for a second person, who sees how the person came in', async () => {
    world.twoPersonRule.secondAdmin = true;
    const grace = await world.person('Grace');
    expect(valueOf(await world.assign.execute(admin, grace.personId, 'SRELead'))).toMatchObject({ outcome: 'waits' });
    const { change, confirmation } = confirmed();
    expect(change).toMatchObject({ kind: 'role_assignment', beneficiary: grace.personId, detail: { role: 'SRELead' } });
    expect(change.loosens.join()).toContain('who has not enrolled yet');
    expect(await world.rolesOf(grace.personId)).toEqual([]);
    const wanted = world.assign.payload.parse(change.payload);
    expect(codeOf(await world.tx((tx) => world.assign.carryOut(tx, confirmation, wanted)))).toBe('ok');
    const { roles } = await world.found(grace.personId);
    expect(roles).toMatchObject([{ role: 'SRELead', assignedBy: admin.personId }]);
  });

  it('T39: make an unused token of the person open nothing', async () => {
    const grace = await world.stranger('Grace');
    const { token } = valueOf(await world.issue.execute(admin, grace.id));
    await world.assign.execute(admin, grace.id, 'SRELead');
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({ payload: { voided_enrolments: 1 } });
    expect(codeOf(await world.exchange.execute(token, { name: 'laptop' }))).toBe('enrolment.refused');
  });

  it('are taken away once, and the last admin keeps theirs (T46)', async () => {
    const revoke = async (personId: PersonId, role: string): Promise<string> =>
      codeOf(await world.revokeRole.execute(admin, personId, role));
    const grace = await world.person('Grace', ['read', 'admin']);
    await assign(grace.personId, 'SRELead');
    expect([await revoke(grace.personId, 'SRELead'), await revoke(grace.personId, 'SRELead')]).toEqual([
      'ok',
      'resource.not_found',
    ]);
    expect(await revoke(admin.personId, 'PlatformAdmin')).toBe('identity.last_admin');
    await assign(grace.personId, 'PlatformAdmin');
    expect(await revoke(admin.personId, 'PlatformAdmin')).toBe('ok');
    expect(await world.rolesOf(admin.personId)).toEqual([]);
  });
});

describe('agents', () => {
  const registered = async (name: string, ownerId = admin.personId): Promise<Agent> =>
    valueOf(await world.register.execute(admin, { name, description: 'looks', ownerId }));

  it('have an accountable person who is not disabled, and a name of their own', async () => {
    const { id } = await world.stranger('Grace');
    await world.change.execute(admin, id, { disabled: true });
    const register = async (name: string, ownerId: PersonId): Promise<string> =>
      codeOf(await world.register.execute(admin, { name, description: '', ownerId }));
    expect(await register('bot', id)).toBe('identity.agent_owner');
    expect(await register('bot', newId<PersonId>())).toBe('identity.agent_owner');
    expect(await register('bot', admin.personId)).toBe('ok');
    expect(await register('bot', admin.personId)).toBe('identity.agent_name_taken');
  });

  it.each(['automation:heal', ' Automation : heal', 'ａutomation:heal'])(
    'take no name that reads like the agent of an automation: %s',
    async (name) => {
      const wanted = { name, description: '', ownerId: admin.personId };
      expect(codeOf(await world.register.execute(admin, wanted))).toBe('identity.agent_name_reserved');
      const { id } = await registered('bot');
      expect(codeOf(await world.changeAgent.execute(admin, id, { name }))).toBe('identity.agent_name_reserved');
    },
  );

  it('take no name that reads like somebody’s', async () => {
    const { id } = await registered('bot');
    await registered('other-bot');
    const rename = async (name: string): Promise<string> =>
      codeOf(await world.changeAgent.execute(admin, id, { name }));
    expect(await rename('OTHER-BOT')).toBe('person.name_taken');
    expect(await rename('bot-2')).toBe('ok');
    expect(codeOf(await world.changeAgent.execute(admin, newId<AgentId>(), { name: 'x' }))).toBe('resource.not_found');
  });

  it('T34: are handed over once a second person agrees: the former owner may review from then on', async () => {
    const [{ id }, grace] = [await registered('bot'), await world.person('Grace')];
    world.twoPersonRule.secondAdmin = true;
    expect(valueOf(await world.changeAgent.execute(admin, id, { ownerId: grace.personId }))).toMatchObject({
      outcome: 'waits',
    });
    const { change, confirmation } = confirmed();
    expect(change).toMatchObject({ kind: 'agent_owner', beneficiary: admin.personId });
    const wanted = world.changeAgent.payload.parse(change.payload);
    await world.tx((tx) => world.changeAgent.carryOut(tx, confirmation, wanted));
    expect(await world.tx((tx) => world.agents.find(tx, id))).toMatchObject({ ownerId: grace.personId });
  });

  it('are disabled at once', async () => {
    const { id } = await registered('bot');
    world.twoPersonRule.secondAdmin = true;
    expect(valueOf(await world.changeAgent.execute(admin, id, { disabled: true }))).toMatchObject({ outcome: 'done' });
    expect(world.actions().at(-1)).toBe('agent.disabled');
    await world.changeAgent.execute(admin, id, { disabled: true });
    await world.changeAgent.execute(admin, id, { disabled: false });
    // All that it has under way ends with it, once.
    expect(world.disabledAgents).toEqual([id]);
  });
});
