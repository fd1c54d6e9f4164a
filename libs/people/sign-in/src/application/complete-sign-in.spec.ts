import { newId, ok, SCOPES, type CredentialId } from '#lib/kernel';
import { resolvingWorld, sampleClaims } from '../fake-resolving-world.js';
import type { ReturnedBrowser } from './complete-sign-in.js';
import { sampleCredential } from './fake-credentials.js';
import { idTokenPurpose } from './id-token-purpose.js';

const MINUTE_MS = 60_000;
const BROWSER = { userAgent: 'a browser', address: '203.0.113.7' };

/** Browsers that sign in at the issuer of a tenant. */
async function signingIn(...settings: Parameters<typeof resolvingWorld>) {
  const world = await resolvingWorld(...settings);
  const { home, gateway, credentials, browserSessions, atHome, issuer } = world;
  const { beginSignIn: begin, completeSignIn: complete } = world.parts;
  return {
    ...world,
    /** A browser that was sent to the issuer, signed in there, and comes back. */
    returning: async (claims: Parameters<typeof sampleClaims>[0] = {}): Promise<ReturnedBrowser> => {
      const wanted = { tenant: 'acme', issuer: undefined, returnTo: '/inbox', prompt: null, browserToken: undefined };
      const begun = await begin.execute(wanted);
      if (!begun.ok) throw new Error(begun.error.code);
      const url = gateway.signIn(begun.value.location, sampleClaims(claims));
      const state = new URL(url).searchParams.get('state') ?? '';
      return {
        url,
        at: { tenantId: home.tenantId, issuer: issuer.name },
        state,
        browserToken: begun.value.browserToken,
        browser: BROWSER,
      };
    },
    complete: (returned: ReturnedBrowser) => complete.execute(returned),
    /** The one browser session that was opened, and its credential. */
    opened: async () => {
      const [credential] = credentials.all(home).filter(({ holder }) => holder.kind === 'browser_session');
      if (credential === undefined || !('personId' in credential.holder))
        throw new Error('no browser session was opened');
      const { personId } = credential.holder;
      const browserSession = await atHome((tx) => browserSessions.find(tx, personId, credential.id));
      return { credential, personId, browserSession };
    },
  };
}

const refused = (code: string) => ({ ok: false, error: { code } });

describe('a browser that comes back from an issuer', () => {
  it('gets a browser session of the person who signed in there', async () => {
    const { returning, complete, opened, home, issuer, uow, audited } = await signingIn();
    const completed = await complete(await returning());
    expect(completed).toMatchObject(ok({ returnTo: '/inbox', token: expect.stringMatching(/^cs_s_/) as string }));
    const { credential, personId, browserSession } = await opened();
    expect(credential).toMatchObject({
      name: 'Browser, by Acme',
      scopes: SCOPES,
      createdBy: null,
      expiresAt: uow.now + 600 * MINUTE_MS,
    });
    expect(browserSession).toMatchObject({ ...BROWSER, issuerName: 'Acme', authenticatedAt: uow.now });
    expect(audited().at(-1)).toMatchObject({
      action: 'browser_session.opened',
      actor: { id: personId, credential_id: credential.id },
      subject: { type: 'browser_session', id: credential.id },
      payload: { issuer: issuer.url, subject: 'subject-of-ada', expires_at: credential.expiresAt },
    });
    const { token } = completed.ok ? completed.value : { token: 'none' };
    expect(JSON.stringify([audited(), credential, home])).not.toContain(token);
  });

  it('is refused at the address of another issuer, and of another tenant', async () => {
    const { returning, complete, home, other, issuer, credentials } = await signingIn();
    const returned = await returning();
    for (const at of [
      { tenantId: home.tenantId, issuer: 'another' },
      { tenantId: other.tenantId, issuer: issuer.name },
    ])
      expect(await complete({ ...returned, at })).toMatchObject(refused('sign_in.other_issuer'));
    expect(credentials.all(home).filter(({ holder }) => holder.kind === 'browser_session')).toEqual([]);
  });

  it('keeps the digests of its token and the ID token, encrypted for signing out', async () => {
    const { returning, complete, opened, digests, keys, browserSessions, home, atHome } = await signingIn();
    const completed = await complete(await returning());
    const { credential } = await opened();
    expect(credential.digest).toEqual(await digests.digest('credential', completed.ok ? completed.value.token : ''));
    const signOut = await atHome((tx) => browserSessions.signOutOf(tx, credential.id));
    if (signOut?.idToken == null) throw new Error('no ID token is kept');
    const idToken = await keys.unwrap(idTokenPurpose(home.tenantId), signOut.idToken);
    expect(Buffer.from(idToken).toString()).toBe('id token of subject-of-ada');
  });

  it('was authenticated when the issuer says so, and never in the future', async () => {
    const { returning, complete, opened, identities, issuer, uow, atHome } = await signingIn();
    uow.now += 10 * MINUTE_MS;
    await complete(await returning({ authenticatedAt: uow.now - MINUTE_MS }));
    const { personId, browserSession } = await opened();
    expect(browserSession).toMatchObject({ authenticatedAt: uow.now - MINUTE_MS });
    uow.now += MINUTE_MS;
    await complete(await returning({ authenticatedAt: uow.now + 60 * MINUTE_MS }));
    expect(await atHome((tx) => identities.signedInAtOneOf(tx, personId, [issuer.url]))).toBe(uow.now);
  });

  it('makes access tokens good again that were refused by hand', async () => {
    const { known, returning, complete, credentials, identities, issuer, uow, atHome } = await signingIn();
    const { id: personId } = await known();
    const id = newId<CredentialId>();
    const bearer = () => atHome((tx) => identities.forBearer(tx, issuer.id, 'subject-of-ada'));
    await atHome(async (tx) => {
      const holder = { kind: 'issuer_token', personId } as const;
      await credentials.insert(tx, sampleCredential(id, holder, uow.now, uow.now + MINUTE_MS), Buffer.from('digest'));
      await identities.setBearerCredential(
        tx,
        (await identities.lockSubject(tx, issuer.id, 'subject-of-ada'))?.id ?? '',
        id,
      );
      await credentials.revoke(tx, id, uow.now);
    });
    expect(await bearer()).toMatchObject({ credentialDigest: Buffer.from('digest') });
    await complete(await returning());
    expect(await bearer()).toMatchObject({ credentialDigest: null });
  });
});

describe('a return', () => {
  it('serves once, also at the same moment', async () => {
    const { returning, complete } = await signingIn();
    const returned = await returning();
    const both = await Promise.all([complete(returned), complete(returned)]);
    expect(both.map((result) => (result.ok ? 'in' : result.error.code)).sort()).toEqual([
      'in',
      'sign_in.unknown_return',
    ]);
    expect(await complete(returned)).toMatchObject(refused('sign_in.unknown_return'));
  });

  it('is unknown with a state that was never given', async () => {
    const { returning, complete, audited } = await signingIn();
    const returned = await returning();
    expect(await complete({ ...returned, state: 'never given' })).toMatchObject(refused('sign_in.unknown_return'));
    expect(audited()).toEqual([]);
  });

  it('is refused in another browser than it began in, and stays good for its own', async () => {
    const { returning, complete } = await signingIn();
    const [returned, other] = [await returning(), await returning()];
    for (const browserToken of [undefined, '', other.browserToken])
      expect(await complete({ ...returned, browserToken })).toMatchObject(refused('sign_in.other_browser'));
    expect(await complete(returned)).toMatchObject({ ok: true });
  });

  it('is refused after ten minutes', async () => {
    const { returning, complete, uow } = await signingIn();
    const [early, late] = [await returning(), await returning()];
    uow.now += 10 * MINUTE_MS - 1;
    expect(await complete(early)).toMatchObject({ ok: true });
    uow.now += 1;
    expect(await complete(late)).toMatchObject(refused('sign_in.too_late'));
  });

  it('is unknown once its issuer is out of service', async () => {
    const { returning, complete, putInForce } = await signingIn();
    const returned = await returning();
    await putInForce({ issuers: [] });
    expect(await complete(returned)).toMatchObject(refused('sign_in.unknown_return'));
  });
});

describe('a sign-in that is refused', () => {
  it('by the issuer uses its return up, and is recorded', async () => {
    const { returning, complete, issuer, audited, credentials, home } = await signingIn();
    const returned = await returning();
    const url = `${returned.url.split('?')[0] ?? ''}?error=access_denied&state=${returned.state}`;
    expect(await complete({ ...returned, url })).toMatchObject(refused('sign_in.refused_by_issuer'));
    expect(audited()).toMatchObject([
      {
        action: 'sign_in.refused',
        actor: { kind: 'system', display_name: 'sign-in' },
        subject: { type: 'issuer', id: issuer.id },
        payload: { issuer: issuer.url, subject: null, code: 'sign_in.refused_by_issuer' },
      },
    ]);
    expect(await complete(returned)).toMatchObject(refused('sign_in.unknown_return'));
    expect(credentials.all(home)).toEqual([]);
  });

  it('for a code that another sign-in got leaves nothing but its record', async () => {
    const { returning, complete, people, home } = await signingIn();
    const [returned, other] = [await returning(), await returning()];
    const code = new URL(other.url).searchParams.get('code') ?? '';
    const url = new URL(returned.url);
    url.searchParams.set('code', code);
    expect(await complete({ ...returned, url: url.href })).toMatchObject(refused('sign_in.token_refused'));
    expect(people.all(home)).toEqual([]);
  });

  it('leaves no record of the person, names their subject, and uses the return up', async () => {
    const { returning, complete, people, known, credentials, home, audited } = await signingIn();
    const { id } = await known({ disabledAt: 1 });
    const returned = await returning({ groups: ['sre', 'admins'] });
    expect(await complete(returned)).toMatchObject(refused('sign_in.person_disabled'));
    expect(people.all(home)).toMatchObject([{ id, roles: [] }]);
    expect(credentials.all(home)).toEqual([]);
    expect(audited()).toMatchObject([
      { action: 'sign_in.refused', payload: { subject: 'subject-of-ada', code: 'sign_in.person_disabled' } },
    ]);
    expect(await complete(returned)).toMatchObject(refused('sign_in.unknown_return'));
  });

  it('is no fault of the person if the database fails: that is thrown', async () => {
    const { returning, complete, browserSessions, people, home, audited } = await signingIn();
    browserSessions.insert = () => Promise.reject(new Error('no connection'));
    await expect(complete(await returning())).rejects.toThrow('no connection');
    expect([people.all(home), audited()]).toEqual([[], []]);
  });
});
