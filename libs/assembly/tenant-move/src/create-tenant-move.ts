import { SqlCell } from './adapters/sql-cell.js';
import { SqlSourceCell, type SeenAt } from './adapters/sql-source-cell.js';
import { SqlTargetCell } from './adapters/sql-target-cell.js';
import { ForgetTenant } from './application/forget-tenant.js';
import { MoveTenant, type MoveDeps } from './application/move-tenant.js';
import { undoAtSource } from './application/undo-move.js';

/**
 * Connects to the database of the installation that a tenant leaves.
 *
 * @param seenAt where the target's server reaches the server that this connection reached; by default as this process does.
 */
export async function openSourceCell(
  url: string,
  seenAt: (server: Pick<SeenAt, 'host' | 'port'>) => SeenAt = ({ host, port }) => ({ host, port, sslMode: null }),
): Promise<SqlSourceCell> {
  const client = await SqlCell.connect(url);
  return new SqlSourceCell(client, seenAt(client));
}

/** Connects to the database of the installation that takes a tenant. */
export const openTargetCell = async (url: string): Promise<SqlTargetCell> =>
  new SqlTargetCell(await SqlCell.connect(url));

/** The use cases of an installation that tenants leave. */
export const createTenantMove = ({ source, keys, log }: Pick<MoveDeps, 'source' | 'keys' | 'log'>) => ({
  /** The target is reached last: without it a move can be undone all the same. */
  moveTo: (target: Omit<MoveDeps, 'source' | 'keys' | 'log'>) => new MoveTenant({ source, keys, log, ...target }),
  undoAtSource: (slug: string) => undoAtSource(source, log, slug),
  forgetTenant: new ForgetTenant(source, keys),
});
