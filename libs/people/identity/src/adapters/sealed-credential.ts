import type { AgentId, CredentialId, PersonId, Scope, SealedRow, TenantId } from '#lib/kernel';
import type { CredentialHolder } from '../domain/credential.js';

/** The columns that name the holder of a credential. */
export interface HolderColumns {
  readonly kind: CredentialHolder['kind'];
  readonly personId: PersonId | null;
  readonly agentId: AgentId | null;
  readonly delegatedBy: PersonId | null;
}

/** The holder of a token, and its scopes. Its end and its last use are no part of it. */
export const sealedCredential = (
  tenantId: TenantId,
  row: HolderColumns & { readonly id: CredentialId; readonly scopes: readonly Scope[] },
  digest: Uint8Array,
): SealedRow => ({
  table: 'credential',
  tenantId,
  id: row.id,
  columns: {
    kind: row.kind,
    person_id: row.personId,
    agent_id: row.agentId,
    delegated_by: row.delegatedBy,
    scopes: [...row.scopes],
    token_digest: Buffer.from(digest).toString('hex'),
  },
});
