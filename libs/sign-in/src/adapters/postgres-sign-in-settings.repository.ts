import { sqlOf } from '#lib/database';
import { SESSION_IDLE_MS } from '#lib/identity';
import { newId, type PersonId, type Scope, type Tx } from '#lib/kernel';
import type { SignInSettingsRepository } from '../application/sign-in.ports.js';
import {
  DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
  type Algorithm,
  type Issuer,
  type IssuerDescription,
  type Provision,
  type RoleMapping,
  type SignInSettings,
} from '../domain/issuer.js';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import { DEFAULT_DORMANT_AFTER_DAYS } from '../domain/passkey-way.js';
import { SESSION_ABSOLUTE_MS } from '../domain/session.js';

interface SettingsRow {
  readonly revision: number;
  readonly reauthenticate_after_minutes: number;
  readonly session_minutes: number;
  readonly session_idle_minutes: number;
  readonly sign_in_required: boolean;
  readonly dormant_after_days: number;
}

interface IssuerRow {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly issuer_url: string;
  readonly client_id: string;
  readonly client_secret: string | null;
  readonly algorithms: readonly Algorithm[];
  readonly extra_scopes: readonly string[];
  readonly roles_claim: string;
  readonly role_mappings: readonly RoleMapping[];
  readonly provision: Provision;
  readonly link_by_verified_email: boolean;
  readonly bearer_scopes: readonly Scope[];
}

const columns = `id, name, display_name, issuer_url, client_id, client_secret, algorithms, extra_scopes, roles_claim,
  role_mappings, provision, link_by_verified_email, bearer_scopes`;

export class PostgresSignInSettingsRepository implements SignInSettingsRepository {
  async read(tx: Tx): Promise<SignInSettings> {
    const [row] = await sqlOf(tx).query<SettingsRow>(
      `select revision, reauthenticate_after_minutes, sign_in_required, session_minutes, session_idle_minutes,
         dormant_after_days
         from sign_in_settings where tenant_id = $1`,
      [tx.tenantId],
    );
    const issuers = await sqlOf(tx).query<IssuerRow>(
      `select ${columns} from issuer where tenant_id = $1 and disabled_at is null order by created_at, id`,
      [tx.tenantId],
    );
    return {
      revision: row?.revision ?? 0,
      reauthenticateAfterMinutes: row?.reauthenticate_after_minutes ?? DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
      signInRequired: row?.sign_in_required ?? false,
      dormantAfterDays: row?.dormant_after_days ?? DEFAULT_DORMANT_AFTER_DAYS,
      sessionMinutes: row?.session_minutes ?? SESSION_ABSOLUTE_MS / 60_000,
      sessionIdleMinutes: row?.session_idle_minutes ?? SESSION_IDLE_MS / 60_000,
      issuers: issuers.map(toIssuer),
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
         session_idle_minutes, dormant_after_days, updated_at, updated_by)
       values ($1, $2, $3, $4, $6, $7, $8, clock_timestamp(), $5)
       on conflict (tenant_id) do update set revision = excluded.revision, updated_at = excluded.updated_at,
         reauthenticate_after_minutes = excluded.reauthenticate_after_minutes,
         sign_in_required = excluded.sign_in_required, session_minutes = excluded.session_minutes,
         session_idle_minutes = excluded.session_idle_minutes, dormant_after_days = excluded.dormant_after_days,
         updated_by = excluded.updated_by`,
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
      await sql.execute(
        `insert into issuer as known (tenant_id, id, name, display_name, issuer_url, client_id, client_secret, algorithms,
           extra_scopes, roles_claim, role_mappings, provision, link_by_verified_email, bearer_scopes, created_at, updated_at)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, at, at from clock_timestamp() at
         on conflict (tenant_id, issuer_url) do update set name = excluded.name, display_name = excluded.display_name,
           client_id = excluded.client_id, client_secret = excluded.client_secret, algorithms = excluded.algorithms,
           extra_scopes = excluded.extra_scopes, roles_claim = excluded.roles_claim,
           role_mappings = excluded.role_mappings, provision = excluded.provision,
           link_by_verified_email = excluded.link_by_verified_email, bearer_scopes = excluded.bearer_scopes,
           updated_at = excluded.updated_at, disabled_at = null`,
        [
          tx.tenantId,
          newId(),
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
        ],
      );
    }
  }

  async keepStanding(
    tx: Tx,
    { issuerId, how, personId }: { issuerId: string; how: IssuerStanding; personId: PersonId },
  ): Promise<void> {
    await sqlOf(tx).execute(
      `insert into issuer_standing (tenant_id, id, issuer_id, how, person_id, since)
       values ($1, $2, $3, $4, $5, clock_timestamp())`,
      [tx.tenantId, newId(), issuerId, how, personId],
    );
  }

  async standing(tx: Tx, issuerId: string): Promise<{ how: IssuerStanding; personId: PersonId } | null> {
    const [row] = await sqlOf(tx).query<{ readonly how: IssuerStanding; readonly person_id: PersonId }>(
      `select how, person_id from issuer_standing where tenant_id = $1 and issuer_id = $2
        order by since desc, id desc limit 1`,
      [tx.tenantId, issuerId],
    );
    return row === undefined ? null : { how: row.how, personId: row.person_id };
  }

  async issuer(tx: Tx, id: string): Promise<Issuer | null> {
    const [row] = await sqlOf(tx).query<IssuerRow>(
      `select ${columns} from issuer where tenant_id = $1 and id = $2 and disabled_at is null`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : toIssuer(row);
  }
}

const toIssuer = (row: IssuerRow): Issuer => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  url: row.issuer_url,
  clientId: row.client_id,
  clientSecret: row.client_secret,
  algorithms: row.algorithms,
  extraScopes: row.extra_scopes,
  rolesClaim: row.roles_claim,
  roleMappings: row.role_mappings,
  provision: row.provision,
  linkByVerifiedEmail: row.link_by_verified_email,
  bearerScopes: row.bearer_scopes,
});
