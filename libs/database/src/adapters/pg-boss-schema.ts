import { Client } from 'pg';
import { PgBoss } from 'pg-boss';

import { APP_ROLE, OWNER_ROLE } from './prepare-roles.js';
import { JOB_SCHEMA, QUEUES } from './pg-boss-queues.js';

/** Creates or upgrades the job queue's tables and queues as countersign_owner, and lets countersign_app use them. */
export async function installJobSchema(adminUrl: string): Promise<void> {
  const owner = new Client({ connectionString: adminUrl, options: `-c role=${OWNER_ROLE}` });
  await owner.connect();
  try {
    const boss = new PgBoss({
      db: { executeSql: async (text, values) => owner.query(text, values) },
      schema: JOB_SCHEMA,
      supervise: false,
      schedule: false,
    });
    const errors: Error[] = [];
    boss.on('error', (error) => errors.push(error));
    await boss.start();
    try {
      for (const [name, options] of Object.entries(QUEUES)) {
        await boss.createQueue(name, options);
        await boss.updateQueue(name, options);
      }
    } finally {
      await boss.stop({ graceful: false });
    }
    if (errors[0] !== undefined) throw errors[0];
    await owner.query(`
      grant usage on schema ${JOB_SCHEMA} to ${APP_ROLE};
      grant select, insert, update, delete on all tables in schema ${JOB_SCHEMA} to ${APP_ROLE};
      grant usage, select on all sequences in schema ${JOB_SCHEMA} to ${APP_ROLE}`);
  } finally {
    await owner.end();
  }
}
