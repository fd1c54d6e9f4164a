import type { PersonPrincipal } from '#lib/kernel';
import { codeOf, FakeIdentityWorld, valueOf } from '../fake-identity-world.js';
import { ENROLMENT_LIFETIME_MS } from '../domain/lifetime.js';
import type { PersonToLetIn } from './let-in-by-operator.js';

let world: FakeIdentityWorld;
let admin: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ({ admin } = world);
});
const emailOf = ({ personId }: PersonPrincipal): string => `${personId}@example.com`;
const letIn = (email: string, more: Partial<PersonToLetIn> = {}) =>
  world.operator.execute(world.tenant.tenantId, { email, admin: false, displayName: null, ...more });

/** The refusal's code. No entry and no message is written, and no link is open. */
async function refusal(email: string, more: Partial<PersonToLetIn> = {}): Promise<string> {
  const entries = world.audit.of(world.tenant);
  const code = codeOf(await letIn(email, more));
  expect(world.audit.of(world.tenant)).toEqual(entries);
  expect(world.outbox.of(world.tenant)).toEqual([]);
  expect(await world.invitations.list(world.tenant.tenantId)).toEqual([]);
  return code;
}

describe('the operator’s link', () => {
  it('is refused for an unknown address, without a name or for an admin', async () => {
    expect(await refusal('new@example.com')).toBe('operator.nobody');
    expect(await refusal('new@example.com', { admin: true, displayName: 'New' })).toBe('operator.nobody');
    expect(await world.tx((tx) => world.people.findByEmail(tx, 'new@example.com'))).toBeNull();
  });

  it('is refused for an admin without the role', async () => {
    const grace = await world.person('Grace');
    expect(await refusal(emailOf(grace), { admin: true })).toBe('operator.not_an_admin');
  });

  it('is refused for the disabled', async () => {
    const grace = await world.person('Grace');
    await world.change.execute(admin, grace.personId, { disabled: true });
    expect(await refusal(emailOf(grace))).toBe('identity.person_disabled');
  });

  it('adds a new person with a name, and without a role', async () => {
    valueOf(await letIn('new@example.com', { displayName: 'New' }));
    const id = await world.tx((tx) => world.people.findByEmail(tx, 'new@example.com'));
    if (id === null) throw new Error('nobody was added');
    expect(await world.found(id)).toMatchObject({ displayName: 'New', enrolledAt: null, roles: [] });
    expect(world.audit.of(world.tenant)).toMatchObject([
      {
        action: 'person.added',
        actor: { kind: 'system', display_name: 'operator' },
        subject: { type: 'person', id },
        payload: { email: 'new@example.com', display_name: 'New' },
      },
      { action: 'enrolment.issued', payload: { enrolled_before: false } },
    ]);
  });

  it('is for the person who has the address, in upper case too, and leaves their name', async () => {
    const grace = await world.person('Grace');
    valueOf(await letIn(emailOf(grace).toUpperCase(), { displayName: 'Another' }));
    expect(await world.invitations.list(world.tenant.tenantId)).toMatchObject([
      { person: { id: grace.personId, displayName: 'Grace' }, channel: 'operator', invitedBy: null },
    ]);
    expect(world.actions()).toEqual(['enrolment.issued']);
  });

  it('is recorded with evidence and told to the admins, without its token', async () => {
    const { token, expiresAt } = valueOf(await letIn(emailOf(admin), { admin: true }));
    expect(expiresAt).toBe(world.uow.now + ENROLMENT_LIFETIME_MS);
    const subject = { type: 'person', id: admin.personId };
    const [entries, messages] = [world.audit.of(world.tenant), world.outbox.of(world.tenant)];
    expect(entries).toMatchObject([
      {
        action: 'enrolment.issued',
        actor: { kind: 'system', display_name: 'operator' },
        level: 'full_with_evidence',
        subject,
        payload: { channel: 'operator', as_admin: true, expires_at: expiresAt, enrolled_before: true },
      },
    ]);
    const until = new Date(expiresAt).toISOString();
    const payload = { person_id: admin.personId, as_admin: 'yes', until };
    expect(messages).toEqual([{ topic: 'operator.let_in', payload }]);
    expect(JSON.stringify([entries, messages])).not.toContain(token);
  });

  it('opens once, also if the tenant has issuers as its only way in, in the browser alone', async () => {
    const grace = await world.person('Grace');
    world.rows.issuersOnly.add(world.tenant.tenantId);
    const { token } = valueOf(await letIn(emailOf(grace)));
    const exchange = async (): Promise<string> => codeOf(await world.exchange.execute(token, { name: 'laptop' }));
    expect(await exchange()).toBe('enrolment.taken_in_browser');
    world.rows.issuersOnly.clear();
    expect([await exchange(), await exchange()]).toEqual(['ok', 'enrolment.refused']);
  });

  it('T69: ends everything that a former hand could hold, once it is used', async () => {
    const grace = await world.person('Grace');
    await world.comesIn(grace.personId, { channel: 'shown', createdBy: admin.personId });
    world.passkeys.add(world.tenant, grace.personId, 'a passkey');
    world.leftBehind.leave(world.tenant, grace.personId, { delegations: 2, browsers: 1 });
    const { token } = valueOf(await letIn(emailOf(grace)));
    world.uow.now += 1_000;
    valueOf(await world.exchange.execute(token, { name: 'laptop' }));
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({
      action: 'person.enrolled',
      payload: { revoked_tokens: 1, invitations: 0, factors: 1, delegations: 2, browsers: 1 },
    });
    expect(await world.tx((tx) => world.credentials.stillGood(tx, grace.personId, grace.credentialId))).toBe(false);
    const standings = await world.read.standings(world.tenant.tenantId, [grace.personId]);
    expect(standings.get(grace.personId)).toMatchObject({ known: true, sharedWith: [] });
  });

  it('ends the tokens alone of a person who was known before', async () => {
    const grace = await world.person('Grace');
    await world.comesIn(grace.personId, { channel: 'operator', createdBy: null });
    world.leftBehind.leave(world.tenant, grace.personId, { delegations: 2, browsers: 1 });
    const { token } = valueOf(await letIn(emailOf(grace)));
    valueOf(await world.exchange.execute(token, { name: 'laptop' }));
    expect(world.audit.of(world.tenant).at(-1)?.payload).toMatchObject({ revoked_tokens: 1 });
    expect(world.leftBehind.ends.size).toBe(0);
  });
});
