/**
 * Runs advanced through Temporal instead of the embedded dispatcher (ADR 31).
 *
 * Owns the workflow of a run, the connection to Temporal and the hand-over. Rows, leases and rules stay where they are: a workflow
 * holds ids and times, and forgetting one costs a second. It never decides anything about a run, and never reads its rows.
 */
export { temporalConfigFrom, type TemporalConfig } from './application/temporal-config.js';
export { TemporalDispatcher } from './adapters/temporal-dispatcher.js';

/** The program of the workflow, under the package root. */
export const WORKFLOW_FILE = 'dist/libs/foundation/dispatcher-temporal/src/workflow/countersign-run.js';
