import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { secretBindingEntity, secretEntity, type SecretBinding } from '#lib/tenancy';
import type { SecretNames } from '../application/tool.ports.js';

const SECRET = secretEntity.as('secret');
const BOUND = secretBindingEntity.as('bound');

const BINDING = secretBindingEntity.pick('purpose', 'executors', 'environments', 'tools');

/** Secrets by name and version with their bindings, tables secret and secret_binding. */
export class SqlSecretNames implements SecretNames {
  async bindings(tx: Tx, references: readonly string[]): Promise<ReadonlyMap<string, SecretBinding | null>> {
    if (references.length === 0) return new Map();
    const rows = await sqlOf(tx).query<{ reference: string } & (SecretBinding | { purpose: null })>(
      `select ${SECRET.name} || '@' || ${SECRET.version} as reference, ${BINDING.columns('bound')}
         from secret left join secret_binding bound on bound.tenant_id = secret.tenant_id and ${BOUND.secretName} = ${SECRET.name}
        where secret.tenant_id = $1 and (${SECRET.name}, ${SECRET.version}::text) in (
          select split_part(wanted, '@', 1), split_part(wanted, '@', 2) from unnest($2::text[]) wanted)`,
      [tx.tenantId, references],
    );
    return new Map(rows.map(({ reference, ...bound }) => [reference, bound.purpose === null ? null : bound]));
  }
}
