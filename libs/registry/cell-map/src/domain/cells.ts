import { routingHintOf } from '#lib/formats';
import { type TenantId } from '#lib/kernel';
import type { Clue } from './clue-of.js';

/** One installation, with its own database, keys and workers. */
export interface Cell {
  readonly name: string;
  /** Its origin, as the router reaches it. */
  readonly url: string;
  /** New tenants are founded in it, and it answers requests of tenants that the map does not have. */
  readonly isDefault: boolean;
}

/** The rows of the map, as they stand at one moment. */
export interface CellRows {
  readonly cells: readonly Cell[];
  readonly tenants: readonly {
    readonly id: TenantId;
    readonly slug: string;
    readonly host: string | null;
    readonly cell: string;
  }[];
  readonly teams: readonly { readonly appId: string; readonly teamId: string; readonly tenantId: TenantId }[];
}

/** The map at one moment, ready to be asked. */
export class Cells {
  readonly all: readonly Cell[];
  readonly #default: Cell | null;
  readonly #byHint = new Map<string, Cell>();
  readonly #bySlug = new Map<string, Cell>();
  readonly #byHost = new Map<string, Cell>();
  readonly #byTeam = new Map<string, Cell>();

  constructor(readonly rows: CellRows) {
    const { cells, tenants, teams } = rows;
    this.all = [...cells].sort((one, other) => (one.name < other.name ? -1 : 1));
    this.#default = cells.find(({ isDefault }) => isDefault) ?? null;
    const byName = new Map(cells.map((cell) => [cell.name, cell]));
    const byTenant = new Map<TenantId, Cell>();
    for (const { id, slug, host, cell: name } of tenants) {
      const cell = byName.get(name);
      if (cell === undefined) continue;
      byTenant.set(id, cell);
      this.#byHint.set(routingHintOf(id), cell);
      this.#bySlug.set(slug, cell);
      if (host !== null) this.#byHost.set(host, cell);
    }
    for (const { appId, teamId, tenantId } of teams) {
      const cell = byTenant.get(tenantId);
      if (cell !== undefined) this.#byTeam.set(`${appId} ${teamId}`, cell);
    }
  }

  /** The cell that answers; null if the map has no default cell. */
  find(clue: Clue | null): Cell | null {
    return this.#named(clue) ?? this.#default;
  }

  #named(clue: Clue | null): Cell | undefined {
    switch (clue?.by) {
      case 'hint':
        return this.#byHint.get(clue.hint);
      case 'slug':
        return this.#bySlug.get(clue.slug);
      case 'slack':
        return this.#byTeam.get(`${clue.app} ${clue.team}`);
      case 'host':
        return this.#byHost.get(clue.host);
      case undefined:
        return undefined;
    }
  }
}
