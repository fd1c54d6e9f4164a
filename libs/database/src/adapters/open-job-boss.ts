import { PgBoss } from 'pg-boss';

import { HEARD_ERRORS } from './heard-errors.js';
import { JOB_SCHEMA } from './pg-boss-queues.js';

export interface JobBossOptions {
  readonly url: string;
  /** Whether this process works on jobs, and so keeps the queue's tables in order. */
  readonly works: boolean;
  /** pg-boss reports what failed in the background here; it goes on by itself. */
  readonly onError: (error: Error) => void;
}

/** pg-boss as countersign_app: it changes rows, never the schema, which the migrating role keeps. */
export async function openJobBoss(options: JobBossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: options.url,
    ...HEARD_ERRORS,
    application_name: 'countersign-jobs',
    schema: JOB_SCHEMA,
    max: options.works ? 8 : 1,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.works,
    reindex: false,
    monitorVacuum: false,
    // Its own listening connection ends the process when it is lost at the wrong moment: workers are woken by ours.
    useListenNotify: false,
  });
  boss.on('error', options.onError);
  return boss.start();
}
