import { newId, ok, type PersonPrincipal, type ProposedChange } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { signInWorld } from '../fake-sign-in-world.js';
import type { WantedSettings } from '../domain/settings-document.js';
import { sampleIssuer, sampleSettings } from './fake-issuer.js';
import { ListSignInOptions, PutSignInSettings, ReadSignInSettings } from './sign-in-settings.js';

const MINUTE_MS = 60_000;

/** Settings as an admin asks for them. */
const wanted = (members: Partial<WantedSettings> = {}): WantedSettings => {
  const { revision: _revision, ...settings } = sampleSettings();
  return { ...settings, ...members };
};

/** An admin who changes the sign-in settings. @param secondAdmin whether a person could confirm a loosening. */
async function admins({ secondAdmin = false } = {}) {
  const world = await signInWorld();
  const { uow, home, settings, vault, gateway, identities, audit, atHome } = world;
  const rule = new FakeTwoPersonRule(uow, secondAdmin);
  const plain = { allowed: ['localhost'] };
  const plainAllowed = () => Promise.resolve(({ hostname }: URL) => plain.allowed.includes(hostname));
  const put = new PutSignInSettings({
    uow,
    settings,
    vault,
    gateway,
    plainAllowed,
    identities,
    twoPersonRule: rule,
    audit,
  });
  const admin: PersonPrincipal = { ...home.admin, reason: 'We moved to Acme.' };
  const read = () => new ReadSignInSettings(uow, settings).execute(home.tenantId);
  return {
    ...world,
    admin,
    rule,
    plain,
    read,
    put: async (members: Partial<WantedSettings> = {}, revision?: number) =>
      put.execute(admin, wanted(members), revision ?? (await read()).revision),
    /** A second person confirms a change as it was proposed. */
    confirm: (proposed: ProposedChange | undefined, confirmer: PersonPrincipal) => {
      if (proposed === undefined) throw new Error('no change waits');
      const confirmation = sampleConfirmation(proposed, admin, confirmer);
      return atHome((tx) => put.carryOut(tx, confirmation, put.payload.parse(proposed.payload)));
    },
    /** A person signs in at an issuer in service. */
    signIn: (personId = admin.personId) =>
      atHome(async (tx) => {
        const [issuer] = settings.inService(tx);
        await identities.insert(tx, { id: newId(), issuerId: issuer?.id ?? '', subject: personId, personId });
      }),
    standings: () =>
      atHome(async (tx) => Promise.all(settings.inService(tx).map(({ id }) => settings.standing(tx, id)))),
  };
}

describe('the ways in that a stranger is shown', () => {
  const options = async (passkeys = true) => {
    const world = await signInWorld();
    return { ...world, list: new ListSignInOptions(world.uow, world.directory, world.settings, passkeys) };
  };

  it('are the issuers of the tenant by name, and passkeys', async () => {
    const { list, putInForce } = await options();
    await putInForce();
    const issuers = [{ name: 'acme', displayName: 'Acme' }];
    expect(await list.execute('acme')).toEqual({ issuers, passkeys: true, founded: true });
  });

  it('are no passkeys if an issuer is the only way in, or the installation has none', async () => {
    const { list, putInForce } = await options();
    await putInForce({ signInRequired: true });
    expect(await list.execute('acme')).toMatchObject({ passkeys: false });
    expect(await (await options(false)).list.execute('acme')).toMatchObject({ passkeys: false });
  });

  it('are the same for a tenant that is not there as for one without issuers', async () => {
    const { list } = await options();
    const none = { issuers: [], passkeys: true, founded: true };
    expect(await list.execute('globex')).toEqual(none);
    expect(await list.execute('initech')).toEqual(none);
    // Of two tenants, none is meant.
    expect(await list.execute(undefined)).toEqual(none);
  });
});

describe('a change of the sign-in settings', () => {
  it('is put in force by an admin who is alone, and recorded without the reference of the client secret', async () => {
    const { put, read, standings, rule, home, admin, vault, atHome, audited } = await admins();
    const clientSecret = await atHome((tx) => vault.keep(tx, 'oidc', 'hunter2', 'sign_in', admin.personId));
    const issuers = [sampleIssuer({ clientSecret })];
    expect(await put({ issuers })).toMatchObject(ok({ outcome: 'done', value: { revision: 1, issuers }, alone: true }));
    expect(await read()).toMatchObject({ revision: 1, browserSessionMinutes: 600, issuers });
    expect(await standings()).toEqual([{ how: 'alone', personId: admin.personId }]);
    expect(audited()).toMatchObject([
      {
        action: 'issuer.changed',
        actor: { id: admin.personId },
        level: 'full_with_evidence',
        subject: { type: 'sign_in_settings', id: home.tenantId },
        payload: {
          before: { revision: 0, issuers: [] },
          after: { revision: 1, browser_session_minutes: 600, issuers: [{ name: 'acme', confidential: true }] },
          guarded: false,
        },
      },
    ]);
    expect(JSON.stringify(audited())).not.toMatch(/hunter2|oidc@1/);
    expect(rule.movedIn(home).map(({ kind, base }) => [kind, base(null)])).toEqual([['sign_in', { revision: 1 }]]);
  });

  it('is made from the last revision alone', async () => {
    const { put, read, audited } = await admins();
    await put();
    expect(await put({ browserSessionMinutes: 60 }, 0)).toMatchObject({
      ok: false,
      error: { kind: 'precondition_failed', code: 'request.changed_meanwhile' },
    });
    expect(await read()).toMatchObject({ revision: 1, browserSessionMinutes: 600 });
    expect(audited()).toHaveLength(1);
  });

  it('is refused if an issuer cannot be used, before any is asked', async () => {
    const { put, read, gateway } = await admins();
    expect(await put({ issuers: [sampleIssuer({ url: 'http://issuer.example.com' })] })).toMatchObject({
      ok: false,
      error: { code: 'issuer.invalid', errors: [{ pointer: '/issuers/0/issuer_url' }] },
    });
    expect(gateway.clients).toEqual([]);
    expect(await put({ issuers: [sampleIssuer({ url: 'http://localhost:8430' })] })).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ revision: 1 });
  });

  it('is refused if an issuer does not answer, or its client secret is not for that', async () => {
    const { put, read, gateway, vault, atHome, admin, audited } = await admins();
    const clientSecret = await atHome((tx) => vault.keep(tx, 'paging', 'x', 'incidents', admin.personId));
    const other = sampleIssuer({ name: 'other', url: 'https://other.example.com', clientSecret });
    expect(await put({ issuers: [sampleIssuer(), other] })).toMatchObject({
      ok: false,
      error: { kind: 'unprocessable', errors: [{ pointer: '/issuers/1', code: 'secret.not_bound' }] },
    });
    gateway.reachable = false;
    expect(await put()).toMatchObject({
      ok: false,
      error: { kind: 'unprocessable', errors: [{ pointer: '/issuers/0', code: 'issuer.unreachable' }] },
    });
    expect([await read(), audited()]).toMatchObject([{ revision: 0 }, []]);
  });

  it('waits for a second person if it loosens, and not if it tightens', async () => {
    const { put, read, rule, home, audited } = await admins();
    await put();
    rule.secondAdmin = true;
    expect(await put({ issuers: [sampleIssuer({ bearerScopes: ['read', 'review'] })] })).toMatchObject(
      ok({ outcome: 'waits' }),
    );
    expect(rule.waitingIn(home)).toMatchObject([
      {
        kind: 'sign_in',
        subject: { type: 'sign_in_settings', id: home.tenantId },
        base: { revision: 1 },
        loosens: ['access tokens of acme may be used for review'],
        payload: { issuers: [{ name: 'acme', bearer_scopes: ['read', 'review'] }] },
      },
    ]);
    expect(await read()).toMatchObject({ revision: 1, issuers: [{ bearerScopes: ['read'] }] });
    expect(await put({ browserSessionMinutes: 60 })).toMatchObject(ok({ outcome: 'done', alone: false }));
    expect(rule.waitingIn(home)).toEqual([]);
    expect(audited()).toHaveLength(2);
  });

  it('is put in force once a second person confirms: then two people vouch for a new issuer', async () => {
    const { put, read, confirm, standings, rule, home, admin, gateway, audited } = await admins({ secondAdmin: true });
    await put();
    const [proposed] = rule.waitingIn(home);
    const asked = gateway.clients.length;
    const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
    expect(await confirm(proposed, confirmer)).toMatchObject(ok({ outcome: 'done', value: { revision: 1 } }));
    expect(await read()).toMatchObject(wanted());
    expect(await standings()).toEqual([{ how: 'two_people', personId: confirmer.personId }]);
    expect(audited()).toMatchObject([
      {
        action: 'issuer.changed',
        actor: { id: confirmer.personId },
        payload: { requested_by: admin.personId, guarded: true },
      },
    ]);
    expect(gateway.clients).toHaveLength(asked);
    expect(await confirm(proposed, confirmer)).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
  });

  it('is refused at its confirmation if the operator no longer allows the address', async () => {
    const { put, read, confirm, rule, home, plain } = await admins({ secondAdmin: true });
    await put({ issuers: [sampleIssuer({ url: 'http://localhost:8430' })] });
    plain.allowed = [];
    const confirmed = confirm(rule.waitingIn(home)[0], samplePerson(home.tenantId, ['PlatformAdmin']));
    expect(await confirmed).toMatchObject({ ok: false, error: { code: 'issuer.invalid' } });
    expect(await read()).toMatchObject({ revision: 0 });
  });

  it('by one hand alone takes the standing away only if it lets further people in', async () => {
    const { put, settings, standings, atHome, admin } = await admins();
    await put();
    const vouched = { how: 'confirmed', personId: admin.personId } as const;
    await atHome(async (tx) => {
      const [issuer] = settings.inService(tx);
      await settings.keepStanding(tx, { issuerId: issuer?.id ?? '', ...vouched });
    });
    await put({ issuers: [sampleIssuer({ displayName: 'Acme, Inc.', roleMappings: [] })] });
    expect(await standings()).toEqual([vouched]);
    await put({ issuers: [sampleIssuer({ provision: 'anybody' })] });
    expect(await standings()).toEqual([{ how: 'alone', personId: admin.personId }]);
  });
});

describe('demanding that everybody comes in by an issuer', () => {
  const signInFirst = { ok: false, error: { code: 'issuer.sign_in_first' } };

  it('takes that the admin has just signed in at one', async () => {
    const { put, read, signIn, uow } = await admins();
    await put();
    expect(await put({ signInRequired: true })).toMatchObject(signInFirst);
    await signIn();
    uow.now += 61 * MINUTE_MS;
    expect(await put({ signInRequired: true })).toMatchObject(signInFirst);
    expect(await read()).toMatchObject({ revision: 1, signInRequired: false });
    expect(await put({ signInRequired: true, reauthenticateAfterMinutes: 90 })).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ signInRequired: true });
  });

  it('takes a sign-in at an issuer that stays', async () => {
    const { put, signIn, uow, read } = await admins();
    const other = sampleIssuer({ name: 'other', url: 'https://other.example.com' });
    await put({ issuers: [sampleIssuer(), other] });
    await signIn();
    expect(await put({ signInRequired: true, issuers: [other] })).toMatchObject(signInFirst);
    expect(await put({ signInRequired: true, issuers: [sampleIssuer(), other] })).toMatchObject({ ok: true });
    // Another change goes on without a new sign-in; taking an issuer away does not.
    uow.now += 61 * MINUTE_MS;
    expect(
      await put({ signInRequired: true, browserSessionMinutes: 60, issuers: [sampleIssuer(), other] }),
    ).toMatchObject({
      ok: true,
    });
    expect(await put({ signInRequired: true, issuers: [sampleIssuer()] })).toMatchObject(signInFirst);
    expect(await read()).toMatchObject({ revision: 3 });
  });

  it('takes a sign-in of the person who confirms it, and not of its author', async () => {
    const { put, confirm, signIn, rule, home } = await admins({ secondAdmin: false });
    await put();
    await signIn();
    rule.secondAdmin = true;
    expect(await put({ signInRequired: true, dormantAfterDays: 60 })).toMatchObject(ok({ outcome: 'waits' }));
    const [proposed] = rule.waitingIn(home);
    const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
    expect(await confirm(proposed, confirmer)).toMatchObject(signInFirst);
    await signIn(confirmer.personId);
    expect(await confirm(proposed, confirmer)).toMatchObject(ok({ outcome: 'done' }));
  });

  it('takes an issuer', async () => {
    const { put, signIn, read } = await admins();
    await put();
    await signIn();
    const refused = { ok: false, error: { code: 'issuer.last_way_in' } };
    expect(await put({ signInRequired: true, issuers: [] })).toMatchObject(refused);
    expect(await put({ issuers: [] })).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ revision: 2, issuers: [] });
  });
});
