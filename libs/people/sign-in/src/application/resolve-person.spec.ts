import { newId, ok } from '#lib/kernel';
import { resolvingWorld, sampleClaims } from '../fake-resolving-world.js';
import { sampleRole } from './fake-people.js';
import { ResolvePerson } from './resolve-person.js';

/** A tenant with one issuer that resolves people. */
async function resolving(...of: Parameters<typeof resolvingWorld>) {
  const world = await resolvingWorld(...of);
  const { people, formerHand, identities, outdating, audit, atHome, issuer } = world;
  const resolver = new ResolvePerson(people, formerHand, identities, outdating, audit);
  return {
    ...world,
    resolve: (claims: Parameters<typeof sampleClaims>[0] = {}) =>
      atHome((tx) => resolver.execute(tx, issuer, sampleClaims(claims))),
  };
}

const refused = (code: string) => ({ ok: false, error: { kind: 'forbidden', code } });

describe('the first sign-in at an issuer', () => {
  it('makes a person with the roles of their groups, which count from now on', async () => {
    const { resolve, people, home, issuer, identities, outdated, uow, atHome, audited } = await resolving();
    const resolved = await resolve({ groups: ['sre', 'unmapped'] });
    const role = { role: 'SRELead', assignedAt: uow.now, assignedBy: null, assignedByIssuer: issuer.id };
    expect(resolved).toMatchObject(
      ok({ person: { email: 'ada@example.com', displayName: 'Ada', enrolledAt: uow.now, roles: [role] } }),
    );
    const [person] = people.all(home);
    const known = await atHome((tx) => identities.lockSubject(tx, issuer.id, 'subject-of-ada'));
    expect(known).toEqual(resolved.ok && resolved.value.identity);
    expect(known?.personId).toBe(person?.id);
    expect(outdated).toEqual([person?.id]);
    const actor = { kind: 'person', id: person?.id, display_name: 'Ada', credential_id: null };
    const subject = { type: 'person', id: person?.id };
    expect(audited()).toMatchObject([
      {
        action: 'person.provisioned',
        actor,
        subject,
        payload: { issuer: issuer.url, subject: 'subject-of-ada', email: 'ada@example.com', display_name: 'Ada' },
      },
      { action: 'role.assigned', actor, subject, payload: { role: 'SRELead', issuer: issuer.url } },
    ]);
  });

  it.each([
    ['by their address if the issuer gives no name', null, 'ada@example.com'],
    ['by 200 characters of a longer name', 'A'.repeat(300), 'A'.repeat(200)],
    [
      'with a name that ends in half a character where it is cut',
      `${'a'.repeat(199)}\u{1f600}`,
      `${'a'.repeat(199)}\uFFFD`,
    ],
  ])('names a person %s', async (_how, displayName, shown) => {
    const { resolve } = await resolving();
    expect(await resolve({ displayName })).toMatchObject(ok({ person: { displayName: shown } }));
  });

  it('makes one person of two sign-ins at once', async () => {
    const { resolve, people, home } = await resolving();
    const both = await Promise.all([resolve(), resolve()]);
    expect(both.map(({ ok: resolved }) => resolved)).toEqual([true, true]);
    expect(people.all(home)).toHaveLength(1);
  });

  it.each([
    ['nobody', ['sre'], 'sign_in.not_provisioned'],
    ['mapped', ['unmapped'], 'sign_in.not_provisioned'],
    ['mapped', ['sre'], null],
    ['anybody', [], null],
  ] as const)('of a tenant that provisions %s, with the groups %j: %s', async (provision, groups, code) => {
    const { resolve, people, home, audited } = await resolving({ provision });
    expect(await resolve({ groups })).toMatchObject(code === null ? { ok: true } : refused(code));
    expect(people.all(home)).toHaveLength(code === null ? 1 : 0);
    if (code !== null) expect(audited()).toEqual([]);
  });

  it.each([
    ['no address', { email: null }, 'sign_in.no_email'],
    ['an address that the issuer did not verify', { emailVerified: false }, 'sign_in.email_unverified'],
  ])('is refused with %s', async (_what, claims, code) => {
    const { resolve, people, home } = await resolving();
    expect(await resolve(claims)).toMatchObject(refused(code));
    expect(people.all(home)).toEqual([]);
  });
});

describe('a first sign-in with the address of a person who is there', () => {
  it('never makes it them by the address alone', async () => {
    const { resolve, people, home, audited } = await resolving();
    people.add(home, { email: 'Ada@Example.com' });
    expect(await resolve()).toMatchObject(refused('sign_in.email_taken'));
    expect([people.all(home).length, audited()]).toEqual([1, []]);
  });

  it('makes it them if the tenant trusts verified addresses, and the issuer verified this one', async () => {
    const { resolve, people, home, issuer, uow, audited } = await resolving({ linkByVerifiedEmail: true });
    const { id } = people.add(home, { roles: [sampleRole('Auditor')] });
    expect(await resolve({ emailVerified: null })).toMatchObject(refused('sign_in.email_unverified'));
    expect(await resolve({ emailVerified: false })).toMatchObject(refused('sign_in.email_unverified'));
    expect(await resolve()).toMatchObject(ok({ identity: { personId: id }, person: { id, enrolledAt: uow.now } }));
    expect(people.all(home).map(({ roles }) => roles.map(({ role }) => role))).toEqual([['Auditor', 'SRELead']]);
    expect(audited()).toMatchObject([
      {
        action: 'person.linked',
        subject: { type: 'person', id },
        payload: { issuer: issuer.url, subject: 'subject-of-ada', email: 'ada@example.com', revoked_tokens: 0 },
      },
      { action: 'role.assigned' },
    ]);
  });

  it('ends everything by which the hand that let the person in could still be them', async () => {
    const { resolve, people, home, hands, audited } = await resolving({ linkByVerifiedEmail: true });
    const { id } = people.add(home);
    hands.add(id);
    expect(await resolve()).toMatchObject({ ok: true });
    expect(hands.size).toBe(0);
    expect(audited()[0]).toMatchObject({
      action: 'person.linked',
      payload: { revoked_tokens: 2, invitations: 1, factors: 1 },
    });
  });

  it('makes no second subject of the issuer the same person', async () => {
    const { resolve, known, people, home } = await resolving({ linkByVerifiedEmail: true });
    await known();
    expect(await resolve({ subject: 'another subject' })).toMatchObject(refused('sign_in.email_taken'));
    expect(people.all(home)).toHaveLength(1);
  });
});

describe('a later sign-in', () => {
  it('knows the person by their subject, and not by their address', async () => {
    const { resolve, known, people, home } = await resolving();
    const { id } = await known();
    expect(await resolve({ email: null, emailVerified: null })).toMatchObject(ok({ person: { id } }));
    expect(await resolve({ email: 'new@example.com' })).toMatchObject(ok({ person: { id, email: 'ada@example.com' } }));
    expect(people.all(home)).toHaveLength(1);
  });

  it('changes nothing if the groups give the roles that the person holds', async () => {
    const { resolve, known, issuer, outdated, audited } = await resolving();
    const held = sampleRole('SRELead', issuer.id);
    await known({ roles: [held] });
    expect(await resolve()).toMatchObject(ok({ person: { roles: [held] } }));
    expect([outdated, audited()]).toEqual([[], []]);
  });

  it('gives new roles, and takes away those that this issuer gave', async () => {
    const { resolve, known, issuer, rolesOf, outdated, audited } = await resolving();
    const roles = [sampleRole('Auditor'), sampleRole('DevOps', issuer.id), sampleRole('Operator', newId())];
    const person = await known({ roles });
    expect(await resolve()).toMatchObject({ ok: true });
    expect(rolesOf(person)).toEqual(['Auditor', 'Operator', 'SRELead']);
    expect(outdated).toEqual([person.id]);
    expect(audited()).toMatchObject([
      { action: 'role.assigned', payload: { role: 'SRELead' } },
      { action: 'role.revoked', payload: { role: 'DevOps' } },
    ]);
  });

  it('takes PlatformAdmin from a person while another admin is left', async () => {
    const { resolve, known, people, home, issuer, rolesOf, audited } = await resolving();
    people.add(home, { email: 'noor@example.com', roles: [sampleRole('PlatformAdmin')] });
    const person = await known({ roles: [sampleRole('PlatformAdmin', issuer.id)] });
    await resolve({ groups: [] });
    expect(rolesOf(person)).toEqual([]);
    expect(audited()).toMatchObject([{ action: 'role.revoked', payload: { role: 'PlatformAdmin' } }]);
  });

  it('leaves the last admin their role, and records it', async () => {
    const { resolve, known, people, home, issuer, rolesOf, audited } = await resolving();
    people.add(home, { email: 'noor@example.com', disabledAt: 1, roles: [sampleRole('PlatformAdmin')] });
    const person = await known({ roles: [sampleRole('PlatformAdmin', issuer.id)] });
    expect(await resolve({ groups: [] })).toMatchObject({ ok: true });
    expect(rolesOf(person)).toEqual(['PlatformAdmin']);
    expect(audited()).toMatchObject([
      {
        action: 'role.kept',
        payload: { role: 'PlatformAdmin', reason: 'the last person who administers the tenant' },
      },
    ]);
  });

  it('is refused to a person who was disabled, and changes no role of theirs', async () => {
    const { resolve, known, rolesOf, audited } = await resolving();
    const person = await known({ disabledAt: 1 });
    expect(await resolve()).toMatchObject(refused('sign_in.person_disabled'));
    expect([rolesOf(person), audited()]).toEqual([[], []]);
  });
});
