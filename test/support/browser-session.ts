import { randomBytes } from 'node:crypto';
import { newId, SCOPES, type Scope } from '#lib/kernel';
import { createSignInStore } from '#lib/sign-in';
import type { IssuerDescription } from '../../libs/people/sign-in/src/domain/issuer.js';
import { FORGED_SEAL } from './database-login.js';
import type { TestApi, TestPerson, TestTenant } from './api.js';

type Write = (text: string, parameters: readonly unknown[]) => Promise<unknown>;

const writerOf =
  (api: TestApi, tenant: TestTenant): Write =>
  (text, parameters) =>
    api.db.owner.query(text, [tenant.id, ...parameters]);

const storeOf = ({ db, installation }: TestApi): ReturnType<typeof createSignInStore> =>
  createSignInStore({ system: db.systemQuery, seals: installation.keys.seals });

const issuerOf = ({ slug }: TestTenant, bearerScopes: readonly Scope[]): IssuerDescription => ({
  name: 'test',
  displayName: 'Test',
  url: `https://${slug}.example.com`,
  clientId: 'countersign',
  clientSecret: null,
  algorithms: ['ES256'],
  extraScopes: [],
  rolesClaim: 'groups',
  roleMappings: [],
  provision: 'mapped',
  linkByVerifiedEmail: false,
  bearerScopes,
});

/**
 * Somebody as an issuer of the tenant knows them, written past the sign-in that would.
 *
 * @param bearerScopes the scopes that access tokens of the issuer open.
 * @returns both ids.
 */
export async function knownAtIssuer(
  api: TestApi,
  tenant: TestTenant,
  person: TestPerson,
  bearerScopes: readonly Scope[] = [],
): Promise<{ readonly issuer: string; readonly identity: string }> {
  const { settings, identities } = storeOf(api);
  const identity = newId();
  const issuer = await api.database.uow.run(tenant.id, async (tx) => {
    const before = await settings.lock(tx);
    const after = {
      ...before,
      revision: before.revision + 1,
      issuers: [...before.issuers, issuerOf(tenant, bearerScopes)],
    };
    await settings.save(tx, after, tenant.admin.id);
    const id = (await settings.read(tx)).issuers.find(({ name }) => name === 'test')?.id ?? '';
    await settings.keepStanding(tx, { issuerId: id, how: 'two_people', personId: tenant.admin.id });
    await identities.insert(tx, { id: identity, issuerId: id, subject: 'somebody', personId: person.id });
    return id;
  });
  return { issuer, identity };
}

/** Has two people put the tenant's issuers in force, written past the change that they would ask for and confirm. */
export async function believeIssuers(api: TestApi, tenant: TestTenant): Promise<void> {
  const { settings } = storeOf(api);
  await api.database.uow.run(tenant.id, async (tx) => {
    for (const { id } of (await settings.read(tx)).issuers)
      await settings.keepStanding(tx, { issuerId: id, how: 'two_people', personId: tenant.admin.id });
  });
}

/** A browser session of somebody, written past the sign-in that would open it. @returns its id. */
export async function browserSessionOf(api: TestApi, tenant: TestTenant, person: TestPerson): Promise<string> {
  const browserSession = newId();
  const { identity } = await knownAtIssuer(api, tenant, person);
  const write = writerOf(api, tenant);
  await write('update person set signed_in_at = clock_timestamp() where tenant_id = $1 and id = $2', [person.id]);
  await write(
    `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at, seal)
     select $1, $2, 'browser_session', $3, 'Browser', 'cs_s_test', $4, $5, at, at + interval '12 hours', $6 from clock_timestamp() at`,
    [browserSession, person.id, randomBytes(32), SCOPES, FORGED_SEAL],
  );
  await write(
    `insert into browser_session (tenant_id, id, identity_id, csrf_token, user_agent, address, authenticated_at, created_at)
     select $1, $2, $3, $4, 'a browser', '127.0.0.1', at, at from clock_timestamp() at`,
    [browserSession, identity, randomBytes(32).toString('base64url')],
  );
  return browserSession;
}
