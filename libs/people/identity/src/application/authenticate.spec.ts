import { newId, type CredentialId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { spellToken, TOKEN_BYTES } from '../domain/token.js';
import { Authenticate } from './authenticate.js';
import type { CredentialOnFile } from './identity.ports.js';

const MINUTE_MS = 60_000;
const DIGEST = Buffer.alloc(32, 1);
const token = (kind: Parameters<typeof spellToken>[0]): string => spellToken(kind, Buffer.alloc(TOKEN_BYTES, 1));

function setting(more: Partial<CredentialOnFile> = {}) {
  const { uow, home } = fakeWorld();
  const { owner, agent } = home;
  const standing = {
    now: uow.now,
    expiresAt: uow.now + MINUTE_MS,
    revokedAt: null,
    idleUntil: null,
    holderDisabled: false,
    backerDisabled: false,
    outsideIssuers: false,
  };
  const credential: CredentialOnFile = {
    tenantId: home.tenantId,
    id: newId<CredentialId>(),
    scopes: ['read', 'admin'],
    holder: { kind: 'session', personId: owner.personId },
    displayName: 'Ada',
    roles: [],
    enrolledAt: 0,
    signedInAt: 0,
    ownerId: null,
    standing,
    lastUsedAt: null,
    ...more,
  };
  const marked: CredentialId[] = [];
  const file = {
    find: (digest: Uint8Array) => Promise.resolve(DIGEST.equals(digest) ? credential : null),
    markUsed: (_tx: unknown, id: CredentialId) => {
      marked.push(id);
      return Promise.resolve();
    },
  };
  const digests = {
    digest: () => Promise.resolve(DIGEST),
    candidates: () => Promise.resolve([Buffer.alloc(32), DIGEST]),
  };
  return { authenticate: new Authenticate(uow, file, digests), credential, owner, agent, standing, marked };
}

describe('authentication', () => {
  it('finds a credential by a digest under any key', async () => {
    const { authenticate, credential } = setting();
    const found = await authenticate.authenticateSession(token('session'));
    expect(found).toMatchObject({ ok: true, value: { kind: 'person', credentialId: credential.id } });
  });

  it('gives a session the scopes of its roles at this moment, and a token its own', async () => {
    const { authenticate, owner } = setting();
    expect(await authenticate.authenticateSession(token('session'))).toMatchObject({ value: { scopes: ['read'] } });
    const own = setting({ holder: { kind: 'person_token', personId: owner.personId } });
    expect(await own.authenticate.authenticate(token('person'))).toMatchObject({
      value: { scopes: ['read', 'admin'] },
    });
  });

  it('takes a token of a session as no bearer token, and the reverse', async () => {
    const { authenticate, marked } = setting();
    const unknown = { ok: false, error: { code: 'credential.unknown' } };
    expect(await authenticate.authenticate(token('session'))).toMatchObject(unknown);
    expect(await authenticate.authenticateSession(token('person'))).toMatchObject(unknown);
    expect(marked).toEqual([]);
  });

  it('takes a session neither as an issuer’s token nor as a link with Slack', async () => {
    const { authenticate } = setting();
    const unknown = { ok: false, error: { code: 'credential.unknown' } };
    expect(await authenticate.authenticateIssuerToken(DIGEST)).toMatchObject(unknown);
    expect(await authenticate.authenticateSlackLink(DIGEST)).toMatchObject(unknown);
  });

  it('refuses a revoked credential, and marks no use of it', async () => {
    const { standing } = setting();
    const { authenticate, marked } = setting({ standing: { ...standing, revokedAt: 1 } });
    const refused = await authenticate.authenticateSession(token('session'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'credential.revoked' } });
    expect(marked).toEqual([]);
  });

  it('marks a use once a minute, and none of a page’s own requests', async () => {
    const { standing } = setting();
    for (const [lastUsedAt, attended, times] of [
      [null, true, 1],
      [standing.now - MINUTE_MS, true, 0],
      [standing.now - MINUTE_MS - 1, true, 1],
      [null, false, 0],
    ] as const) {
      const { authenticate, marked } = setting({ lastUsedAt });
      await authenticate.authenticateSession(token('session'), attended);
      expect(marked).toHaveLength(times);
    }
  });

  it('names the owner of an agent, and the person who delegated to it', async () => {
    const { owner, agent } = setting();
    const { authenticate } = setting({
      ownerId: owner.personId,
      holder: { kind: 'delegation', agentId: agent.agentId, delegatedBy: owner.personId },
    });
    expect(await authenticate.authenticate(token('delegation'))).toMatchObject({
      value: { kind: 'agent', agentId: agent.agentId, ownerId: owner.personId, onBehalfOf: owner.personId },
    });
  });
});
