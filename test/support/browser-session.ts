import { randomBytes } from 'node:crypto';
import { newId, SCOPES } from '#lib/kernel';
import type { TestApi, TestPerson, TestTenant } from './api.js';

type Write = (text: string, parameters: readonly unknown[]) => Promise<unknown>;

const writerOf =
  (api: TestApi, tenant: TestTenant): Write =>
  (text, parameters) =>
    api.db.owner.query(text, [tenant.id, ...parameters]);

/** Somebody as an issuer of the tenant knows them, written past the sign-in that would. @returns both ids. */
export async function knownAtIssuer(
  api: TestApi,
  tenant: TestTenant,
  person: TestPerson,
): Promise<{ readonly issuer: string; readonly identity: string }> {
  const [issuer, identity] = [newId(), newId()];
  const write = writerOf(api, tenant);
  await write(
    `insert into issuer (tenant_id, id, name, display_name, issuer_url, client_id, algorithms, extra_scopes, roles_claim,
       role_mappings, provision, link_by_verified_email, bearer_scopes, created_at, updated_at)
     select $1, $2, 'test', 'Test', $3, 'countersign', '{ES256}', '{}', 'groups', '[]', 'mapped', false, '{}', at, at
       from clock_timestamp() at`,
    [issuer, `https://${tenant.slug}.example.com`],
  );
  await write(
    `insert into issuer_standing (tenant_id, id, issuer_id, how, person_id, since)
     values ($1, gen_random_uuid(), $2, 'two_people', $3, clock_timestamp())`,
    [issuer, tenant.admin.id],
  );
  await write(
    `insert into external_identity (tenant_id, id, issuer_id, subject, person_id, created_at, signed_in_at)
     select $1, $2, $3, 'somebody', $4, at, at from clock_timestamp() at`,
    [identity, issuer, person.id],
  );
  return { issuer, identity };
}

/** Has two people put the tenant's issuers in force, written past the change that they would ask for and confirm. */
export async function believeIssuers(api: TestApi, tenant: TestTenant): Promise<void> {
  await writerOf(api, tenant)(
    `insert into issuer_standing (tenant_id, id, issuer_id, how, person_id, since)
     select $1, gen_random_uuid(), id, 'two_people', $2, clock_timestamp() from issuer where tenant_id = $1`,
    [tenant.admin.id],
  );
}

/** A browser session of somebody, written past the sign-in that would open it. @returns its id. */
export async function browserSession(api: TestApi, tenant: TestTenant, person: TestPerson): Promise<string> {
  const session = newId();
  const { identity } = await knownAtIssuer(api, tenant, person);
  const write = writerOf(api, tenant);
  await write('update person set signed_in_at = clock_timestamp() where tenant_id = $1 and id = $2', [person.id]);
  await write(
    `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, expires_at)
     select $1, $2, 'session', $3, 'Browser', 'cs_s_test', $4, $5, at, at + interval '12 hours' from clock_timestamp() at`,
    [session, person.id, randomBytes(32), SCOPES],
  );
  await write(
    `insert into browser_session (tenant_id, id, identity_id, csrf_token, user_agent, authenticated_at, created_at)
     select $1, $2, $3, $4, 'a browser', at, at from clock_timestamp() at`,
    [session, identity, randomBytes(32).toString('base64url')],
  );
  return session;
}
