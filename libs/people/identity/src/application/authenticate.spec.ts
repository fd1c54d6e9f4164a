import { FailureError, type Failure, type PersonCredentialKind, type Principal, type Result } from '#lib/kernel';
import { fakeWorld, type SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Credential } from '../domain/credential.js';
import { spellToken, TOKEN_BYTES } from '../domain/token.js';
import { Authenticate } from './authenticate.js';
import { FakeCredentialFile } from './fake-credential-file.js';
import { sampleCredential } from './fake-credential-samples.js';
import { FakeAgentRepository, FakePeopleRows, FakePersonRepository } from './fake-people.js';

const MINUTE_MS = 60_000;
const DIGEST = Buffer.alloc(32, 1);
const token = (kind: Parameters<typeof spellToken>[0]): string => spellToken(kind, Buffer.alloc(TOKEN_BYTES, 1), null);

/** A credential of the owner's, on file by the digest of its token. */
async function setting(members: (home: SampleTenant, now: number) => Partial<Credential> = () => ({})) {
  const { uow, home } = fakeWorld();
  const { tenantId, owner, agent } = home;
  const rows = new FakePeopleRows(uow);
  const credential = sampleCredential({ kind: 'browser_session', personId: owner.personId }, uow.now, {
    scopes: ['read', 'admin'],
    ...members(home, uow.now),
  });
  await uow.run(tenantId, async (tx) => {
    const { personId: id } = owner;
    await new FakePersonRepository(rows).insert(tx, { id, email: `${id}@example.com`, displayName: 'Ada' });
    const { agentId, ownerId } = agent;
    await new FakeAgentRepository(rows).insert(tx, { id: agentId, name: 'An agent', description: '', ownerId });
    rows.credentials.of(tx).set(credential.id, { credential, digest: DIGEST });
  });
  const digests = {
    digest: () => Promise.resolve(DIGEST),
    candidates: () => Promise.resolve([Buffer.alloc(32), DIGEST]),
  };
  const file = new FakeCredentialFile(rows);
  return {
    authenticate: new Authenticate(uow, file, digests),
    markingFails: (failure: Failure) => {
      file.markUsed = () => Promise.reject(new FailureError(failure));
    },
    credential,
    owner,
    agent,
    now: uow.now,
    lastUsedAt: () => rows.credentials.of(home).get(credential.id)?.credential.lastUsedAt,
  };
}

describe('authentication', () => {
  it('finds a credential by a digest under any key', async () => {
    const { authenticate, credential } = await setting();
    const found = await authenticate.authenticateBrowserSession(token('browser_session'));
    expect(found).toMatchObject({ ok: true, value: { kind: 'person', credentialId: credential.id } });
  });

  it('gives a browser session the scopes of its roles at this moment, and a token its own', async () => {
    const { authenticate } = await setting();
    expect(await authenticate.authenticateBrowserSession(token('browser_session'))).toMatchObject({
      value: { scopes: ['read'] },
    });
    const own = await setting(({ owner: { personId } }) => ({ holder: { kind: 'person_token', personId } }));
    expect(await own.authenticate.authenticate(token('person'))).toMatchObject({
      value: { scopes: ['read', 'admin'] },
    });
  });

  it('takes a token of a browser session as no bearer token, and the reverse', async () => {
    const { authenticate, lastUsedAt } = await setting();
    const unknown = { ok: false, error: { code: 'credential.unknown' } };
    expect(await authenticate.authenticate(token('browser_session'))).toMatchObject(unknown);
    expect(await authenticate.authenticateBrowserSession(token('person'))).toMatchObject(unknown);
    expect(lastUsedAt()).toBeNull();
  });

  it('says by which kind of credential a person came (T55)', async () => {
    const by = async (
      kind: PersonCredentialKind,
      come: (authenticate: Authenticate) => Promise<Result<Principal>>,
    ): Promise<unknown> => {
      const { authenticate } = await setting(({ owner: { personId } }) => ({ holder: { kind, personId } }));
      return come(authenticate);
    };
    const came = (credentialKind: PersonCredentialKind) => ({ ok: true, value: { credentialKind } });
    expect(
      await by('browser_session', (one) => one.authenticateBrowserSession(token('browser_session'))),
    ).toMatchObject(came('browser_session'));
    expect(await by('person_token', (one) => one.authenticate(token('person')))).toMatchObject(came('person_token'));
    expect(await by('issuer_token', (one) => one.authenticateIssuerToken(DIGEST))).toMatchObject(came('issuer_token'));
    expect(await by('slack_link', (one) => one.authenticateSlackLink(DIGEST))).toMatchObject(came('slack_link'));
  });

  it('takes a browser session neither as an issuer’s token nor as a link with Slack', async () => {
    const { authenticate } = await setting();
    const unknown = { ok: false, error: { code: 'credential.unknown' } };
    expect(await authenticate.authenticateIssuerToken(DIGEST)).toMatchObject(unknown);
    expect(await authenticate.authenticateSlackLink(DIGEST)).toMatchObject(unknown);
  });

  it('refuses a revoked credential, and marks no use of it', async () => {
    const { authenticate, lastUsedAt } = await setting((_home, now) => ({ revokedAt: now }));
    const refused = await authenticate.authenticateBrowserSession(token('browser_session'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'credential.revoked' } });
    expect(lastUsedAt()).toBeNull();
  });

  it('marks a use once a minute, and none of a page’s own requests', async () => {
    const used = async (ago: number | null, attended: boolean) => {
      const before = await setting((_home, now) => ({ lastUsedAt: ago === null ? null : now - ago }));
      await before.authenticate.authenticateBrowserSession(token('browser_session'), attended);
      const lastUsedAt = before.lastUsedAt() ?? null;
      return lastUsedAt === null ? null : before.now - lastUsedAt;
    };
    expect(await used(null, true)).toBe(0);
    expect(await used(MINUTE_MS, true)).toBe(MINUTE_MS);
    expect(await used(MINUTE_MS + 1, true)).toBe(0);
    expect(await used(null, false)).toBeNull();
  });

  it.each([
    ['tenant.moving', 'lets in'],
    ['tenant.moved', 'refuses'],
  ])('at %s %s somebody whose use cannot be marked', async (code, outcome) => {
    const { authenticate, credential, markingFails } = await setting();
    markingFails({ kind: 'unavailable', code, message: 'm', action: 'a' });
    const found = await authenticate
      .authenticateBrowserSession(token('browser_session'))
      .catch((error: unknown) => error);
    expect(found).toMatchObject(
      outcome === 'lets in' ? { ok: true, value: { credentialId: credential.id } } : { failure: { code } },
    );
  });

  it('names the owner of an agent, and the person who delegated to it', async () => {
    const { authenticate, owner, agent } = await setting((home) => ({
      holder: { kind: 'delegation', agentId: home.agent.agentId, delegatedBy: home.owner.personId },
    }));
    expect(await authenticate.authenticate(token('delegation'))).toMatchObject({
      value: { kind: 'agent', agentId: agent.agentId, ownerId: owner.personId, onBehalfOf: owner.personId },
    });
  });
});
