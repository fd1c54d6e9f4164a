import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { SecretBinding, SecretPurpose } from '#lib/tenancy';
import type { SecretNames } from '../application/tool.ports.js';

interface Row {
  readonly reference: string;
  readonly purpose: SecretPurpose | null;
  readonly executors: string[] | null;
  readonly environments: string[] | null;
  readonly tools: string[] | null;
}

/** Secrets by name and version with their bindings, tables secret and secret_binding. */
export class TypeormSecretNames implements SecretNames {
  async bindings(tx: Tx, references: readonly string[]): Promise<ReadonlyMap<string, SecretBinding | null>> {
    if (references.length === 0) return new Map();
    const rows = await sqlOf(tx).query<Row>(
      `select name || '@' || version as reference, purpose, executors, environments, tools
         from secret left join secret_binding bound on bound.tenant_id = secret.tenant_id and bound.secret_name = secret.name
        where secret.tenant_id = $1 and (name, version::text) in (
          select split_part(wanted, '@', 1), split_part(wanted, '@', 2) from unnest($2::text[]) wanted)`,
      [tx.tenantId, references],
    );
    return new Map(rows.map((row) => [row.reference, bindingOf(row)]));
  }
}

const bindingOf = ({ purpose, executors, environments, tools }: Row): SecretBinding | null =>
  purpose === null
    ? null
    : { purpose, executors: executors ?? [], environments: environments ?? [], tools: tools ?? [] };
