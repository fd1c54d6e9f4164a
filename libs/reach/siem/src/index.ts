/**
 * SIEM: the audit log's events as lines of OCSF (class API Activity, 6003), for a system that detects attacks.
 *
 * Owns the map from entries to lines, the file of the operator, and what the collector of each tenant gets. Its address and token are a
 * connection. Invariants: lines come in the order of the log, after their actions, so that nothing waits for a destination; each event
 * comes at least once, under the id of its entry; a destination that fails loses none; lines are masked (T32).
 *
 * Never decides anything. Sends the events that webhooks may get, and no others.
 */
export { siemCollectorEntity } from './adapters/siem.entity.js';
export { ReadProgress } from './application/read-progress.js';
export { createCollectorStore, createOcsfFile, createSiem } from './create-siem.js';
export { SIEM_COLLECTOR, type Collector, type CollectorSettings } from './domain/collector.js';
