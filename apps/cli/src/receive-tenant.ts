import type { Readable, Writable } from 'node:stream';
import { createSigningKeys } from '#lib/audit';
import { databaseConfigFrom, isRefusedByPooler, openDatabase, packageRoot, type Database } from '#lib/database';
import { compose, ENTITIES, installationConfigFrom, type InstallationConfig } from '#lib/installation';
import type { TenantId } from '#lib/kernel';
import { identityOf, moveOf, newestEpoch, keysOfMovingTenants, serveReceiver, type TargetKeys } from '#lib/tenant-move';
import { createKeys, DIGEST_PURPOSE, type FileKeyring } from '#lib/tenancy';
import { configuredKeyring } from './operator-database.js';

const ignore = (): void => undefined;

/** Opens the database of an installation. For a move, it opens it in database sessions that the freeze of its tenant does not hold. */
export type OpenForMove = (moveId?: string) => Promise<Database>;

/** Opens the database that the settings of this process name. */
export const openConfigured: OpenForMove = (moveId) =>
  openDatabase(databaseConfigFrom(process.env, packageRoot()), {
    applicationName: 'countersign-move',
    entities: ENTITIES,
    poolSize: 4,
    onError: ignore,
    ...(moveId === undefined ? {} : { moveId }),
  });

/**
 * Opens a database session that the freeze of the move does not hold, and closes it again.
 *
 * @returns the database that it reached; null if the database does not know the move.
 */
export async function reachedDatabase(open: OpenForMove, moveId: string): Promise<string | null> {
  try {
    const database = await open(moveId);
    try {
      return (await moveOf(database.uow)) === moveId ? await identityOf(database.uow) : null;
    } finally {
      await database.close();
    }
  } catch (error) {
    // A pooler refuses a setting that it does not know.
    if (isRefusedByPooler(error)) return null;
    throw error;
  }
}

/** The target's side of a move: keeps its keyring to itself, and answers `countersign tenant move` until that ends. */
export async function receiveTenant(input: Readable, output: Writable): Promise<void> {
  // It stays open, so that an embedded server of nobody else's stays up.
  const database = await openConfigured();
  try {
    await serveReceiver(input, output, await targetKeys(await configuredParts(), database));
  } finally {
    await database.close();
  }
}

export interface InstallationParts {
  readonly config: InstallationConfig;
  readonly open: OpenForMove;
  readonly keyring: FileKeyring;
}

/** The parts of the installation that the settings of this process name. */
export const configuredParts = async (): Promise<InstallationParts> => ({
  config: installationConfigFrom(process.env, packageRoot()),
  open: openConfigured,
  keyring: await configuredKeyring(),
});

/** The work of the receiver on the keyring, the signing keys and the log of its installation. */
export async function targetKeys(
  { config, open, keyring }: InstallationParts,
  database: Pick<Database, 'uow' | 'systemQuery'>,
): Promise<TargetKeys> {
  const { wrapping } = createKeys(keyring);
  const signingKeys = createSigningKeys(config.keyDirectory, wrapping);
  const moving = async (): Promise<readonly TenantId[]> =>
    (await database.systemQuery.call('tenant_move_held')).map(({ tenantId }) => tenantId);
  const keys: TargetKeys = {
    identity: await identityOf(database.uow),
    reachedDatabase: (moveId) => reachedDatabase(open, moveId),
    wrap: (purpose, plain) => wrapping.wrap(purpose, plain),
    unwrap: (purpose, wrapped) => wrapping.unwrap(purpose, wrapped),
    addMoved: (moved) => keyring.addMoved(moved),
    keepSigningKey: (tenantId, name, key) => signingKeys.takeOver(tenantId, name, key),
    startEpoch: async ({ tenantId, moveId, closed, reason }) => {
      const own = await open(moveId);
      try {
        const current = await newestEpoch(own.uow, tenantId);
        if (current > closed) return current;
        const { audit } = await compose(config, own);
        return await audit.moveEpoch.executeAsOperator(tenantId, { reason, lastPublished: null });
      } finally {
        await own.close();
      }
    },
  };
  return keysOfMovingTenants(keys, moving, [DIGEST_PURPOSE]);
}
