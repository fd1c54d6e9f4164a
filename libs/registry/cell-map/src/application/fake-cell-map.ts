import { err, ok, type Failure, type Result, type TenantId } from '#lib/kernel';
import { Cells } from '../domain/cells.js';
import type { PlacedTeam, PlacedTenant } from './cell-map.ports.js';
import type { FilledMap } from './fill-map.js';

type PlacedRow = Required<PlacedTenant> & { readonly cell: string };

/** The map in memory, as far as a filling needs it. */
export class FakeCellMap implements FilledMap {
  readonly #tenants = new Map<TenantId, PlacedRow>();
  readonly #teams = new Map<string, PlacedTeam>();
  /** How often something was written. */
  writes = 0;

  constructor(private readonly cells: readonly string[]) {}

  read(): Promise<Cells> {
    const cells = this.cells.map((name, nth) => ({ name, url: `https://${name}.internal`, isDefault: nth === 0 }));
    return Promise.resolve(
      new Cells({ cells, tenants: [...this.#tenants.values()], teams: [...this.#teams.values()] }),
    );
  }

  place(cell: string, tenants: readonly PlacedTenant[], teams: readonly PlacedTeam[]): Promise<Result<number>> {
    this.writes += 1;
    if (!this.cells.includes(cell)) return Promise.resolve(err(refusal('cell_map.unknown_cell')));
    const placed = new Map(this.#tenants);
    let added = 0;
    for (const { id, slug, host = null } of tenants) {
      const before = placed.get(id);
      if (before !== undefined && before.cell !== cell) continue;
      if ([...placed.values()].some((row) => row.id !== id && row.slug === slug))
        return Promise.resolve(err(refusal('cell_map.taken')));
      placed.set(id, { id, slug, host: host ?? before?.host ?? null, cell });
      if (before === undefined) added += 1;
    }
    for (const row of placed.values()) this.#tenants.set(row.id, row);
    for (const team of teams)
      if (this.#isHere(cell, team) && this.#isFree(cell, team)) this.#teams.set(keyOf(team), team);
    return Promise.resolve(ok(added));
  }

  removeTeams(cell: string, teams: readonly PlacedTeam[]): Promise<number> {
    this.writes += 1;
    const gone = teams.filter(
      (team) => this.#teams.get(keyOf(team))?.tenantId === team.tenantId && this.#isHere(cell, team),
    );
    for (const team of gone) this.#teams.delete(keyOf(team));
    return Promise.resolve(gone.length);
  }

  #isHere(cell: string, { tenantId }: PlacedTeam): boolean {
    return this.#tenants.get(tenantId)?.cell === cell;
  }

  #isFree(cell: string, team: PlacedTeam): boolean {
    const holder = this.#teams.get(keyOf(team));
    return holder === undefined || this.#isHere(cell, holder);
  }
}

const keyOf = ({ appId, teamId }: PlacedTeam): string => `${appId} ${teamId}`;

const refusal = (code: string): Failure => ({ kind: 'conflict', code, message: code, action: 'Choose another.' });
