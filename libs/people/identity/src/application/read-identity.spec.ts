import { newId, type AgentId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { codeOf, FakeIdentityWorld, valueOf } from '../fake-identity-world.js';

const PAGE = { afterId: null, limit: 100 };

let world: FakeIdentityWorld;
let admin: PersonPrincipal;
let grace: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ({ admin } = world);
  grace = await world.person('Grace');
});
const registered = async (name: string, ownerId: PersonId): Promise<AgentId> =>
  valueOf(await world.register.execute(admin, { name, description: '', ownerId })).id;

describe('a reader of a tenant', () => {
  it('finds its people and agents, and none of another tenant', async () => {
    const { tenantId } = world.tenant;
    const agentId = await registered('bot', grace.personId);
    expect(valueOf(await world.read.person(tenantId, grace.personId))).toMatchObject({ displayName: 'Grace' });
    expect(valueOf(await world.read.agent(tenantId, agentId))).toMatchObject({ name: 'bot' });
    const elsewhere = newId<typeof tenantId>();
    expect(codeOf(await world.read.person(elsewhere, grace.personId))).toBe('resource.not_found');
    expect(codeOf(await world.read.agent(elsewhere, agentId))).toBe('resource.not_found');
    expect(await world.read.people(elsewhere, PAGE, { withoutIssuer: false })).toEqual([]);
    expect(await world.read.agents(elsewhere, PAGE)).toEqual([]);
  });
});

describe('a reader of credentials', () => {
  const seen = async (by: PersonPrincipal): Promise<readonly string[]> =>
    (await world.read.credentials(by, PAGE)).map(({ id }) => id);

  it('sees their own and their agents’, and an admin sees all', async () => {
    const alan = await world.person('Alan');
    const agentId = await registered('bot', grace.personId);
    const { credential } = valueOf(await world.mintForAgent.token(grace, { agentId, name: 'ci' }));
    expect(await seen(grace)).toEqual([grace.credentialId, credential.id].sort());
    expect(await seen(alan)).toEqual([alan.credentialId]);
    expect(await seen(admin)).toEqual(
      [admin.credentialId, grace.credentialId, alan.credentialId, credential.id].sort(),
    );
  });

  it('T17: sees their own alone without the role, or with a credential that may not administer', async () => {
    expect(await seen({ ...admin, scopes: ['read'] })).toEqual([admin.credentialId]);
    expect(await seen({ ...grace, scopes: ['read', 'admin'] })).toEqual([grace.credentialId]);
  });
});

describe('a standing, as people read it', () => {
  it('names the people who share the vote, and tells how the person is known', async () => {
    const { tenantId } = world.tenant;
    const alan = await world.person('Alan');
    await world.comesIn(admin.personId, { channel: 'bootstrap', createdBy: null });
    await world.comesIn(grace.personId, { channel: 'shown', createdBy: admin.personId });
    const standings = await world.read.standings(tenantId, [admin.personId, grace.personId, alan.personId]);
    expect(standings.get(admin.personId)).toMatchObject({
      known: true,
      knownBy: [{ basis: 'founder', words: 'founded this tenant' }],
      sharedWith: [],
    });
    expect(standings.get(grace.personId)).toMatchObject({
      known: false,
      knownBy: [{ basis: 'token', words: 'came in by a token that Ada the admin made' }],
      sharedWith: [{ id: admin.personId, displayName: 'Ada the admin' }],
    });
    expect(standings.get(alan.personId)).toEqual({ known: false, knownBy: [], sharedWith: [] });
  });
});
