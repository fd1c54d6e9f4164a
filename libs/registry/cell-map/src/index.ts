/**
 * The map of cells: which installation serves which tenant, when many installations stand behind one address (ADR 34).
 *
 * Owns the rules that find a request's tenant before it is authenticated. Owns the table of cells, in its own database.
 * Invariants: the map only chooses where a request goes, and the cell alone decides on it; a request of no mapped
 * tenant goes to the default cell, which answers unknown hints as unknown tokens; a target is always an address of the
 * table. It never authenticates, and it holds no secret of a tenant.
 */
export { createCellMap, createServedTenants, openCellMap, type OpenCellMap } from './create-cell-map.js';
export { cellMapConfigFrom, type CellMapConfig } from './application/cell-map-config.js';
export type { CellMap, Served } from './application/cell-map.ports.js';
export { slugsTaken } from './application/fill-map.js';
export type { Followed } from './application/follow-cell.js';
export { Cells, type Cell } from './domain/cells.js';
export { clueOf, clueInBody, MAX_TARGET_CHARACTERS, type Clue } from './domain/clue-of.js';
