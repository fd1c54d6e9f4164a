import type { CellMap, PlacedTeam, PlacedTenant } from '#lib/cell-map';
import { FailureError, type Failure } from '#lib/kernel';

/**
 * Puts a cell's tenants into the map. A tenant whose slug another cell holds is left out, and keeps no other one from its place.
 *
 * @returns how many tenants are new in the map, and the slugs of those left out.
 * @throws {FailureError} `cell_map.unknown_cell`.
 */
export async function fillMap(
  map: Pick<CellMap, 'place'>,
  cell: string,
  tenants: readonly PlacedTenant[],
  teams: readonly PlacedTeam[],
): Promise<{ readonly added: number; readonly taken: readonly string[] }> {
  const all = await map.place(cell, tenants, teams);
  if (all.ok) return { added: all.value, taken: [] };
  if (all.error.code !== TAKEN) throw new FailureError(all.error);
  let added = 0;
  const taken: string[] = [];
  for (const tenant of tenants) {
    const placed = await map.place(
      cell,
      [tenant],
      teams.filter(({ tenantId }) => tenantId === tenant.id),
    );
    if (placed.ok) added += placed.value;
    else if (placed.error.code === TAKEN) taken.push(tenant.slug);
    else throw new FailureError(placed.error);
  }
  return { added, taken };
}

const TAKEN = 'cell_map.taken';

export const slugsTaken = (cell: string, slugs: readonly string[]): Failure => ({
  kind: 'conflict',
  code: TAKEN,
  message: `Another cell holds these slugs, so the tenants with them in ${cell} are not in the map: ${slugs.join(', ')}.`,
  action: 'Found those tenants again under other slugs. Addresses with these slugs lead to the other cell.',
});
