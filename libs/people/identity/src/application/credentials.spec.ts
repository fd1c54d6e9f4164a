import { newId, type AgentId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { sampleCredential, sampleDigest } from './fake-credential-samples.js';
import { codeOf, FakeIdentityWorld, MAX_TOKENS, valueOf } from '../fake-identity-world.js';
import { ENROLMENT_LIFETIME_MS } from '../domain/lifetime.js';
import { tokenKindOf } from '../domain/token.js';

const DAY_MS = 86_400_000;

let world: FakeIdentityWorld;
let admin: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ({ admin } = world);
});

describe('a token of one’s own', () => {
  const mint = async (by: PersonPrincipal, wanted: object = {}): Promise<string> =>
    codeOf(await world.mintOwn.execute(by, { name: 'laptop', ...wanted }));

  it('is shown once, is good for 90 days, and is never in the log', async () => {
    const grace = await world.person('Grace');
    const { token, credential } = valueOf(await world.mintOwn.execute(grace, { name: 'laptop' }));
    expect(tokenKindOf(token)).not.toBeNull();
    expect(credential).toMatchObject({ createdBy: grace.personId, expiresAt: world.uow.now + 90 * DAY_MS });
    expect(token.startsWith(credential.prefix)).toBe(true);
    expect(JSON.stringify(world.audit.of(world.tenant))).not.toContain(token);
  });

  it('T17: goes no further than the roles, and than the credential that asks for it', async () => {
    const grace = await world.person('Grace', ['read', 'submit', 'admin']);
    expect(await mint(grace, { scopes: ['admin'] })).toBe('credential.scope_not_allowed');
    expect(await mint({ ...admin, scopes: ['read'] }, { scopes: ['admin'] })).toBe('credential.scope_not_allowed');
    expect(await mint(admin, { scopes: ['admin'] })).toBe('ok');
  });

  it.each([0, 366, 1.5])('lives from one day to a year, and not %p days', async (expiresInDays) => {
    expect(await mint(admin, { expiresInDays })).toBe('credential.lifetime');
  });

  it('is refused to a credential that ended meanwhile', async () => {
    const grace = await world.person('Grace');
    await world.revoke.execute(grace, grace.credentialId);
    expect(await mint(grace)).toBe('credential.ended');
  });

  it('T47: is bounded by the live tokens of its holder, and by their tokens of a day', async () => {
    const grace = await world.person('Grace');
    for (let more = 1; more < MAX_TOKENS; more += 1) expect(await mint(grace)).toBe('ok');
    expect(await mint(grace)).toBe('credential.too_many_tokens');
    let code = 'ok';
    for (let made = 0; code === 'ok' && made < 100; made += 1) {
      const page = { afterId: null, limit: 100 };
      const all = await world.tx((tx) => world.credentials.list(tx, { personId: grace.personId, all: false }, page));
      const spare = all.find(({ id, revokedAt }) => id !== grace.credentialId && revokedAt === null);
      if (spare !== undefined) await world.revoke.execute(grace, spare.id);
      code = await mint(grace);
    }
    expect(code).toBe('credential.too_many_made');
  });
});

describe('a credential of an agent', () => {
  const agentOf = async (ownerId: PersonId): Promise<AgentId> =>
    valueOf(await world.register.execute(admin, { name: `bot-${newId()}`, description: '', ownerId })).id;

  it('is minted by its owner or an admin, and never decides', async () => {
    const [grace, alan] = [await world.person('Grace'), await world.person('Alan')];
    const agentId = await agentOf(grace.personId);
    const mint = async (by: PersonPrincipal, scopes?: readonly ('read' | 'review')[]): Promise<string> =>
      codeOf(await world.mintForAgent.token(by, { agentId, name: 'ci', ...(scopes && { scopes }) }));
    expect(await mint(alan)).toBe('identity.not_agent_owner');
    expect(await mint({ ...admin, scopes: ['read'] })).toBe('identity.not_agent_owner');
    expect(await mint(admin, ['review'])).toBe('credential.scope_not_allowed');
    expect(await mint(grace)).toBe('ok');
    expect(await mint(admin, ['read'])).toBe('ok');
    await world.changeAgent.execute(admin, agentId, { disabled: true });
    expect(await mint(grace)).toBe('identity.agent_disabled');
  });

  it('is refused if the agent acts for an automation', async () => {
    const agentId = await agentOf(admin.personId);
    const holder = { kind: 'automation', agentId } as const;
    const credential = sampleCredential(holder, world.uow.now, { createdBy: admin.personId });
    await world.tx((tx) => world.credentials.insert(tx, credential, sampleDigest()));
    const wanted = { agentId, name: 'ci' };
    expect(codeOf(await world.mintForAgent.token(admin, wanted))).toBe('identity.agent_of_automation');
    expect(codeOf(await world.mintForAgent.delegation(admin, wanted))).toBe('identity.agent_of_automation');
  });

  it('acts for the person who issues it, no further than that person, for 30 days', async () => {
    const alan = await world.person('Alan', ['read']);
    const agentId = await agentOf(admin.personId);
    const delegate = (wanted: object = {}) => world.mintForAgent.delegation(alan, { agentId, name: 'help', ...wanted });
    expect(codeOf(await delegate({ scopes: ['submit'] }))).toBe('credential.scope_not_allowed');
    expect(codeOf(await delegate({ scopes: ['read'], expiresInDays: 31 }))).toBe('credential.lifetime');
    expect(valueOf(await delegate({ scopes: ['read'] })).credential).toMatchObject({
      holder: { kind: 'delegation', agentId, delegatedBy: alan.personId },
      expiresAt: world.uow.now + 30 * DAY_MS,
    });
    expect(world.actions().at(-1)).toBe('delegation.issued');
  });
});

describe('revoking', () => {
  it('ends what one may see, once, and tells nothing of the rest', async () => {
    const [grace, alan] = [await world.person('Grace'), await world.person('Alan')];
    const revoke = async (by: PersonPrincipal): Promise<string> =>
      codeOf(await world.revoke.execute(by, grace.credentialId));
    expect(await revoke(alan)).toBe('resource.not_found');
    expect(await revoke(grace)).toBe('ok');
    expect(await revoke(admin)).toBe('ok');
    expect(world.actions()).toEqual(['credential.revoked']);
  });
});

describe('a one-time token', () => {
  const issued = async (id: PersonId): Promise<string> => valueOf(await world.issue.execute(admin, id)).token;
  const exchange = async (token: string, wanted: object = {}): Promise<string> =>
    codeOf(await world.exchange.execute(token, { name: 'laptop', ...wanted }));

  it('lets a person in once, within a day, and ends their former credentials', async () => {
    const grace = await world.stranger('Grace');
    const token = await issued(grace.id);
    const minted = valueOf(await world.exchange.execute(token, { name: 'laptop' }));
    expect(minted.credential).toMatchObject({ holder: { personId: grace.id }, createdBy: null });
    expect(await world.found(grace.id)).toMatchObject({ enrolledAt: world.uow.now });
    expect(await exchange(token)).toBe('enrolment.refused');
    const again = await issued(grace.id);
    expect(await exchange(again)).toBe('ok');
    expect(await world.tx((tx) => world.credentials.stillGood(tx, grace.id, minted.credential.id))).toBe(false);
    expect(JSON.stringify(world.audit.of(world.tenant))).not.toContain(token);
  });

  it.each<[string, (token: string, id: PersonId) => unknown]>([
    ['too old', () => (world.uow.now += ENROLMENT_LIFETIME_MS)],
    ['replaced', (_token, id) => issued(id)],
    ['withdrawn', (_token, id) => world.invitations.withdraw(admin, id)],
    ['of somebody who was disabled', (_token, id) => world.change.execute(admin, id, { disabled: true })],
    ['of somebody who came in by an issuer', (_token, id) => world.rows.atIssuer.add(id)],
  ])('T39: opens nothing if it is %s', async (_, before) => {
    const { id } = await world.stranger('Grace');
    const token = await issued(id);
    await before(token, id);
    expect(await exchange(token)).toBe('enrolment.refused');
    expect(await world.found(id)).toMatchObject({ enrolledAt: null });
  });

  it('opens nothing if it was never given out, in the same words', async () => {
    expect(await exchange('cs_e_unknown')).toBe('enrolment.refused');
    expect(await exchange('no token')).toBe('enrolment.refused');
  });

  it('opens no more than the roles of its person', async () => {
    const { id } = await world.stranger('Grace');
    expect(await exchange(await issued(id), { scopes: ['review'] })).toBe('credential.scope_not_allowed');
    expect(await exchange(await issued(id), { scopes: ['read'] })).toBe('ok');
  });

  it('is not made for the disabled, for those at an issuer, nor if issuers are the only way in', async () => {
    const { id } = await world.stranger('Grace');
    const issue = async (personId: PersonId): Promise<string> => codeOf(await world.issue.execute(admin, personId));
    expect(await issue(newId<PersonId>())).toBe('resource.not_found');
    world.rows.atIssuer.add(id);
    expect(await issue(id)).toBe('enrolment.signs_in_at_issuer');
    world.rows.atIssuer.clear();
    world.rows.issuersOnly.add(world.tenant.tenantId);
    expect(await issue(id)).toBe('sign_in.issuer_only');
    world.rows.issuersOnly.clear();
    await world.change.execute(admin, id, { disabled: true });
    expect(await issue(id)).toBe('identity.person_disabled');
  });

  it('T39: waits for a second person if its holder would get something, and opens nothing meanwhile', async () => {
    world.twoPersonRule.secondAdmin = true;
    const newcomer = await world.stranger('Grace');
    expect(valueOf(await world.issue.execute(admin, newcomer.id)).guarded).toMatchObject({ outcome: 'done' });
    const alan = await world.person('Alan');
    const { token, guarded } = valueOf(await world.issue.execute(admin, alan.personId));
    expect(guarded).toMatchObject({ outcome: 'waits' });
    expect(await exchange(token)).toBe('enrolment.refused');
    const [change] = world.twoPersonRule.waitingIn(world.tenant);
    if (change === undefined) throw new Error('no change waits');
    expect(JSON.stringify(change)).not.toContain(token);
    const confirmation = sampleConfirmation(change, admin, { ...admin, personId: newId<PersonId>() });
    await world.tx((tx) => world.issue.carryOut(tx, confirmation, world.issue.payload.parse(change.payload)));
    expect(await exchange(token)).toBe('ok');
  });

  it('is mailed to newcomers alone', async () => {
    const alan = await world.person('Alan');
    expect(codeOf(await world.issue.execute(admin, alan.personId, 'mailed'))).toBe('enrolment.came_in_before');
  });
});

describe('an invitation', () => {
  const wanted = (roles: readonly string[] = []) => ({ email: 'grace@example.com', displayName: 'Grace', roles });

  it('adds the person together with the invitation, or neither', async () => {
    const before = (
      await world.tx((tx) => world.people.list(tx, { afterId: null, limit: 100 }, { withoutIssuer: false }))
    ).length;
    expect(codeOf(await world.invite.execute(admin, wanted(['no role!'])))).toBe('identity.role_name');
    world.rows.issuersOnly.add(world.tenant.tenantId);
    expect(codeOf(await world.invite.execute(admin, wanted()))).toBe('sign_in.issuer_only');
    world.rows.issuersOnly.clear();
    const after = await world.tx((tx) =>
      world.people.list(tx, { afterId: null, limit: 100 }, { withoutIssuer: false }),
    );
    expect(after).toHaveLength(before);
    expect(world.actions()).toEqual([]);
    const { personId, token } = valueOf(await world.invite.execute(admin, wanted(['SRELead', 'SRELead'])));
    expect(await world.rolesOf(personId)).toEqual(['SRELead']);
    expect(codeOf(await world.exchange.execute(token, { name: 'laptop' }))).toBe('ok');
    expect(codeOf(await world.invite.execute(admin, wanted()))).toBe('identity.email_taken');
  });

  it('T34: waits with its roles, as one change', async () => {
    world.twoPersonRule.secondAdmin = true;
    const { personId, token, guarded } = valueOf(await world.invite.execute(admin, wanted(['SRELead'])));
    expect(guarded).toMatchObject({ outcome: 'waits' });
    expect(world.twoPersonRule.waitingIn(world.tenant)).toMatchObject([
      { kind: 'enrolment', beneficiary: personId, payload: { roles: ['SRELead'] } },
    ]);
    expect(await world.rolesOf(personId)).toEqual([]);
    expect(codeOf(await world.exchange.execute(token, { name: 'laptop' }))).toBe('enrolment.refused');
  });

  it('is listed until it is used or withdrawn', async () => {
    const { personId } = valueOf(await world.invite.execute(admin, wanted()));
    const open = async (): Promise<readonly PersonId[]> =>
      (await world.invitations.list(world.tenant.tenantId)).map(({ person }) => person.id);
    expect(await open()).toEqual([personId]);
    expect(codeOf(await world.invitations.withdraw(admin, personId))).toBe('ok');
    expect(await open()).toEqual([]);
    expect(world.actions().at(-1)).toBe('enrolment.withdrawn');
    const entries = world.actions().length;
    expect(codeOf(await world.invitations.withdraw(admin, personId))).toBe('ok');
    expect(world.actions()).toHaveLength(entries);
  });
});
