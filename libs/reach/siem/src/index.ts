/**
 * SIEM: the events of the audit log as lines of OCSF (class API Activity, 6003), for a system that watches for attacks.
 *
 * Owns the map from entries to lines, the file of the operator, and the collector of each tenant with its token. Invariants: lines come in the order of the log, after their
 * actions, so that nothing waits for a destination; each event comes at least once, under the id of its entry; a destination that
 * fails loses none; lines are masked (T32); a collector is reached over HTTPS, and its
 * address is checked at connect (T31); a new one takes two people.
 *
 * Never decides anything. Sends the events that webhooks may get, and no others.
 */
export { siemCollectorEntity } from './adapters/siem.entity.js';
export { ChangeCollector } from './application/change-collector.js';
export { ReadCollector } from './application/read-collector.js';
export { RemoveCollector } from './application/remove-collector.js';
export { SetCollectorToken } from './application/set-collector-token.js';
export { TestCollector } from './application/test-collector.js';
export { createSiem, type Siem } from './create-siem.js';
export type { Collector } from './domain/collector.js';
