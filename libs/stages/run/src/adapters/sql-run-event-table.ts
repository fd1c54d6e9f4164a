import { MoreThan } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { RunEvent } from '../domain/run.js';
import { runEventEntity } from './run.entity.js';

const EVENT = runEventEntity.all;

export function appendEvent(tx: Tx, runId: RunId, event: RunEvent): Promise<void> {
  sqlOf(tx).insertAhead(EVENT, { ...event, runId });
  sqlOf(tx).announce('countersign_run_event', `${tx.tenantId}:${runId}`);
  return Promise.resolve();
}

export async function events(tx: Tx, runId: RunId, afterSeq: number, limit: number): Promise<readonly RunEvent[]> {
  const after = { runId, seq: MoreThan(afterSeq) };
  const rows = await rowsOf(tx, runEventEntity).find(after, { order: { seq: 'asc' }, limit });
  return rows.map(({ runId: _, ...event }) => event);
}
