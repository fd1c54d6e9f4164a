import type { Database } from '#lib/database';
import type { Metrics } from './metrics.js';

const STANDINGS = ['fresh', 'behind', 'foreign', 'away'] as const;

/** Adds the metrics that a process has of its database by itself: none of these asks it. */
export function measureDatabase(metrics: Metrics, database: Pick<Database, 'metrics'>): void {
  metrics.gauge({
    name: 'countersign_commits_late',
    help: 'Commits of this process that have waited for more than two seconds, as for a standby that is gone',
    collect: (gauge) => {
      gauge.set(database.metrics().lateCommits);
      return Promise.resolve();
    },
  });
  metrics.gauge<'code'>({
    name: 'countersign_tenants_refused',
    help: 'Tenants whose audit log this process could not find complete when they last asked, by the code of the refusal',
    labelNames: ['code'],
    collect: (gauge) => {
      gauge.reset();
      for (const [code, count] of database.metrics().refusedTenants) gauge.set({ code }, count);
      return Promise.resolve();
    },
  });
  if (database.metrics().replica === null) return;
  metrics.gauge<'standing'>({
    name: 'countersign_read_replica',
    help: 'The standing of the replica of COUNTERSIGN_READ_URL: 1 for the one that it has. Only a fresh one is read from',
    labelNames: ['standing'],
    collect: (gauge) => {
      const { replica } = database.metrics();
      for (const standing of STANDINGS) gauge.set({ standing }, standing === replica ? 1 : 0);
      return Promise.resolve();
    },
  });
}
