import { newId, type FactorId } from '#lib/kernel';
import { nodeRandomBytes } from '#lib/identity';
import { BROWSER, passkeyHolder } from '../fake-passkey-holder.js';
import { fakeIdentity } from '../../../identity/src/fake-identity.js';
import { OpenBrowserSessionByPasskey } from './open-browser-session-by-passkey.js';

/** A person whose passkey opens browser sessions. */
async function holder() {
  const world = await passkeyHolder();
  const { uow, settings, accounts, browserSessions, credentials, digests, audit, person, atHome } = world;
  const { mintCredential: mint } = fakeIdentity(uow, { credentials, digests });
  const parts = { settings, accounts, browserSessions, mint, random: nodeRandomBytes, audit };
  const opening = new OpenBrowserSessionByPasskey(parts);
  const factorId = newId<FactorId>();
  browserSessions.name(factorId, 'Laptop');
  return {
    ...world,
    factorId,
    open: (letInByOperator = false) =>
      atHome((tx) => opening.execute(tx, person, { factorId, browser: BROWSER, letInByOperator })),
  };
}

describe('a browser session that a passkey opens', () => {
  it('is of that passkey and no issuer, in the list of browsers and in the audit log', async () => {
    const { open, factorId, browserSessionsOf, person, audited, uow } = await holder();
    const { credentialId } = await open();
    expect(await browserSessionsOf(person.id)).toMatchObject([
      { id: credentialId, ...BROWSER, issuerName: null, passkeyName: 'Laptop', authenticatedAt: uow.now },
    ]);
    expect(audited()).toMatchObject([
      {
        action: 'browser_session.opened',
        actor: { id: person.id, display_name: person.displayName, credential_id: credentialId },
        level: 'full',
        payload: { passkey: factorId, authenticated_at: uow.now },
      },
    ]);
  });

  it('has a token of its own against forged requests', async () => {
    const { open, browserSessions, atHome } = await holder();
    const tokens = [await open(), await open()].map(({ credentialId }) =>
      atHome((tx) => browserSessions.csrfToken(tx, credentialId)),
    );
    const [one, other] = await Promise.all(tokens);
    for (const token of [one, other]) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(one).not.toBe(other);
  });

  it.each([true, false])('is marked as let in by the operator: %s', async (letInByOperator) => {
    const { open, accounts, home, person } = await holder();
    await open(letInByOperator);
    expect(accounts.letInByOperator(home, person.id)).toBe(letInByOperator);
  });

  it('leaves nothing behind if its row is refused', async () => {
    const { browserSessions, open, credentials, home, people, uow, audited } = await holder();
    const kept = () => [credentials.all(home), people.all(home), audited()];
    const before = kept();
    uow.now += 1;
    browserSessions.insert = () => Promise.reject(new Error('refused'));
    await expect(open()).rejects.toThrow('refused');
    expect(kept()).toEqual(before);
  });
});
