import type { Pool } from 'pg';

/** The changes that the database tells every replica of while `work` runs, in order: tenant, kind of thing, id, event. */
export async function notifiedChanges(owner: Pool, work: () => Promise<unknown>): Promise<readonly string[]> {
  const told: string[] = [];
  const listener = await owner.connect();
  try {
    listener.on('notification', ({ payload }) => told.push(payload ?? ''));
    await listener.query('listen countersign_change');
    await work();
    // The answer follows the notifications that came before it.
    await listener.query('select');
    return told;
  } finally {
    listener.release(true);
  }
}
