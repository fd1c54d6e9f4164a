import type { Authenticator } from '#lib/identity';
import { newId, ok, type CredentialId, type PersonId, type PersonPrincipal, type Scope } from '#lib/kernel';
import { resolvingWorld } from '../fake-resolving-world.js';
import { failure } from '../fake-passkey-holder.js';
import { sampleIssuer } from './fake-issuer.js';

const DAY_MS = 86_400_000;
const SUBJECT = 'subject-of-ada';

/** Access tokens of the issuer for people of a tenant. @param known whether the holder has signed in once. */
async function bearing({ known = true, bearerScopes = ['read', 'submit'] as readonly Scope[] } = {}) {
  /** Authenticates by the stored credential, as the identity library does. */
  const asked: Uint8Array[] = [];
  const holder: { of: PersonId | null } = { of: null };
  const authenticator: Pick<Authenticator, 'authenticateIssuerToken'> = {
    authenticateIssuerToken: (digest) => {
      asked.push(digest);
      const row = credentials.all(home).find((one) => Buffer.from(one.digest).equals(digest));
      if (row?.revokedAt !== null || !('personId' in row.holder))
        return Promise.resolve(failure('auth.credential_revoked'));
      const principal: PersonPrincipal = {
        ...home.owner,
        personId: holder.of ?? row.holder.personId,
        credentialId: row.id,
        scopes: row.scopes,
      };
      return Promise.resolve(ok(principal));
    },
  };
  const world = await resolvingWorld({ bearerScopes }, {}, { authenticator });
  const { home, gateway, addresses, credentials } = world;
  const person = known ? await world.known() : null;
  return {
    ...world,
    person,
    asked,
    holder,
    token: (subject = SUBJECT, audience = addresses.audienceOf(home.tenantId)) =>
      gateway.accessToken(subject, audience),
    authenticate: (token: string) => world.parts.authenticateIssuerToken.authenticate(token),
    standing: () => credentials.all(home),
  };
}

const refused = (code: string) => ({ ok: false, error: { code } });

describe('an access token of an issuer', () => {
  it('is the person that the issuer knows, with the scopes that the tenant allows now', async () => {
    const { authenticate, token, person, standing, uow } = await bearing();
    expect(await authenticate(token())).toMatchObject(ok({ personId: person?.id, scopes: ['read', 'submit'] }));
    expect(standing()).toMatchObject([
      {
        holder: { kind: 'issuer_token', personId: person?.id },
        name: 'Access tokens of Acme',
        createdBy: null,
        expiresAt: uow.now + 30 * DAY_MS,
      },
    ]);
  });

  it('may be for the MCP endpoint of the tenant, and of no other', async () => {
    const { authenticate, token, person } = await bearing();
    const endpointOf = (slug: string): string => `https://countersign.example/t/${slug}/mcp`;
    expect(await authenticate(token(SUBJECT, endpointOf('acme')))).toMatchObject(ok({ personId: person?.id }));
    for (const audience of [endpointOf('globex'), endpointOf('nobody'), 'https://countersign.example/t/acme'])
      expect(await authenticate(token(SUBJECT, audience))).toMatchObject(refused('bearer.refused'));
  });

  it('has one credential for all tokens of a person, also at the same moment, and the next after 30 days', async () => {
    const { authenticate, token, standing, uow } = await bearing();
    await Promise.all([authenticate(token()), authenticate(token())]);
    await authenticate(token());
    expect(standing()).toHaveLength(1);
    uow.now += 30 * DAY_MS;
    expect(await authenticate(token())).toMatchObject({ ok: true });
    expect(standing()).toHaveLength(2);
  });

  it('follows the settings of the tenant at once', async () => {
    const { authenticate, token, putInForce } = await bearing();
    const before = token();
    await authenticate(before);
    await putInForce({ issuers: [sampleIssuer({ bearerScopes: ['read'] })] });
    expect(await authenticate(before)).toMatchObject(ok({ scopes: ['read'] }));
    await putInForce({ issuers: [sampleIssuer({ bearerScopes: [] })] });
    expect(await authenticate(before)).toMatchObject(refused('bearer.refused'));
    await putInForce({ issuers: [] });
    expect(await authenticate(before)).toMatchObject(refused('bearer.refused'));
  });

  it('stays refused once its credential was revoked by hand: no other is made', async () => {
    const { authenticate, token, credentials, standing, uow, atHome } = await bearing();
    await authenticate(token());
    const [{ id } = { id: newId<CredentialId>() }] = standing();
    await atHome((tx) => credentials.revoke(tx, id, uow.now));
    expect(await authenticate(token())).toMatchObject(refused('auth.credential_revoked'));
    expect(standing()).toHaveLength(1);
  });

  it('makes no person: its holder signs in once first', async () => {
    const { authenticate, token, standing, people, home } = await bearing({ known: false });
    expect(await authenticate(token())).toMatchObject(refused('bearer.unknown_holder'));
    expect([standing(), people.all(home)]).toEqual([[], []]);
  });

  it('is refused if its credential turns out to be that of another person', async () => {
    const { authenticate, token, holder } = await bearing();
    holder.of = newId<PersonId>();
    expect(await authenticate(token())).toMatchObject(refused('bearer.unknown_holder'));
  });

  it('is refused with an audience that names no tenant, or another one', async () => {
    const { authenticate, token, addresses, other, asked, gateway, uow } = await bearing();
    const committed = uow.committed;
    const api = addresses.audienceOf(other.tenantId);
    for (const audience of ['https://elsewhere.example', 'https://countersign.example/tenants/acme'])
      expect(await authenticate(token(SUBJECT, audience))).toMatchObject(refused('bearer.refused'));
    // No transaction looked for a tenant of that name.
    expect(uow.committed).toBe(committed);
    expect(await authenticate(token(SUBJECT, api))).toMatchObject(refused('bearer.refused'));
    expect([asked, gateway.clients]).toEqual([[], []]);
  });

  it('is refused if the issuer did not sign it, or is out of reach', async () => {
    const { authenticate, token, gateway, asked } = await bearing();
    const [head, claims] = token().split('.');
    const forged = `${head ?? ''}.${claims ?? ''}.forged`;
    expect(await authenticate(forged)).toMatchObject(refused('bearer.refused'));
    gateway.reachable = false;
    expect(await authenticate(token())).toMatchObject(refused('issuer.unreachable'));
    expect(asked).toEqual([]);
  });

  it('is no text of another kind', async () => {
    const { authenticate } = await bearing();
    expect(await authenticate('cs_p_token')).toMatchObject(refused('bearer.refused'));
  });

  it('is verified without the client secret', async () => {
    const { authenticate, token, gateway, home } = await bearing();
    await authenticate(token());
    expect(gateway.clients).toMatchObject([{ tenantId: home.tenantId, clientSecret: null }]);
  });
});
