import type { Result, TenantId } from '#lib/kernel';
import type { Cells } from '../domain/cells.js';

/** A tenant, and the cell that serves it. */
export interface PlacedTenant {
  readonly id: TenantId;
  readonly slug: string;
  /** A host name of the tenant's own, in lower case and without a port; without one it has none. */
  readonly host?: string | null;
}

/** A workspace of Slack, and the tenant that has its app in it. */
export interface PlacedTeam {
  readonly appId: string;
  readonly teamId: string;
  readonly tenantId: TenantId;
}

/** The tenants of a cell, and their workspaces in Slack. */
export interface Served {
  readonly tenants: readonly PlacedTenant[];
  readonly teams: readonly PlacedTeam[];
}

/** The database of a cell, with the login of its migrations. `from` is its address, with one host or several. */
export interface ServedTenants {
  /**
   * @param signal ends the reading at once: it is not wanted any more.
   * @throws {FailureError} `router.wrong_source`, `database.unreachable`, `database.login_refused`, `database.missing`.
   * @throws an error of the driver if a statement is not answered in time, or if the signal ends it.
   */
  read(from: string, signal?: AbortSignal): Promise<Served>;
  /** Calls once it listens, and at each change of a tenant, a slug or a workspace. @returns how to stop. */
  watch(from: string, changed: () => void, onError: (error: Error) => void): () => Promise<void>;
}

/** The table of cells. Every change is in force at every router within a second. */
export interface CellMap {
  read(): Promise<Cells>;
  /** Adds a cell, or changes its address. The first one becomes the default cell. */
  putCell(name: string, url: string): Promise<Result<void>>;
  /** Failures: `cell_map.unknown_cell`. */
  makeDefault(name: string): Promise<Result<void>>;
  /** Failures: `cell_map.unknown_cell`, `cell_map.cell_in_use`. */
  removeCell(name: string): Promise<Result<void>>;
  /**
   * Puts tenants, and the workspaces of their Slack apps, in a cell. A tenant that the map has in another cell stays
   * there as it is. So does each workspace of such a tenant. Only {@link switch} moves one.
   *
   * @returns how many tenants were new. Failures: `cell_map.unknown_cell`, `cell_map.taken`.
   */
  place(cell: string, tenants: readonly PlacedTenant[], teams: readonly PlacedTeam[]): Promise<Result<number>>;
  /** Takes a workspace of Slack out of the map. Failures: `cell_map.unknown_workspace`. */
  removeTeam(team: Pick<PlacedTeam, 'appId' | 'teamId'>): Promise<Result<void>>;
  /** Takes workspaces of a cell's tenants out of the map. One whose tenant is in another cell by now stays. @returns how many left. */
  removeTeams(cell: string, teams: readonly PlacedTeam[]): Promise<number>;
  /**
   * From now on the other cell serves the tenant. Repeating it changes nothing.
   *
   * Failures: `cell_map.unknown_cell`, `cell_map.unknown_tenant`.
   */
  switch(tenantId: TenantId, cell: string): Promise<Result<void>>;
  tenants(): Promise<readonly (Required<PlacedTenant> & { readonly cell: string })[]>;
  /** Calls after each change, and now and then without one. @returns how to stop. */
  watch(changed: () => void): () => void;
}
