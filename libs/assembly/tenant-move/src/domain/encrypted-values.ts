import { canonicalJson } from '#lib/canonical';

/** A row, by the names of its columns; bytes are Uint8Array. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** One encrypted value of a table: where it stands, and the purpose that is authenticated with it. */
export interface EncryptedValue {
  readonly table: string;
  /** The columns of the primary key beside the tenant. */
  readonly key: readonly string[];
  /** Key id, nonce and ciphertext in columns of their own, or all three in one text. */
  readonly columns:
    | { readonly keyId: string; readonly nonce: string; readonly ciphertext: string }
    | { readonly text: string };
  /** Further columns that the purpose names. */
  readonly named?: readonly string[];
  readonly purpose: (tenantId: string, row: StoredRow) => string;
}

const WRAPPED = { keyId: 'key_id', nonce: 'nonce', ciphertext: 'ciphertext' };

const SECRET = 'countersign:secret:v1\n';

/** As the cipher of secrets spells the purpose of a value. */
const secretPurpose = (tenantId: string, name: string, version: number): string =>
  `${SECRET}${canonicalJson({ tenant_id: tenantId, name, version })}`;

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The tenant of a purpose: the first id, but for a secret, whose name stands before it. Null if it names none. */
export function tenantOfPurpose(purpose: string): string | null {
  if (!purpose.startsWith(SECRET)) return ID.exec(purpose)?.[0] ?? null;
  try {
    const parts: unknown = JSON.parse(purpose.slice(SECRET.length));
    if (typeof parts !== 'object' || parts === null || !('tenant_id' in parts)) return null;
    return typeof parts.tenant_id === 'string' ? parts.tenant_id : null;
  } catch {
    return null;
  }
}

const of = (row: StoredRow, column: string): string => String(row[column]);

/** Every value of a tenant that is encrypted under the keyring. A test holds it against the columns of the database. */
export const ENCRYPTED_VALUES: readonly EncryptedValue[] = [
  {
    table: 'secret',
    key: ['id'],
    columns: WRAPPED,
    named: ['name', 'version'],
    purpose: (tenantId, row) => secretPurpose(tenantId, of(row, 'name'), Number(row.version)),
  },
  {
    table: 'factor',
    key: ['id'],
    columns: WRAPPED,
    purpose: (tenantId, row) => secretPurpose(tenantId, `factor/${of(row, 'id')}`, 1),
  },
  {
    table: 'automation_secret',
    key: ['id'],
    columns: WRAPPED,
    named: ['automation_id'],
    purpose: (tenantId, row) => `countersign:automation:v1:${tenantId}:${of(row, 'automation_id')}:${of(row, 'id')}`,
  },
  {
    table: 'browser_session',
    key: ['id'],
    columns: { keyId: 'id_token_key_id', nonce: 'id_token_nonce', ciphertext: 'id_token_ciphertext' },
    purpose: (tenantId) => `sign-in:id-token:${tenantId}`,
  },
  {
    table: 'push_key',
    key: [],
    columns: { keyId: 'key_id', nonce: 'private_key_nonce', ciphertext: 'private_key' },
    purpose: (tenantId) => `countersign:push:v1:${tenantId}`,
  },
  {
    table: 'embedder',
    key: ['id'],
    columns: WRAPPED,
    purpose: (tenantId, row) => `countersign:embedder:v1:${tenantId}:${of(row, 'id')}`,
  },
  {
    table: 'siem_collector',
    key: ['id'],
    columns: WRAPPED,
    purpose: (tenantId, row) => `countersign:siem:v1:${tenantId}:${of(row, 'id')}`,
  },
  {
    table: 'slack_app',
    key: [],
    columns: { keyId: 'key_id', nonce: 'client_secret_nonce', ciphertext: 'client_secret' },
    purpose: (tenantId) => `countersign:slack:v1:${tenantId}:client-secret`,
  },
  {
    table: 'slack_app',
    key: [],
    columns: { keyId: 'key_id', nonce: 'signing_secret_nonce', ciphertext: 'signing_secret' },
    purpose: (tenantId) => `countersign:slack:v1:${tenantId}:signing-secret`,
  },
  {
    table: 'slack_installation',
    key: ['id'],
    columns: { keyId: 'key_id', nonce: 'bot_token_nonce', ciphertext: 'bot_token' },
    named: ['team_id'],
    purpose: (tenantId, row) => `countersign:slack:v1:${tenantId}:bot-token:${of(row, 'team_id')}`,
  },
  {
    table: 'webhook_secret',
    key: ['id'],
    columns: WRAPPED,
    purpose: (tenantId, row) => `countersign:webhook:v1:${tenantId}:${of(row, 'id')}`,
  },
  {
    table: 'tool_call_output_pending',
    key: ['call_id'],
    columns: { text: 'held' },
    purpose: (tenantId, row) => `tool-call-output:${tenantId}:${of(row, 'call_id')}`,
  },
  {
    table: 'runner_dispatch',
    key: ['id'],
    columns: { text: 'output_held' },
    purpose: (tenantId, row) => `runner-output:${tenantId}:${of(row, 'id')}`,
  },
];

/** Encrypted values of a change request name its change's digest: they cannot be encrypted anew before it is decided. */
export const WAITING_VALUES = ['slack_app_waiting'] as const;

/** The columns of a table that hold encrypted values: their bytes differ between two keyrings. */
export const encryptedColumns = (table: string): readonly string[] => [
  ...new Set(
    ENCRYPTED_VALUES.filter((value) => value.table === table).flatMap(({ columns }) => Object.values(columns)),
  ),
];
