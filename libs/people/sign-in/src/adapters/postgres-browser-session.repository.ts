import { sqlOf } from '#lib/database';
import { SESSION_IDLE_MS } from '#lib/identity';
import type { CredentialId, FactorId, PersonId, Tx } from '#lib/kernel';
import type { WrappedBytes } from '#lib/tenancy';
import type { BrowserSessionRepository } from '../application/sign-in.ports.js';
import type { BrowserSession, ComingBrowser } from '../domain/browser-session.js';

interface SessionRow {
  readonly id: CredentialId;
  readonly issuer_name: string | null;
  readonly passkey_name: string | null;
  readonly user_agent: string;
  readonly address: string | null;
  readonly authenticated_at: Date;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date;
}

// $3 is how long a session may rest, in milliseconds, where the tenant has not said so.
const live = `c.revoked_at is null and c.expires_at > clock_timestamp()
  and coalesce(c.last_used_at, c.created_at) > clock_timestamp() - interval '1 millisecond' * coalesce(
    (select settings.session_idle_minutes * 60000 from sign_in_settings settings where settings.tenant_id = $1), $3)`;

const selectSessions = `
  select s.id, issuer.display_name as issuer_name, passkey.name as passkey_name, s.user_agent, s.address, s.authenticated_at, s.created_at, c.last_used_at, c.expires_at
    from browser_session s
    join credential c on c.tenant_id = s.tenant_id and c.id = s.id
    left join external_identity i on i.tenant_id = s.tenant_id and i.id = s.identity_id
    left join factor passkey on passkey.tenant_id = s.tenant_id and passkey.id = s.factor_id
    left join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
   where c.tenant_id = $1 and c.person_id = $2 and ${live}`;

export class PostgresBrowserSessionRepository implements BrowserSessionRepository {
  async insert(
    tx: Tx,
    session: {
      readonly id: CredentialId;
      readonly identityId: string | null;
      readonly factorId: FactorId | null;
      readonly csrfToken: string;
      readonly browser: ComingBrowser;
      readonly authenticatedAt: number;
      readonly idToken: WrappedBytes | null;
    },
  ): Promise<void> {
    await sqlOf(tx).execute(
      `insert into browser_session (tenant_id, id, identity_id, csrf_token, user_agent, authenticated_at, created_at,
         id_token_key_id, id_token_nonce, id_token_ciphertext, factor_id, address)
       values ($1, $2, $3, $4, $5, $6, clock_timestamp(), $7, $8, $9, $10, $11)`,
      [
        tx.tenantId,
        session.id,
        session.identityId,
        session.csrfToken,
        session.browser.userAgent.slice(0, 500),
        new Date(session.authenticatedAt),
        session.idToken?.keyId ?? null,
        session.idToken?.nonce ?? null,
        session.idToken?.ciphertext ?? null,
        session.factorId,
        session.browser.address,
      ],
    );
  }

  async rotate(tx: Tx, id: CredentialId): Promise<boolean> {
    const rotated = await sqlOf(tx).execute(
      `update browser_session s set previous_digest = c.token_digest, previous_seal = c.seal, rotated_at = clock_timestamp()
         from credential c
        where s.tenant_id = $1 and s.id = $2 and c.tenant_id = $1 and c.id = $2 and c.revoked_at is null`,
      [tx.tenantId, id],
    );
    return rotated === 1;
  }

  async csrfToken(tx: Tx, id: CredentialId): Promise<string | null> {
    const [row] = await sqlOf(tx).query<{ csrf_token: string }>(
      'select csrf_token from browser_session where tenant_id = $1 and id = $2',
      [tx.tenantId, id],
    );
    return row?.csrf_token ?? null;
  }

  async list(tx: Tx, personId: PersonId): Promise<BrowserSession[]> {
    const rows = await sqlOf(tx).query<SessionRow>(`${selectSessions} order by s.id desc limit 100`, [
      tx.tenantId,
      personId,
      SESSION_IDLE_MS,
    ]);
    return rows.map(toSession);
  }

  async find(tx: Tx, personId: PersonId, id: CredentialId): Promise<BrowserSession | null> {
    const [row] = await sqlOf(tx).query<SessionRow>(`${selectSessions} and s.id = $4`, [
      tx.tenantId,
      personId,
      SESSION_IDLE_MS,
      id,
    ]);
    return row === undefined ? null : toSession(row);
  }

  async signOutOf(tx: Tx, id: CredentialId): Promise<{ issuerId: string | null; idToken: WrappedBytes | null } | null> {
    const [row] = await sqlOf(tx).query<{
      issuer_id: string | null;
      id_token_key_id: string | null;
      id_token_nonce: Uint8Array | null;
      id_token_ciphertext: Uint8Array | null;
    }>(
      `select i.issuer_id, s.id_token_key_id, s.id_token_nonce, s.id_token_ciphertext
         from browser_session s left join external_identity i on i.tenant_id = s.tenant_id and i.id = s.identity_id
        where s.tenant_id = $1 and s.id = $2`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    const { id_token_key_id: keyId, id_token_nonce: nonce, id_token_ciphertext: ciphertext } = row;
    const whole = keyId !== null && nonce !== null && ciphertext !== null;
    return { issuerId: row.issuer_id, idToken: whole ? { keyId, nonce, ciphertext } : null };
  }
}

const toSession = (row: SessionRow): BrowserSession => ({
  id: row.id,
  issuerName: row.issuer_name,
  passkeyName: row.passkey_name,
  userAgent: row.user_agent,
  address: row.address,
  authenticatedAt: row.authenticated_at.getTime(),
  createdAt: row.created_at.getTime(),
  lastUsedAt: row.last_used_at?.getTime() ?? null,
  expiresAt: row.expires_at.getTime(),
});
