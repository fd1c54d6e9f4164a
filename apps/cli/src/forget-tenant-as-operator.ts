import { connecting, databaseConfigFrom, operatorAddress, packageRoot } from '#lib/database';
import { FailureError } from '#lib/kernel';
import { checkSlug, openSourceCell, type Forgotten } from '#lib/tenant-move';
import { leaving } from './move-tenant-as-operator.js';
import { configuredParts } from './receive-tenant.js';

/** Removes what the installation of this process still has of a tenant that moved away. */
export async function forgetTenantAsOperator(slug: string): Promise<Forgotten> {
  const checked = checkSlug(slug);
  if (!checked.ok) throw new FailureError(checked.error);
  const address = await operatorAddress(databaseConfigFrom(process.env, packageRoot()));
  try {
    const source = await connecting(address.url, 'COUNTERSIGN_MIGRATE_URL', () => openSourceCell(address.url));
    try {
      const forgotten = await leaving(source, await configuredParts()).forgetTenant.execute(slug);
      if (!forgotten.ok) throw new FailureError(forgotten.error);
      return forgotten.value;
    } finally {
      await source.close();
    }
  } finally {
    await address.close();
  }
}
