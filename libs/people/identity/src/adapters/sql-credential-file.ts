import { sqlOf, type SystemQuery } from '#lib/database';
import type { AgentId, CredentialId, PersonId, RowSeals, Scope, TenantId, Tx } from '#lib/kernel';
import type { CredentialFile, CredentialOnFile } from '../application/identity.ports.js';
import { BROWSER_SESSION_IDLE_MS } from '../domain/credential.js';
import { sealedCredential, type HolderColumns } from './sealed-credential.js';
import { authenticRoles, type HeldRoleRow } from './sealed-role-assignments.js';
import { signedInAtOf, type StoredSignIn } from './signed-in-at.js';
import { toHolder } from './sql-credential.repository.js';
import { credentialEntity } from './identity.entity.js';

const COLUMN = credentialEntity.column;
const CREDENTIAL = credentialEntity.as('credential');
const BUSY = credentialEntity.as('busy');

interface FileRow {
  readonly kind: HolderColumns['kind'];
  readonly person_id: PersonId | null;
  readonly agent_id: AgentId | null;
  readonly delegated_by: PersonId | null;
  readonly tenant_id: TenantId;
  readonly id: CredentialId;
  readonly scopes: readonly Scope[];
  readonly now: Date;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly display_name: string;
  readonly enrolled_at: Date | null;
  readonly signed_in_at: StoredSignIn;
  readonly owner_person_id: PersonId | null;
  readonly holder_disabled: boolean;
  readonly backer_disabled: boolean;
  readonly roles: unknown;
  /** Null if the tenant sets none, and for a credential that is no browser session. */
  readonly browser_session_idle_minutes: number | null;
  /** Of the token that was asked with. */
  readonly seal: string | null;
  readonly outside_issuers: boolean;
}

const TOUCH = `
  update credential set ${COLUMN.lastUsedAt} = clock_timestamp() where tenant_id = $1 and ${CREDENTIAL.id} =
   (select ${BUSY.id} from credential busy where busy.tenant_id = $1 and ${BUSY.id} = $2 for no key update skip locked)`;

/** Reads by the function `credential_standing`, which runs under row-level security. Roles that Countersign did not assign are left out. */
export class SqlCredentialFile implements CredentialFile {
  readonly #system: SystemQuery;

  readonly #seals: RowSeals;

  constructor(system: SystemQuery, seals: RowSeals) {
    this.#system = system;
    this.#seals = seals;
  }

  async find(digest: Uint8Array): Promise<CredentialOnFile | null> {
    const [row] = await this.#system.read<FileRow>('credential_standing', digest);
    if (row === undefined) return null;
    const sealed = sealedCredential(row.tenant_id, { ...row, ...holderOf(row) }, digest);
    // A login to the database made it, or moved the token to it.
    if (!(await this.#seals.holds(sealed, row.seal))) return null;
    const { tenant_id: tenantId, person_id: personId, roles } = row;
    const held = personId === null ? [] : await authenticRoles(this.#seals, tenantId, personId, roles);
    return toCredentialOnFile(row, held);
  }

  async markUsed(tx: Tx, id: CredentialId): Promise<void> {
    // Skipped if another request of the same minute is writing it.
    await sqlOf(tx).execute(TOUCH, [tx.tenantId, id]);
  }
}

const holderOf = ({
  kind,
  person_id: personId,
  agent_id: agentId,
  delegated_by: delegatedBy,
}: FileRow): HolderColumns => ({
  kind,
  personId,
  agentId,
  delegatedBy,
});

const toCredentialOnFile = (row: FileRow, roles: readonly HeldRoleRow[]): CredentialOnFile => ({
  tenantId: row.tenant_id,
  id: row.id,
  scopes: row.scopes,
  holder: toHolder(holderOf(row)),
  displayName: row.display_name,
  roles: roles.map(({ role, assignedAt }) => ({ role, assignedAt })),
  enrolledAt: row.enrolled_at?.getTime() ?? null,
  signedInAt: signedInAtOf(row.signed_in_at),
  ownerId: row.owner_person_id,
  standing: {
    now: row.now.getTime(),
    expiresAt: row.expires_at.getTime(),
    revokedAt: row.revoked_at?.getTime() ?? null,
    idleUntil: row.kind === 'browser_session' ? (row.last_used_at ?? row.created_at).getTime() + idleMs(row) : null,
    holderDisabled: row.holder_disabled,
    backerDisabled: row.backer_disabled,
    outsideIssuers: row.outside_issuers,
  },
  lastUsedAt: row.last_used_at?.getTime() ?? null,
});

const idleMs = ({ browser_session_idle_minutes: minutes }: FileRow): number =>
  minutes === null ? BROWSER_SESSION_IDLE_MS : minutes * 60_000;
