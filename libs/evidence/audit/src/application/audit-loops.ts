import type { AuditEntryId, TenantId } from '#lib/kernel';
import type { AuditBacklog } from './audit.ports.js';
import type { ExportLog } from './export-log.js';
import type { PublishCheckpoint } from './publish-checkpoint.js';
import type { SequenceAudit } from './sequence-audit.js';
import { TenantLoop, type TenantLoopOptions } from './tenant-loop.js';

/** Entries are gathered this long, so that one transaction signs many; far below the second they have. */
const GATHER_MS = 300;
const SEQUENCER_IDLE_MS = 400;
const EXPORT_MS = 300;
const EXPORT_IDLE_MS = 1_000;
const PUBLISH_MS = 1_000;
const PUBLISH_IDLE_MS = 5_000;
/** A destination that refuses is an incident for people; asking every second would only fill the log. */
const REFUSED_MS = 600_000;

export type LoopDeps = Pick<TenantLoopOptions, 'onError' | 'now'>;

/** Sequences every tenant's entries within a second, until stopped. Any number of workers may run it. */
export function sequencerLoop(backlog: AuditBacklog, sequence: SequenceAudit, deps: LoopDeps): TenantLoop {
  let found: ReadonlyMap<TenantId, readonly AuditEntryId[]> = new Map();
  return new TenantLoop({
    ...deps,
    due: async () => {
      await backlog.settle();
      const waiting = await backlog.unsequenced();
      found = new Map(waiting.map(({ tenantId, entries }) => [tenantId, entries]));
      return [...found.keys()];
    },
    work: async (tenantId) => ((await sequence.execute(tenantId, found.get(tenantId))).more ? 'more' : 'done'),
    busyMs: GATHER_MS,
    idleMs: SEQUENCER_IDLE_MS,
    holdMs: GATHER_MS,
  });
}

/** Puts every tenant's latest checkpoint outside, and tries again until it stands there. */
export function publisherLoop(backlog: AuditBacklog, publish: PublishCheckpoint, deps: LoopDeps): TenantLoop {
  return new TenantLoop({
    ...deps,
    due: () => backlog.unpublished(),
    work: async (tenantId) => ((await publish.execute(tenantId)) === 'refused' ? 'hold' : 'done'),
    busyMs: PUBLISH_MS,
    idleMs: PUBLISH_IDLE_MS,
    holdMs: REFUSED_MS,
  });
}

/** Sends every tenant's log by an exporter that this process is set up for. */
export function exporterLoop(backlog: AuditBacklog, exporting: ExportLog, deps: LoopDeps): TenantLoop {
  return new TenantLoop({
    ...deps,
    due: () => backlog.unexported(exporting.name),
    work: async (tenantId) => ((await exporting.execute(tenantId)) ? 'more' : 'done'),
    busyMs: EXPORT_MS,
    idleMs: EXPORT_IDLE_MS,
    holdMs: EXPORT_MS,
  });
}

/**
 * How long the oldest entry without a leaf has waited, in milliseconds, over all tenants; 0 if none waits. For
 * metrics: it needs no sequencer in this process, and grows if there is none at all.
 */
export async function sequencingLagMs(backlog: AuditBacklog, now: number): Promise<number> {
  const waiting = await backlog.unsequenced();
  return waiting.reduce((lag, { entries: [oldest] }) => (oldest ? Math.max(lag, now - uuidTime(oldest)) : lag), 0);
}

/** UUIDv7 begins with 48 bits of epoch milliseconds (RFC 9562 section 5.7). */
const uuidTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
