/**
 * The map of cells: which installation serves which tenant, when many installations stand behind one address (ADR 34).
 *
 * Owns the rules that find a request's tenant before anybody has authenticated it, and the table of cells in a database of its own.
 * Invariants: the map only chooses where a request goes, and the cell alone decides on it; a request without a tenant of the map goes
 * to the default cell, so that an unknown hint is answered as an unknown token; a target is always an address of the table.
 * It never authenticates, and it holds no secret of a tenant.
 */
export { createCellMap, createServedTenants, openCellMap, type OpenCellMap } from './create-cell-map.js';
export { cellMapConfigFrom, type CellMapConfig } from './application/cell-map-config.js';
export type { CellMap, Served } from './application/cell-map.ports.js';
export { slugsTaken } from './application/fill-map.js';
export type { Followed } from './application/follow-cell.js';
export { Cells, type Cell } from './domain/cells.js';
export { clueOf, clueInBody, MAX_TARGET_CHARACTERS, type Clue } from './domain/clue-of.js';
