import type { StartEpochCommand } from '#lib/audit';
import { databaseConfigFrom, openDatabase, packageRoot } from '#lib/database';
import { compose, ENTITIES, installationConfigFrom, openCheckpointDestinations } from '#lib/installation';
import { checkpointsOf } from './checkpoints-of.js';
import { CommandError, EXIT } from './exit-codes.js';

const ignore = (): void => undefined;

/** Begins a new epoch of a tenant's log on the database itself, with the installation's own keys. */
export async function startEpochAsOperator(
  slug: string | undefined,
  command: StartEpochCommand,
): Promise<{ readonly tenant: string; readonly epoch: number }> {
  const root = packageRoot();
  const database = await openDatabase(databaseConfigFrom(process.env, root), {
    applicationName: 'countersign-restored',
    entities: ENTITIES,
    poolSize: 4,
    onError: ignore,
  });
  try {
    const { signIn, audit } = await compose(installationConfigFrom(process.env, root), database);
    const tenants = signIn.tenantDirectory;
    const tenantId = await (slug === undefined ? tenants.only() : tenants.bySlug(slug));
    if (tenantId === null)
      throw new CommandError(
        EXIT.usage,
        slug === undefined ? 'There is no tenant, or more than one.' : 'There is no such tenant.',
        'Say which: --tenant SLUG.',
        [],
        'restored.tenant',
      );
    const destinations = openCheckpointDestinations(checkpointsOf(root));
    const epoch = await audit.startEpoch.executeAsOperator(tenantId, command, destinations);
    return { tenant: slug ?? tenantId, epoch };
  } finally {
    await database.close();
  }
}
