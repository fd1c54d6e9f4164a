import { sqlOf, type SystemQuery } from '#lib/database';
import type { CredentialId, PersonId, Scope, TenantId, Tx } from '#lib/kernel';
import type { CredentialFile, CredentialOnFile } from '../application/identity.ports.js';
import { epochMs, toEpochMs, toEpochMsOrNull } from './epoch-ms.js';
import { toHolder, type HolderColumns } from './postgres-credential.repository.js';

interface FileRow extends HolderColumns {
  readonly id: CredentialId;
  readonly token_digest: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly now: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly display_name: string;
  readonly enrolled_at: string | null;
  readonly owner_person_id: PersonId | null;
  readonly holder_disabled: boolean;
  readonly backer_disabled: boolean;
  readonly roles: readonly { role: string; granted_at: number }[];
}

const standing = `
  select credential.id, credential.kind, credential.person_id, credential.agent_id, credential.delegated_by,
    credential.token_digest, credential.scopes,
    ${epochMs('clock_timestamp()')} as now, ${epochMs('credential.expires_at')} as expires_at,
    ${epochMs('credential.revoked_at')} as revoked_at, ${epochMs('credential.last_used_at')} as last_used_at,
    coalesce(person.display_name, agent.name) as display_name, ${epochMs('person.enrolled_at')} as enrolled_at,
    agent.owner_person_id,
    coalesce(person.disabled_at, agent.disabled_at) is not null as holder_disabled,
    owner.disabled_at is not null or delegator.disabled_at is not null as backer_disabled,
    (select coalesce(jsonb_agg(jsonb_build_object('role', held.role, 'granted_at', ${epochMs('held.granted_at')})), '[]')
       from role_grant held
      where held.tenant_id = credential.tenant_id and held.person_id = credential.person_id and held.revoked_at is null) as roles
  from credential
    left join person on person.tenant_id = credential.tenant_id and person.id = credential.person_id
    left join agent on agent.tenant_id = credential.tenant_id and agent.id = credential.agent_id
    left join person owner on owner.tenant_id = agent.tenant_id and owner.id = agent.owner_person_id
    left join person delegator on delegator.tenant_id = credential.tenant_id and delegator.id = credential.delegated_by
  where credential.tenant_id = $1 and credential.id = $2`;

export class PostgresCredentialFile implements CredentialFile {
  readonly #system: SystemQuery;

  constructor(system: SystemQuery) {
    this.#system = system;
  }

  async locate(digest: Uint8Array): Promise<{ tenantId: TenantId; id: CredentialId } | null> {
    const [row] = await this.#system.call('credential_by_digest', digest);
    return row === undefined ? null : { tenantId: row.tenantId, id: row.id as CredentialId };
  }

  async read(tx: Tx, id: CredentialId): Promise<CredentialOnFile | null> {
    const [row] = await sqlOf(tx).query<FileRow>(standing, [tx.tenantId, id]);
    return row === undefined ? null : toCredentialOnFile(row);
  }

  async markUsed(tx: Tx, id: CredentialId): Promise<void> {
    // Skipped where another request of the same minute is writing it.
    await sqlOf(tx).execute(
      `update credential set last_used_at = clock_timestamp() where tenant_id = $1 and id =
        (select busy.id from credential busy where busy.tenant_id = $1 and busy.id = $2 for no key update skip locked)`,
      [tx.tenantId, id],
    );
  }
}

const toCredentialOnFile = (row: FileRow): CredentialOnFile => ({
  id: row.id,
  digest: row.token_digest,
  scopes: row.scopes,
  holder: toHolder(row),
  displayName: row.display_name,
  roles: row.roles.map(({ role, granted_at }) => ({ role, grantedAt: granted_at })),
  enrolledAt: toEpochMsOrNull(row.enrolled_at),
  ownerId: row.owner_person_id,
  standing: {
    now: toEpochMs(row.now),
    expiresAt: toEpochMs(row.expires_at),
    revokedAt: toEpochMsOrNull(row.revoked_at),
    holderDisabled: row.holder_disabled,
    backerDisabled: row.backer_disabled,
  },
  lastUsedAt: toEpochMsOrNull(row.last_used_at),
});
