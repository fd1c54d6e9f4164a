import { nodeRandomBytes, type Person } from '#lib/identity';
import { newId, ok, type CredentialId, type PersonPrincipal } from '#lib/kernel';
import { signInWorld } from '../fake-sign-in-world.js';
import { EndBrowserSession, ReadBrowserSessions, RotateBrowserSession, SignOut } from './browser-sessions.js';
import { sampleBrowserSession } from './fake-browser-session.repository.js';
import { sampleCredential } from './fake-credentials.js';
import { idTokenPurpose } from './id-token-purpose.js';

const HOUR_MS = 3_600_000;
const NOT_FOUND = { ok: false, error: { code: 'resource.not_found' } };

/** The owner of the home tenant in a browser, signed in at its issuer. */
async function signedIn() {
  const world = await signInWorld();
  const { uow, home, settings, browserSessions, credentials, identities, tenants, gateway, keys, digests, addresses } =
    world;
  const { audit, atHome, putInForce } = world;
  const [issuer] = await putInForce({ browserSessionIdleMinutes: 60 });
  const identityId = newId();
  const wrapped = await keys.wrap(idTokenPurpose(home.tenantId), Buffer.from('the ID token'));
  const open = async (by: PersonPrincipal): Promise<PersonPrincipal> => {
    const id = newId<CredentialId>();
    const holder = { kind: 'browser_session', personId: by.personId } as const;
    await uow.run(by.tenantId, async (tx) => {
      const credential = sampleCredential(id, holder, uow.now, uow.now + 12 * HOUR_MS);
      await credentials.insert(tx, credential, Buffer.from(id));
      await browserSessions.insert(
        tx,
        sampleBrowserSession({ id, identityId, authenticatedAt: uow.now, idToken: wrapped }),
      );
    });
    return { ...by, credentialId: id };
  };
  await atHome((tx) =>
    identities.insert(tx, {
      id: identityId,
      issuerId: issuer?.id ?? '',
      subject: 'ada',
      personId: home.owner.personId,
    }),
  );
  const people = { find: () => Promise.resolve({ email: 'ada@example.com' } as Person) };
  const ending = new EndBrowserSession(uow, browserSessions, credentials, audit);
  return {
    ...world,
    open,
    by: await open(home.owner),
    read: new ReadBrowserSessions(uow, browserSessions, people, tenants),
    rotate: new RotateBrowserSession(uow, browserSessions, credentials, digests, nodeRandomBytes, audit),
    ending,
    signOut: new SignOut({ uow, browserSessions, settings, ending, gateway, keys, addresses }),
    revokedAt: ({ credentialId }: PersonPrincipal) => credentials.row(home, credentialId)?.revokedAt,
    digestOf: ({ credentialId }: PersonPrincipal) => credentials.row(home, credentialId)?.digest,
  };
}

describe('the browser session', () => {
  it('shows its own browser the person, the tenant and the CSRF token', async () => {
    const { read, by } = await signedIn();
    expect(await read.current(by)).toMatchObject(
      ok({
        browserSession: { id: by.credentialId, issuerName: 'Acme' },
        email: 'ada@example.com',
        tenant: { slug: 'acme', name: 'ACME' },
        csrfToken: 'c'.repeat(43),
      }),
    );
    expect(await read.csrfToken(by)).toBe('c'.repeat(43));
  });

  it('is not found for a credential of another kind, and after its end', async () => {
    const { read, by, home, uow } = await signedIn();
    expect(await read.current(home.owner)).toMatchObject(NOT_FOUND);
    expect(await read.csrfToken(home.owner)).toBeNull();
    uow.now += 2 * HOUR_MS;
    expect(await read.current(by)).toMatchObject(NOT_FOUND);
  });

  it('is listed with the others of its person, and none of another', async () => {
    const { read, by, home, open } = await signedIn();
    const second = await open(home.owner);
    await open(home.admin);
    expect((await read.list(by)).map(({ id }) => id)).toEqual([second.credentialId, by.credentialId]);
  });
});

describe('giving a browser session another token', () => {
  it('stores the digest of the new token, and records it', async () => {
    const { rotate, by, digestOf, digests, audited } = await signedIn();
    const token = await rotate.execute(by);
    expect(token).toMatch(/^cs_s_/);
    expect(digestOf(by)).toEqual(await digests.digest('credential', token ?? ''));
    expect(audited()).toMatchObject([
      {
        action: 'browser_session.rotated',
        actor: { id: by.personId },
        subject: { type: 'browser_session', id: by.credentialId },
      },
    ]);
    expect(JSON.stringify(audited())).not.toContain(token);
  });

  it('does nothing for a credential that is no browser session, or was revoked', async () => {
    const { rotate, ending, by, home, digestOf, audited } = await signedIn();
    expect(await rotate.execute(home.owner)).toBeNull();
    await ending.execute(by, by.credentialId);
    const before = digestOf(by);
    expect(await rotate.execute(by)).toBeNull();
    expect(digestOf(by)).toBe(before);
    expect(audited().map(({ action }) => action)).toEqual(['browser_session.ended']);
  });
});

describe('ending a browser session', () => {
  it('revokes it at once, and records whether it was this one or another', async () => {
    const { ending, read, by, home, open, revokedAt, uow, audited } = await signedIn();
    const elsewhere = await open(home.owner);
    expect(await ending.execute(by, elsewhere.credentialId)).toEqual(ok(undefined));
    expect(revokedAt(elsewhere)).toBe(uow.now);
    expect((await read.list(by)).map(({ id }) => id)).toEqual([by.credentialId]);
    expect(await ending.execute(by, by.credentialId)).toEqual(ok(undefined));
    expect(await read.list(by)).toEqual([]);
    expect(audited()).toMatchObject([
      {
        action: 'browser_session.ended',
        subject: { id: elsewhere.credentialId },
        payload: { reason: 'ended elsewhere' },
      },
      { action: 'browser_session.ended', subject: { id: by.credentialId }, payload: { reason: 'ended' } },
    ]);
  });

  it('refuses a browser session of another person, and one that is over', async () => {
    const { ending, by, home, open, revokedAt, audited } = await signedIn();
    const admins = await open(home.admin);
    expect(await ending.execute(by, admins.credentialId)).toMatchObject(NOT_FOUND);
    expect(revokedAt(admins)).toBeNull();
    await ending.execute(by, by.credentialId);
    expect(await ending.execute(by, by.credentialId)).toMatchObject(NOT_FOUND);
    expect(audited()).toHaveLength(1);
  });
});

describe('signing out', () => {
  it('ends the browser session here, and says where to sign out at the issuer', async () => {
    const { signOut, by, revokedAt, uow, audited } = await signedIn();
    const out = new URL((await signOut.execute(by)) ?? '');
    expect(out.origin).toBe('https://issuer.example.com');
    expect(Object.fromEntries(out.searchParams)).toEqual({
      id_token_hint: 'the ID token',
      post_logout_redirect_uri: 'https://countersign.example/welcome',
    });
    expect(revokedAt(by)).toBe(uow.now);
    expect(audited()).toMatchObject([{ action: 'browser_session.ended', payload: { reason: 'signed out' } }]);
  });

  it('ends the browser session here alone if the issuer went out of service, or offers no page', async () => {
    const { signOut, by, home, open, putInForce, gateway, revokedAt } = await signedIn();
    gateway.offersSignOut = false;
    expect(await signOut.execute(by)).toBeNull();
    gateway.offersSignOut = true;
    const second = await open(home.owner);
    await putInForce({ issuers: [] });
    expect(await signOut.execute(second)).toBeNull();
    expect([revokedAt(by), revokedAt(second)]).not.toContain(null);
  });

  it('does nothing for a credential that is no browser session', async () => {
    const { signOut, home, audited } = await signedIn();
    expect(await signOut.execute(home.owner)).toBeNull();
    expect(audited()).toEqual([]);
  });
});
