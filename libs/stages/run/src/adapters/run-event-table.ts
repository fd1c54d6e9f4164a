import { sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { RunEvent } from '../domain/run.js';
import { at } from './columns.js';
import { eventOf, type EventRow } from './run-rows.js';

export function appendEvent(tx: Tx, runId: RunId, event: RunEvent): Promise<void> {
  sqlOf(tx).callAhead('run_event_append', [
    runId,
    event.seq,
    event.type,
    JSON.stringify(event.actor),
    JSON.stringify(event.data),
    at(event.at),
  ]);
  return Promise.resolve();
}

export async function events(tx: Tx, runId: RunId, afterSeq: number, limit: number): Promise<readonly RunEvent[]> {
  const rows = await sqlOf(tx).query<EventRow>(
    `select seq, type, actor, data, at from run_event
      where tenant_id = $1 and run_id = $2 and seq > $3 order by seq limit $4`,
    [tx.tenantId, runId, afterSeq, limit],
  );
  return rows.map(eventOf);
}
