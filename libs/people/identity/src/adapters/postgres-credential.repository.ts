import { sqlOf } from '#lib/database';
import { requireSeal, type CredentialId, type PersonId, type RowSeals, type Scope, type Tx } from '#lib/kernel';
import type { CredentialRepository, CredentialsSeenBy, ListAfter } from '../application/identity.ports.js';
import type { Credential, CredentialHolder } from '../domain/credential.js';
import { epochMs, toEpochMs, toEpochMsOrNull } from './epoch-ms.js';
import { sealedCredential, type HolderColumns } from './sealed-credential.js';

interface CredentialRow extends HolderColumns {
  readonly id: CredentialId;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly created_by: PersonId | null;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly token_digest: Uint8Array;
  readonly seal: string;
}

const columns = `id, kind, person_id, agent_id, delegated_by, name, prefix, scopes, created_by, token_digest, seal,
  ${epochMs('created_at')} as created_at, ${epochMs('expires_at')} as expires_at,
  ${epochMs('revoked_at')} as revoked_at, ${epochMs('last_used_at')} as last_used_at`;

// $2 is the reader, $3 whether they see all.
const visible = `tenant_id = $1 and ($3 or person_id = $2 or delegated_by = $2
  or agent_id in (select agent.id from agent where agent.tenant_id = $1 and agent.owner_person_id = $2))`;

/** Credentials in PostgreSQL. One that Countersign did not make is reported, and stands in no list. */
export class PostgresCredentialRepository implements CredentialRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, credential: Credential, digest: Uint8Array): Promise<void> {
    const { holder, id, scopes, expiresAt } = credential;
    const holds = {
      kind: holder.kind,
      person_id: 'personId' in holder ? holder.personId : null,
      agent_id: 'agentId' in holder ? holder.agentId : null,
      delegated_by: holder.kind === 'delegation' ? holder.delegatedBy : null,
    };
    const seal = await this.seals.seal(sealedCredential(tx.tenantId, { ...holds, id, scopes }, digest));
    await sqlOf(tx).execute(
      `insert into credential (tenant_id, id, kind, person_id, agent_id, delegated_by, name, prefix, token_digest, scopes, created_at, created_by, expires_at, seal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11::bigint / 1000.0), $12, to_timestamp($13::bigint / 1000.0), $14)`,
      [
        tx.tenantId,
        id,
        holds.kind,
        holds.person_id,
        holds.agent_id,
        holds.delegated_by,
        credential.name,
        credential.prefix,
        digest,
        scopes,
        credential.createdAt,
        credential.createdBy,
        expiresAt,
        seal,
      ],
    );
  }

  async find(tx: Tx, id: CredentialId, seenBy: CredentialsSeenBy): Promise<Credential | null> {
    const [row] = await sqlOf(tx).query<CredentialRow>(
      `select ${columns} from credential where ${visible} and id = $4`,
      [tx.tenantId, seenBy.personId, seenBy.all, id],
    );
    return row === undefined ? null : ((await this.#authentic(tx, [row]))[0] ?? null);
  }

  async list(tx: Tx, seenBy: CredentialsSeenBy, page: ListAfter): Promise<Credential[]> {
    const rows = await sqlOf(tx).query<CredentialRow>(
      `select ${columns} from credential where ${visible} and kind <> 'session' and ($4::uuid is null or id > $4) order by id limit $5`,
      [tx.tenantId, seenBy.personId, seenBy.all, page.afterId, page.limit],
    );
    return this.#authentic(tx, rows);
  }

  async revoke(tx: Tx, id: CredentialId, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update credential set revoked_at = greatest(created_at, to_timestamp($3::bigint / 1000.0))
        where tenant_id = $1 and id = $2 and revoked_at is null`,
      [tx.tenantId, id, at],
    );
  }

  async countTokens(tx: Tx, holder: CredentialHolder): Promise<{ readonly live: number; readonly madeToday: number }> {
    const [id, column, kinds] =
      'personId' in holder
        ? [holder.personId, 'person_id', ['person_token']]
        : [holder.agentId, 'agent_id', ['agent_token', 'delegation']];
    await sqlOf(tx).query("select pg_advisory_xact_lock(hashtextextended('tokens/' || $1, 0))", [id]);
    const [row] = await sqlOf(tx).query<{ live: number; made_today: number }>(
      `select count(*) filter (where revoked_at is null and expires_at > clock_timestamp())::integer as live,
         count(*) filter (where created_at > clock_timestamp() - interval '1 day')::integer as made_today
         from credential where tenant_id = $1 and ${column} = $2 and kind = any ($3::text[])`,
      [tx.tenantId, id, kinds],
    );
    return { live: row?.live ?? 0, madeToday: row?.made_today ?? 0 };
  }

  async rotate(tx: Tx, id: CredentialId, digest: Uint8Array): Promise<void> {
    const [row] = await sqlOf(tx).query<CredentialRow>(
      `select ${columns} from credential where tenant_id = $1 and id = $2 and kind = 'session' and revoked_at is null
       for no key update`,
      [tx.tenantId, id],
    );
    if (row === undefined) return;
    await requireSeal(this.seals, sealedCredential(tx.tenantId, row, row.token_digest), row.seal);
    await sqlOf(tx).execute('update credential set token_digest = $3, seal = $4 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      digest,
      await this.seals.seal(sealedCredential(tx.tenantId, row, digest)),
    ]);
  }

  async #authentic(tx: Tx, rows: readonly CredentialRow[]): Promise<Credential[]> {
    const authentic: Credential[] = [];
    for (const row of rows) {
      const sealed = sealedCredential(tx.tenantId, row, row.token_digest);
      if (await this.seals.holds(sealed, row.seal)) authentic.push(toCredential(row));
    }
    return authentic;
  }

  async revokeAllOf(tx: Tx, personId: PersonId, at: number): Promise<number> {
    return sqlOf(tx).execute(
      `update credential set revoked_at = greatest(created_at, to_timestamp($3::bigint / 1000.0))
        where tenant_id = $1 and (person_id = $2 or delegated_by = $2) and revoked_at is null`,
      [tx.tenantId, personId, at],
    );
  }

  async revokeAllMadeBy(tx: Tx, personId: PersonId, at: number): Promise<number> {
    return sqlOf(tx).execute(
      `update credential set revoked_at = greatest(created_at, to_timestamp($3::bigint / 1000.0))
        where tenant_id = $1 and (person_id = $2 or delegated_by = $2 or created_by = $2) and revoked_at is null`,
      [tx.tenantId, personId, at],
    );
  }

  async stillGood(tx: Tx, personId: PersonId, id: CredentialId): Promise<boolean> {
    await sqlOf(tx).query('select from person where tenant_id = $1 and id = $2 for share', [tx.tenantId, personId]);
    // Read after the lock: a vouch that was waited for has ended it.
    const good = await sqlOf(tx).query(
      'select from credential where tenant_id = $1 and id = $2 and revoked_at is null and expires_at > clock_timestamp()',
      [tx.tenantId, id],
    );
    return good.length > 0;
  }
}

/** @throws where the row is none of the kinds, which its check constraint rules out. */
export function toHolder(row: HolderColumns): CredentialHolder {
  const { kind, person_id: personId, agent_id: agentId, delegated_by: delegatedBy } = row;
  if (kind === 'agent_token' && agentId !== null) return { kind, agentId };
  if (kind === 'delegation' && agentId !== null && delegatedBy !== null) return { kind, agentId, delegatedBy };
  if (kind !== 'agent_token' && kind !== 'delegation' && personId !== null) return { kind, personId };
  throw new Error(`a credential of kind ${kind} lacks its holder`);
}

const toCredential = (row: CredentialRow): Credential => ({
  id: row.id,
  holder: toHolder(row),
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  createdAt: toEpochMs(row.created_at),
  createdBy: row.created_by,
  expiresAt: toEpochMs(row.expires_at),
  revokedAt: toEpochMsOrNull(row.revoked_at),
  lastUsedAt: toEpochMsOrNull(row.last_used_at),
});
