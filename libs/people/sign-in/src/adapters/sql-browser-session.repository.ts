import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import { credentialEntity, BROWSER_SESSION_IDLE_MS } from '#lib/identity';
import type { CredentialId, FactorId, PersonId, Tx } from '#lib/kernel';
import type { WrappedBytes } from '#lib/tenancy';
import type { BrowserSessionRepository } from '../application/sign-in.ports.js';
import type { BrowserSession, ComingBrowser } from '../domain/browser-session.js';
import { browserSessionEntity } from './sign-in.entity.js';

const facts = browserSessionEntity.pick('id', 'userAgent', 'address', 'authenticatedAt', 'createdAt');
const standing = credentialEntity.pick('lastUsedAt', 'expiresAt');

interface Names {
  readonly issuerName: string | null;
  readonly passkeyName: string | null;
}

// $3 is how long a browser session may rest, in milliseconds, if the tenant sets no limit.
const live = `c.revoked_at is null and c.expires_at > clock_timestamp()
  and coalesce(c.last_used_at, c.created_at) > clock_timestamp() - interval '1 millisecond' * coalesce(
    (select settings.browser_session_idle_minutes * 60000 from sign_in_settings settings where settings.tenant_id = $1), $3)`;

const selectBrowserSessions = `
  select ${facts.columns('s')}, ${standing.columns('c')}, issuer.display_name as "issuerName", passkey.name as "passkeyName"
    from browser_session s
    join credential c on c.tenant_id = s.tenant_id and c.id = s.id
    left join external_identity i on i.tenant_id = s.tenant_id and i.id = s.identity_id
    left join factor passkey on passkey.tenant_id = s.tenant_id and passkey.id = s.factor_id
    left join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
   where c.tenant_id = $1 and c.person_id = $2 and ${live}`;

/** Browser sessions in PostgreSQL; each is a credential, too. */
export class SqlBrowserSessionRepository implements BrowserSessionRepository {
  async insert(
    tx: Tx,
    {
      browser,
      idToken,
      ...browserSession
    }: {
      readonly id: CredentialId;
      readonly identityId: string | null;
      readonly factorId: FactorId | null;
      readonly csrfToken: string;
      readonly browser: ComingBrowser;
      readonly authenticatedAt: number;
      readonly idToken: WrappedBytes | null;
    },
  ): Promise<void> {
    await rowsOf(tx, browserSessionEntity).insert({
      ...browserSession,
      userAgent: browser.userAgent.slice(0, 500),
      address: browser.address,
      idTokenKeyId: idToken?.keyId ?? null,
      idTokenNonce: idToken?.nonce ?? null,
      idTokenCiphertext: idToken?.ciphertext ?? null,
      createdAt: DATABASE_CLOCK,
      ...{ previousDigest: null, previousSeal: null, rotatedAt: null },
    });
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
    return (await rowsOf(tx, browserSessionEntity).findOne({ id }))?.csrfToken ?? null;
  }

  async list(tx: Tx, personId: PersonId): Promise<BrowserSession[]> {
    const rows = await sqlOf(tx).query<Names>(`${selectBrowserSessions} order by s.id desc limit 100`, [
      tx.tenantId,
      personId,
      BROWSER_SESSION_IDLE_MS,
    ]);
    return rows.map((row) => facts.row(standing.row(row)));
  }

  async find(tx: Tx, personId: PersonId, id: CredentialId): Promise<BrowserSession | null> {
    const [row] = await sqlOf(tx).query<Names>(`${selectBrowserSessions} and s.id = $4`, [
      tx.tenantId,
      personId,
      BROWSER_SESSION_IDLE_MS,
      id,
    ]);
    return row === undefined ? null : facts.row(standing.row(row));
  }

  async signOutOf(tx: Tx, id: CredentialId): Promise<{ issuerId: string | null; idToken: WrappedBytes | null } | null> {
    const idToken = browserSessionEntity.pick('idTokenKeyId', 'idTokenNonce', 'idTokenCiphertext');
    const [stored] = await sqlOf(tx).query<{ readonly issuer_id: string | null }>(
      `select i.issuer_id, ${idToken.columns('s')}
         from browser_session s left join external_identity i on i.tenant_id = s.tenant_id and i.id = s.identity_id
        where s.tenant_id = $1 and s.id = $2`,
      [tx.tenantId, id],
    );
    if (stored === undefined) return null;
    const { idTokenKeyId: keyId, idTokenNonce: nonce, idTokenCiphertext: ciphertext, issuer_id } = idToken.row(stored);
    const whole = keyId !== null && nonce !== null && ciphertext !== null;
    return { issuerId: issuer_id, idToken: whole ? { keyId, nonce, ciphertext } : null };
  }
}
