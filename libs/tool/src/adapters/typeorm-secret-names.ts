import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { SecretNames } from '../application/tool.ports.js';

/** Secrets by name and version, table secret. */
export class TypeormSecretNames implements SecretNames {
  async existing(tx: Tx, references: readonly string[]): Promise<ReadonlySet<string>> {
    if (references.length === 0) return new Set();
    const rows = await sqlOf(tx).query<{ readonly reference: string }>(
      `select name || '@' || version as reference from secret
        where tenant_id = $1 and (name, version::text) in (
          select split_part(wanted, '@', 1), split_part(wanted, '@', 2) from unnest($2::text[]) wanted)`,
      [tx.tenantId, references],
    );
    return new Set(rows.map(({ reference }) => reference));
  }
}
