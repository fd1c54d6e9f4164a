import { routingHintOf } from '#lib/formats';
import type { Failure, TenantId } from '#lib/kernel';
import { WAITING_VALUES } from '../domain/encrypted-values.js';
import * as refusals from './move-refusals.js';
import type { CellMap, Move, MoveSides, SourceLog } from './move.ports.js';

/** Both sides, and all that a move depends on. */
export interface CheckedSides extends MoveSides {
  readonly log: SourceLog;
  /** The router's map, and the name of the target there; null without a router. */
  readonly map: { readonly cells: CellMap; readonly cell: string } | null;
}

/**
 * Whether both sides can take part in a move to its end. It is asked before anything is written, and once more before the switch.
 *
 * @param moveId of the move, or of none: for a database session that is opened and closed again.
 */
export async function checkSides(deps: CheckedSides, moveId: string): Promise<Failure | null> {
  const { source, target, receiver, log } = deps;
  const [here, there] = [await source.identity(), await target.identity()];
  if (here === there) return refusals.sameInstallation;
  if ((await receiver.identity()) !== there) return refusals.otherReceiver;
  const missing = [
    ...(await source.missingRights()).map((right) => `on the source: ${right}`),
    ...(await target.missingRights()).map((right) => `on the target: ${right}`),
  ];
  if (missing.length > 0) return refusals.missingRights(missing);
  const [ours, theirs] = [await source.schema(), await target.schema()];
  const different = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (name) => ours.get(name) !== theirs.get(name),
  );
  if (different.length > 0) return refusals.schemasDiffer(different);
  const [served, receives] = [await log.reachedDatabase(moveId), await receiver.reachedDatabase(moveId)];
  if (served === null) return refusals.noDatabaseSession('source', 'this command');
  if (receives === null) return refusals.noDatabaseSession('target', '`countersign tenant receive`');
  if (served !== here) return refusals.otherService('source', 'COUNTERSIGN_MIGRATE_URL');
  return receives === there ? null : refusals.otherService('target', '--to');
}

/** Whether this tenant can move, for the same two times. @param begun its move; null before it begins. */
export async function checkTenant(
  { source, target, map }: CheckedSides,
  { tenantId, slug, begun }: { readonly tenantId: TenantId; readonly slug: string; readonly begun: Move | null },
): Promise<Failure | null> {
  const there = await target.liveMove(slug);
  if (there !== null && there.id !== begun?.id)
    return there.state === 'done' ? refusals.livedThere : refusals.otherMove;
  if (there === null && (await target.tenantBySlug(slug)) !== null) return refusals.slugTaken;
  if ((await source.requestsWithSecrets(tenantId)) > 0) return refusals.changeRequestsOpen(WAITING_VALUES);
  const { all, away } = await source.months(tenantId);
  if (away.length > 0) return refusals.monthsAway('source', away);
  const closed = (await target.detachedMonths()).filter((month) => all.includes(month));
  if (closed.length > 0) return refusals.monthsAway('target', closed);
  if (map === null) return null;
  const { cells, tenants } = await map.cells.read();
  if (!cells.includes(map.cell)) return refusals.unknownCell(map.cell);
  const hint = routingHintOf(tenantId);
  const other = tenants.some(({ id, slug: of }) => id !== tenantId && (of === slug || routingHintOf(id) === hint));
  return other ? refusals.slugInMap : null;
}
