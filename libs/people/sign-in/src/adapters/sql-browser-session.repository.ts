import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import { credentialEntity, BROWSER_SESSION_IDLE_MS } from '#lib/identity';
import type { CredentialId, FactorId, PersonId, Tx } from '#lib/kernel';
import { factorEntity } from '#lib/mfa';
import type { WrappedBytes } from '#lib/tenancy';
import type { BrowserSessionRepository } from '../application/sign-in.ports.js';
import type { BrowserSession, ComingBrowser } from '../domain/browser-session.js';
import { browserSessionEntity, externalIdentityEntity, issuerEntity, signInSettingsEntity } from './sign-in.entity.js';

const C = credentialEntity.as('c');
const SETTINGS = signInSettingsEntity.as('settings');
const ISSUER = issuerEntity.as('issuer');
const PASSKEY = factorEntity.as('passkey');
const S = browserSessionEntity.as('s');
const I = externalIdentityEntity.as('i');
const COLUMN = browserSessionEntity.column;

const facts = browserSessionEntity.pick('id', 'userAgent', 'address', 'authenticatedAt', 'createdAt');
const standing = credentialEntity.pick('lastUsedAt', 'expiresAt');

interface Names {
  readonly issuerName: string | null;
  readonly passkeyName: string | null;
}

// $3 is how long a browser session may rest, in milliseconds, if the tenant sets no limit.
const live = `${C.revokedAt} is null and ${C.expiresAt} > clock_timestamp()
  and coalesce(${C.lastUsedAt}, ${C.createdAt}) > clock_timestamp() - interval '1 millisecond' * coalesce(
    (select ${SETTINGS.browserSessionIdleMinutes} * 60000 from sign_in_settings settings where settings.tenant_id = $1), $3)`;

const selectBrowserSessions = `
  select ${facts.columns('s')}, ${standing.columns('c')}, ${ISSUER.displayName} as "issuerName", ${PASSKEY.name} as "passkeyName"
    from browser_session s
    join credential c on c.tenant_id = s.tenant_id and ${C.id} = ${S.id}
    left join external_identity i on i.tenant_id = s.tenant_id and ${I.id} = ${S.identityId}
    left join factor passkey on passkey.tenant_id = s.tenant_id and ${PASSKEY.id} = ${S.factorId}
    left join issuer on issuer.tenant_id = i.tenant_id and ${ISSUER.id} = ${I.issuerId}
   where c.tenant_id = $1 and ${C.personId} = $2 and ${live}`;

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
      `update browser_session s set ${COLUMN.previousDigest} = ${C.tokenDigest}, ${COLUMN.previousSeal} = ${C.seal},
         ${COLUMN.rotatedAt} = clock_timestamp()
         from credential c
        where s.tenant_id = $1 and ${S.id} = $2 and c.tenant_id = $1 and ${C.id} = $2 and ${C.revokedAt} is null`,
      [tx.tenantId, id],
    );
    return rotated === 1;
  }

  async csrfToken(tx: Tx, id: CredentialId): Promise<string | null> {
    return (await rowsOf(tx, browserSessionEntity).findOne({ id }))?.csrfToken ?? null;
  }

  async list(tx: Tx, personId: PersonId): Promise<BrowserSession[]> {
    const rows = await sqlOf(tx).query<Names>(`${selectBrowserSessions} order by ${S.id} desc limit 100`, [
      tx.tenantId,
      personId,
      BROWSER_SESSION_IDLE_MS,
    ]);
    return rows.map((row) => facts.row(standing.row(row)));
  }

  async find(tx: Tx, personId: PersonId, id: CredentialId): Promise<BrowserSession | null> {
    const [row] = await sqlOf(tx).query<Names>(`${selectBrowserSessions} and ${S.id} = $4`, [
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
      `select ${I.issuerId} as issuer_id, ${idToken.columns('s')}
         from browser_session s left join external_identity i on i.tenant_id = s.tenant_id and ${I.id} = ${S.identityId}
        where s.tenant_id = $1 and ${S.id} = $2`,
      [tx.tenantId, id],
    );
    if (stored === undefined) return null;
    const { idTokenKeyId: keyId, idTokenNonce: nonce, idTokenCiphertext: ciphertext, issuer_id } = idToken.row(stored);
    const whole = keyId !== null && nonce !== null && ciphertext !== null;
    return { issuerId: issuer_id, idToken: whole ? { keyId, nonce, ciphertext } : null };
  }
}
