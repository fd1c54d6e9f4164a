import { IsNull } from 'typeorm';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import { sealedStanding, SESSION_IDLE_MS } from '#lib/identity';
import { newId, type PersonId, type RowSeals, type SealedRow, type Tx } from '#lib/kernel';
import type { SignInSettingsRepository } from '../application/sign-in.ports.js';
import {
  DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
  type Issuer,
  type IssuerDescription,
  type SignInSettings,
} from '../domain/issuer.js';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import { DEFAULT_DORMANT_AFTER_DAYS } from '../domain/passkey-way.js';
import { BROWSER_SESSION_LIFETIME_MS } from '../domain/browser-session.js';
import { issuerEntity, issuerStandingEntity, signInSettingsEntity } from './sign-in.entity.js';

type IssuerRow = RowOf<typeof issuerEntity>;

/** All of an issuer but whether it is in service. */
const sealedIssuer = (tx: Tx, id: string, issuer: IssuerDescription): SealedRow => ({
  table: 'issuer',
  tenantId: tx.tenantId,
  id,
  columns: {
    issuer_url: issuer.url,
    client_id: issuer.clientId,
    client_secret: issuer.clientSecret,
    algorithms: [...issuer.algorithms],
    extra_scopes: [...issuer.extraScopes],
    roles_claim: issuer.rolesClaim,
    role_mappings: issuer.roleMappings.map(({ value, role }) => ({ value, role })),
    provision: issuer.provision,
    link_by_verified_email: issuer.linkByVerifiedEmail,
    bearer_scopes: [...issuer.bearerScopes],
  },
});

/** How people sign in. An issuer that Countersign did not write down is reported, and stands in no list. */
export class SqlSignInSettingsRepository implements SignInSettingsRepository {
  constructor(private readonly seals: RowSeals) {}

  async read(tx: Tx): Promise<SignInSettings> {
    const row = await rowsOf(tx, signInSettingsEntity).findOne({});
    const issuers = await rowsOf(tx, issuerEntity).find(
      { disabledAt: IsNull() },
      { order: { createdAt: 'asc', id: 'asc' } },
    );
    return {
      revision: row?.revision ?? 0,
      reauthenticateAfterMinutes: row?.reauthenticateAfterMinutes ?? DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
      signInRequired: row?.signInRequired ?? false,
      dormantAfterDays: row?.dormantAfterDays ?? DEFAULT_DORMANT_AFTER_DAYS,
      sessionMinutes: row?.sessionMinutes ?? BROWSER_SESSION_LIFETIME_MS / 60_000,
      sessionIdleMinutes: row?.sessionIdleMinutes ?? SESSION_IDLE_MS / 60_000,
      issuers: await this.#authentic(tx, issuers),
    };
  }

  async lock(tx: Tx): Promise<SignInSettings> {
    // The tenant's row stands for settings that are not there yet.
    await sqlOf(tx).query('select id from tenant where id = $1 for no key update', [tx.tenantId]);
    return this.read(tx);
  }

  async save(
    tx: Tx,
    settings: Omit<SignInSettings, 'issuers'> & { readonly issuers: readonly IssuerDescription[] },
    by: PersonId,
  ): Promise<void> {
    const sql = sqlOf(tx);
    await sql.execute(
      `insert into sign_in_settings (tenant_id, revision, reauthenticate_after_minutes, sign_in_required, session_minutes,
         session_idle_minutes, dormant_after_days, updated_at, updated_by, sign_in_required_since)
       values ($1, $2, $3, $4, $6, $7, $8, clock_timestamp(), $5, case when $4 then clock_timestamp() end)
       on conflict (tenant_id) do update set revision = excluded.revision, updated_at = excluded.updated_at,
         reauthenticate_after_minutes = excluded.reauthenticate_after_minutes,
         sign_in_required = excluded.sign_in_required, session_minutes = excluded.session_minutes,
         session_idle_minutes = excluded.session_idle_minutes, dormant_after_days = excluded.dormant_after_days,
         updated_by = excluded.updated_by,
         sign_in_required_since = case when excluded.sign_in_required
           then coalesce(sign_in_settings.sign_in_required_since, excluded.sign_in_required_since) end`,
      [
        tx.tenantId,
        settings.revision,
        settings.reauthenticateAfterMinutes,
        settings.signInRequired,
        by,
        settings.sessionMinutes,
        settings.sessionIdleMinutes,
        settings.dormantAfterDays,
      ],
    );
    // All of them out of service first, so that names can be given to others.
    await sql.execute(
      'update issuer set disabled_at = clock_timestamp() where tenant_id = $1 and disabled_at is null',
      [tx.tenantId],
    );
    for (const issuer of settings.issuers) {
      // The tenant's row is locked, so no other transaction makes one for this address meanwhile.
      const known = await rowsOf(tx, issuerEntity).findOne({ issuerUrl: issuer.url });
      const id = known?.id ?? newId();
      await sql.execute(
        `insert into issuer as known (tenant_id, id, name, display_name, issuer_url, client_id, client_secret, algorithms,
           extra_scopes, roles_claim, role_mappings, provision, link_by_verified_email, bearer_scopes, seal, created_at, updated_at)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, at, at from clock_timestamp() at
         on conflict (tenant_id, issuer_url) do update set name = excluded.name, display_name = excluded.display_name,
           client_id = excluded.client_id, client_secret = excluded.client_secret, algorithms = excluded.algorithms,
           extra_scopes = excluded.extra_scopes, roles_claim = excluded.roles_claim,
           role_mappings = excluded.role_mappings, provision = excluded.provision,
           link_by_verified_email = excluded.link_by_verified_email, bearer_scopes = excluded.bearer_scopes, seal = excluded.seal,
           updated_at = excluded.updated_at, disabled_at = null`,
        [
          tx.tenantId,
          id,
          issuer.name,
          issuer.displayName,
          issuer.url,
          issuer.clientId,
          issuer.clientSecret,
          issuer.algorithms,
          issuer.extraScopes,
          issuer.rolesClaim,
          JSON.stringify(issuer.roleMappings.map(({ value, role }) => ({ value, role }))),
          issuer.provision,
          issuer.linkByVerifiedEmail,
          issuer.bearerScopes,
          await this.seals.seal(sealedIssuer(tx, id, issuer)),
        ],
      );
    }
  }

  async keepStanding(
    tx: Tx,
    { issuerId, how, personId }: { issuerId: string; how: IssuerStanding; personId: PersonId },
  ): Promise<void> {
    const id = newId();
    const seal = await this.seals.seal(sealedStanding(tx.tenantId, { id, issuerId, how, personId }));
    await sqlOf(tx).execute(
      `insert into issuer_standing (tenant_id, id, issuer_id, how, person_id, since, seal)
       values ($1, $2, $3, $4, $5, clock_timestamp(), $6)`,
      [tx.tenantId, id, issuerId, how, personId, seal],
    );
  }

  async standing(tx: Tx, issuerId: string): Promise<{ how: IssuerStanding; personId: PersonId } | null> {
    const row = await rowsOf(tx, issuerStandingEntity).findOne(
      { issuerId },
      { order: { since: 'desc', id: 'desc' }, limit: 1 },
    );
    return row === null ? null : { how: row.how, personId: row.personId };
  }

  async issuer(tx: Tx, id: string): Promise<Issuer | null> {
    const rows = await rowsOf(tx, issuerEntity).find({ id, disabledAt: IsNull() });
    return (await this.#authentic(tx, rows))[0] ?? null;
  }

  async #authentic(tx: Tx, rows: readonly IssuerRow[]): Promise<readonly Issuer[]> {
    const authentic: Issuer[] = [];
    for (const row of rows) {
      const issuer = toIssuer(row);
      if (await this.seals.holds(sealedIssuer(tx, row.id, issuer), row.seal)) authentic.push(issuer);
    }
    return authentic;
  }
}

const toIssuer = (row: IssuerRow): Issuer => ({
  id: row.id,
  name: row.name,
  displayName: row.displayName,
  url: row.issuerUrl,
  clientId: row.clientId,
  clientSecret: row.clientSecret,
  algorithms: row.algorithms,
  extraScopes: row.extraScopes,
  rolesClaim: row.rolesClaim,
  roleMappings: row.roleMappings,
  provision: row.provision,
  linkByVerifiedEmail: row.linkByVerifiedEmail,
  bearerScopes: row.bearerScopes,
});
