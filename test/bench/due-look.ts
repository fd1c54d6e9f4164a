import { Client } from 'pg';
import { JOB_NAMES } from '#lib/kernel';
import { dueJobs } from '../../libs/foundation/database/src/adapters/due-jobs.js';
import type { DecidingServer } from './deciding-server.js';

/** As a worker looks. */
const MAX_JOBS = 1_000;
/** So many automations are due, however many tenants there are. */
const DUE = 5;

/** The look of a worker for due work of every kind. */
export interface DueLook {
  /** Throws unless it finds the automations that are due, and nothing else. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Makes the time of five automations come, and looks as the service's own login does. */
export async function dueLook({ postgres, databaseUrl }: DecidingServer): Promise<DueLook> {
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  try {
    await admin.query(
      `update automation set next_at = now() where (tenant_id, id) in
         (select tenant_id, id from automation where next_at is not null order by tenant_id limit $1)`,
      [DUE],
    );
  } finally {
    await admin.end();
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const database = {
    query: async <T>(text: string, values?: unknown[]): Promise<T> => (await client.query(text, values)).rows as T,
  };
  const held = JOB_NAMES.map((name) => ({ name, ids: [], fullTenants: [] }));
  return {
    look: async () => {
      const found = await dueJobs(database, MAX_JOBS, held);
      if (found.length !== DUE || found.some(({ name }) => name !== 'automation.trigger'))
        throw new Error(`The look found the wrong work: ${JSON.stringify(found)}`);
    },
    close: () => client.end(),
  };
}
