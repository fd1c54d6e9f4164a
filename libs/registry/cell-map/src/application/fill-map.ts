import { FailureError, type Failure } from '#lib/kernel';
import type { CellMap, PlacedTeam, PlacedTenant, Served, ServedTenants } from './cell-map.ports.js';

/** The map, as far as a filling needs it. */
export type FilledMap = Pick<CellMap, 'place' | 'read' | 'removeTeams'>;

/** The result of a filling. */
export interface Filled {
  /** The number of the cell's tenants. */
  readonly served: number;
  /** How many of them are new in the map. */
  readonly added: number;
  /** How many workspaces left the map. */
  readonly removed: number;
  /** The slugs of the tenants that were left out. */
  readonly taken: readonly string[];
}

/**
 * Puts those of a cell's tenants into the map that it does not have so. A tenant whose slug another one holds is left out, and
 * keeps no other one from its place. Workspaces that such a tenant no longer has leave the map: another cell may have them now.
 *
 * @throws {FailureError} `cell_map.unknown_cell`, and the errors of {@link ServedTenants.read}.
 */
export class FillMap {
  constructor(
    private readonly map: FilledMap,
    private readonly tenants: Pick<ServedTenants, 'read'>,
  ) {}

  async execute(cell: string, from: string, signal?: AbortSignal): Promise<Filled> {
    // The map first: rows that somebody adds during the reading of the cell are not taken for gone.
    const { rows } = await this.map.read();
    const there = await this.tenants.read(from, signal);
    const missing = missingIn(rows, cell, there);
    const removed = missing.gone.length === 0 ? 0 : await this.map.removeTeams(cell, missing.gone);
    return { served: there.tenants.length, removed, ...(await this.#place(cell, missing)) };
  }

  async #place(cell: string, missing: ReturnType<typeof missingIn>): Promise<Pick<Filled, 'added' | 'taken'>> {
    const { map } = this;
    if (missing.tenants.length + missing.teams.length === 0 && missing.known) return { added: 0, taken: missing.taken };
    const all = await map.place(cell, missing.tenants, missing.teams);
    if (all.ok) return { added: all.value, taken: missing.taken };
    if (all.error.code !== TAKEN) throw new FailureError(all.error);
    let added = 0;
    let left = missing.tenants;
    // Tenants of one cell pass slugs on: the second has its place once the first has its new slug.
    for (let before = Infinity; left.length < before;) {
      before = left.length;
      const taken: PlacedTenant[] = [];
      for (const tenant of left) {
        const placed = await map.place(cell, [tenant], []);
        if (placed.ok) added += placed.value;
        else if (placed.error.code === TAKEN) taken.push(tenant);
        else throw new FailureError(placed.error);
      }
      left = taken;
    }
    // The map takes no workspace of a tenant that it does not have.
    const placed = await map.place(cell, [], missing.teams);
    if (!placed.ok) throw new FailureError(placed.error);
    return { added, taken: [...missing.taken, ...left.map(({ slug }) => slug)] };
  }
}

/**
 * The tenants and workspaces that the map lacks, or has otherwise. A cell that the map does not know lacks all.
 *
 * `gone` are workspaces of the map that a tenant of the cell no longer has. The cell says nothing about tenants that it does not serve.
 * `taken` are slugs that other cells hold already. Their tenants are not asked for: a look that changes nothing costs one reading.
 */
function missingIn(
  rows: Awaited<ReturnType<FilledMap['read']>>['rows'],
  cell: string,
  there: Served,
): Served & { readonly gone: readonly PlacedTeam[]; readonly taken: readonly string[]; readonly known: boolean } {
  if (!rows.cells.some(({ name }) => name === cell)) return { ...there, gone: [], taken: [], known: false };
  const held = new Map(rows.tenants.map((row) => [row.id, row]));
  const keyOf = ({ appId, teamId }: Omit<PlacedTeam, 'tenantId'>): string => `${appId} ${teamId}`;
  const tenantOf = new Map(rows.teams.map((team) => [keyOf(team), team.tenantId]));
  const isElsewhere = (id: PlacedTenant['id'] | undefined): boolean => {
    const row = id === undefined ? undefined : held.get(id);
    return row !== undefined && row.cell !== cell;
  };
  const slugsElsewhere = new Set(rows.tenants.filter((row) => row.cell !== cell).map(({ slug }) => slug));
  const wanted = there.tenants.filter(({ id, slug }) => !isElsewhere(id) && held.get(id)?.slug !== slug);
  const tenants = wanted.filter(({ slug }) => !slugsElsewhere.has(slug));
  const taken = wanted.map(({ slug }) => slug).filter((slug) => slugsElsewhere.has(slug));
  const placeable = new Set([...held.keys(), ...tenants.map(({ id }) => id)]);
  const teams = there.teams.filter((team) => {
    const { tenantId } = team;
    const holder = tenantOf.get(keyOf(team));
    return holder !== tenantId && placeable.has(tenantId) && !isElsewhere(holder) && !isElsewhere(tenantId);
  });
  const served = new Set(there.tenants.map(({ id }) => id));
  const kept = new Set(there.teams.map(keyOf));
  const gone = rows.teams.filter(
    (team) => served.has(team.tenantId) && !isElsewhere(team.tenantId) && !kept.has(keyOf(team)),
  );
  return { tenants, teams, gone, taken, known: true };
}

const TAKEN = 'cell_map.taken';

export const slugsTaken = (cell: string, slugs: readonly string[]): Failure => ({
  kind: 'conflict',
  code: TAKEN,
  message: `Another cell holds these slugs, so the tenants with them in ${cell} are not in the map: ${slugs.join(', ')}.`,
  action: 'Found those tenants again under other slugs. Addresses with these slugs lead to the other cell.',
});
