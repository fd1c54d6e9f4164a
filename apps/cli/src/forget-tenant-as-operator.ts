import { FileSigningKeyStore } from '#lib/audit';
import { connecting, databaseConfigFrom, operatorAddress, packageRoot } from '#lib/database';
import { installationConfigFrom } from '#lib/installation';
import { FailureError } from '#lib/kernel';
import { checkSlug, ForgetTenant, PgCell, PgSourceCell, type Forgotten } from '#lib/tenant-move';
import { KeyringKeyWrapping } from '#lib/tenancy';
import { configuredKeyring } from './operator-database.js';

/** Removes what the installation of this process still has of a tenant that moved away. */
export async function forgetTenantAsOperator(slug: string): Promise<Forgotten> {
  const checked = checkSlug(slug);
  if (!checked.ok) throw new FailureError(checked.error);
  const address = await operatorAddress(databaseConfigFrom(process.env, packageRoot()));
  try {
    const client = await connecting(address.url, 'COUNTERSIGN_MIGRATE_URL', () => PgCell.connect(address.url));
    const source = new PgSourceCell(client, { host: client.host, port: client.port, sslMode: null });
    try {
      const { keyDirectory } = installationConfigFrom(process.env, packageRoot());
      const keys = new FileSigningKeyStore(keyDirectory, new KeyringKeyWrapping(await configuredKeyring()));
      const forgotten = await new ForgetTenant(source, (tenantId) => keys.forget(tenantId)).execute(slug);
      if (!forgotten.ok) throw new FailureError(forgotten.error);
      return forgotten.value;
    } finally {
      await source.close();
    }
  } finally {
    await address.close();
  }
}
