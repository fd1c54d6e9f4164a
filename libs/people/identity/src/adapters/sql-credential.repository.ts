import { IsNull } from 'typeorm';
import { lockName, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { requireSeal, type AgentId, type CredentialId, type PersonId, type RowSeals, type Tx } from '#lib/kernel';
import type { CredentialRepository, CredentialsSeenBy, ListAfter } from '../application/identity.ports.js';
import type { Credential, CredentialHolder } from '../domain/credential.js';
import { agentEntity, credentialEntity, personEntity } from './identity.entity.js';
import { sealedCredential, type HolderColumns } from './sealed-credential.js';

const AGENT = agentEntity.as('agent');
const CREDENTIAL = credentialEntity.as('credential');
const COLUMN = credentialEntity.column;

type Row = RowOf<typeof credentialEntity>;

const whole = credentialEntity.all;

// $2 is the reader, $3 whether they see all.
const visible = `tenant_id = $1 and ($3 or ${CREDENTIAL.personId} = $2 or ${CREDENTIAL.delegatedBy} = $2
  or ${CREDENTIAL.agentId} in (select ${AGENT.id} from agent where agent.tenant_id = $1 and ${AGENT.ownerPersonId} = $2))`;

/** Credentials in PostgreSQL. One that Countersign did not make is reported, and stands in no list. */
export class SqlCredentialRepository implements CredentialRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, credential: Credential, digest: Uint8Array): Promise<void> {
    const { holder, ...facts } = credential;
    const row = {
      ...facts,
      kind: holder.kind,
      personId: 'personId' in holder ? holder.personId : null,
      agentId: 'agentId' in holder ? holder.agentId : null,
      delegatedBy: holder.kind === 'delegation' ? holder.delegatedBy : null,
      tokenDigest: digest,
    };
    const seal = await this.seals.seal(sealedCredential(tx.tenantId, row, digest));
    await rowsOf(tx, credentialEntity).insert({ ...row, seal });
  }

  async find(tx: Tx, id: CredentialId, seenBy: CredentialsSeenBy): Promise<Credential | null> {
    const rows = await sqlOf(tx).query<object>(
      `select ${whole.columns('credential')} from credential where ${visible} and ${CREDENTIAL.id} = $4`,
      [tx.tenantId, seenBy.personId, seenBy.all, id],
    );
    return (
      (
        await this.#authentic(
          tx,
          rows.map((row) => whole.row(row)),
        )
      )[0] ?? null
    );
  }

  async list(tx: Tx, seenBy: CredentialsSeenBy, page: ListAfter): Promise<Credential[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${whole.columns('credential')} from credential where ${visible} and ${CREDENTIAL.kind} <> 'browser_session'
         and ($4::uuid is null or ${CREDENTIAL.id} > $4) order by ${CREDENTIAL.id} limit $5`,
      [tx.tenantId, seenBy.personId, seenBy.all, page.afterId, page.limit],
    );
    return this.#authentic(
      tx,
      rows.map((row) => whole.row(row)),
    );
  }

  async revoke(tx: Tx, id: CredentialId, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update credential set ${COLUMN.revokedAt} = greatest(${CREDENTIAL.createdAt}, to_timestamp($3::bigint / 1000.0))
        where tenant_id = $1 and ${CREDENTIAL.id} = $2 and ${CREDENTIAL.revokedAt} is null`,
      [tx.tenantId, id, at],
    );
  }

  async countTokens(tx: Tx, holder: CredentialHolder): Promise<{ readonly live: number; readonly madeToday: number }> {
    const [id, column, kinds] =
      'personId' in holder
        ? [holder.personId, 'person_id', ['person_token']]
        : [holder.agentId, 'agent_id', ['agent_token', 'delegation']];
    await lockName(tx, `tokens/${id}`);
    const [row] = await sqlOf(tx).query<{ live: number; made_today: number }>(
      `select count(*) filter (where ${CREDENTIAL.revokedAt} is null and ${CREDENTIAL.expiresAt} > clock_timestamp())::integer as live,
         count(*) filter (where ${CREDENTIAL.createdAt} > clock_timestamp() - interval '1 day')::integer as made_today
         from credential where tenant_id = $1 and ${column} = $2 and ${CREDENTIAL.kind} = any ($3::text[])`,
      [tx.tenantId, id, kinds],
    );
    return { live: row?.live ?? 0, madeToday: row?.made_today ?? 0 };
  }

  async actsForAutomation(tx: Tx, agentId: AgentId): Promise<boolean> {
    const one = { only: ['id'], limit: 1 } as const;
    return (await rowsOf(tx, credentialEntity).findOne({ agentId, kind: 'automation' }, one)) !== null;
  }

  async rotate(tx: Tx, id: CredentialId, digest: Uint8Array): Promise<void> {
    const credentials = rowsOf(tx, credentialEntity);
    const row = await credentials.findOne(
      { id, kind: 'browser_session', revokedAt: IsNull() },
      { lock: 'no key update' },
    );
    if (row === null) return;
    await requireSeal(this.seals, sealedCredential(tx.tenantId, row, row.tokenDigest), row.seal);
    const seal = await this.seals.seal(sealedCredential(tx.tenantId, row, digest));
    await credentials.update({ id }, { tokenDigest: digest, seal });
  }

  async #authentic(tx: Tx, rows: readonly Row[]): Promise<Credential[]> {
    const authentic: Credential[] = [];
    for (const row of rows) {
      const sealed = sealedCredential(tx.tenantId, row, row.tokenDigest);
      if (await this.seals.holds(sealed, row.seal)) authentic.push(toCredential(row));
    }
    return authentic;
  }

  async revokeAllOf(tx: Tx, personId: PersonId, at: number): Promise<number> {
    return sqlOf(tx).execute(
      `update credential set ${COLUMN.revokedAt} = greatest(${CREDENTIAL.createdAt}, to_timestamp($3::bigint / 1000.0))
        where tenant_id = $1 and (${CREDENTIAL.personId} = $2 or ${CREDENTIAL.delegatedBy} = $2) and ${CREDENTIAL.revokedAt} is null`,
      [tx.tenantId, personId, at],
    );
  }

  async revokeAllMadeBy(tx: Tx, personId: PersonId, at: number): Promise<number> {
    return sqlOf(tx).execute(
      `update credential set ${COLUMN.revokedAt} = greatest(${CREDENTIAL.createdAt}, to_timestamp($3::bigint / 1000.0))
        where tenant_id = $1 and (${CREDENTIAL.personId} = $2 or ${CREDENTIAL.delegatedBy} = $2 or ${CREDENTIAL.createdBy} = $2)
          and ${CREDENTIAL.revokedAt} is null`,
      [tx.tenantId, personId, at],
    );
  }

  async stillGood(tx: Tx, personId: PersonId, id: CredentialId): Promise<boolean> {
    await rowsOf(tx, personEntity).findOne({ id: personId }, { only: ['id'], lock: 'share' });
    // Read after the lock: a vouch that was waited for has ended it.
    const good = await sqlOf(tx).query(
      `select from credential where tenant_id = $1 and ${CREDENTIAL.id} = $2 and ${CREDENTIAL.revokedAt} is null
         and ${CREDENTIAL.expiresAt} > clock_timestamp() for share`,
      [tx.tenantId, id],
    );
    return good.length > 0;
  }
}

/** @throws {Error} if the row is none of the kinds, which its check constraint rules out. */
export function toHolder({ kind, personId, agentId, delegatedBy }: HolderColumns): CredentialHolder {
  if ((kind === 'agent_token' || kind === 'automation') && agentId !== null) return { kind, agentId };
  if (kind === 'delegation' && agentId !== null && delegatedBy !== null) return { kind, agentId, delegatedBy };
  if (kind !== 'agent_token' && kind !== 'automation' && kind !== 'delegation' && personId !== null)
    return { kind, personId };
  throw new Error(`a credential of kind ${kind} lacks its holder`);
}

const toCredential = (row: Row): Credential => {
  const { id, name, prefix, scopes, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = row;
  return { id, holder: toHolder(row), name, prefix, scopes, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt };
};
