import type { Database } from '#lib/database';
import { measureDatabase } from './measure-database.js';
import { Metrics } from './metrics.js';

type DatabaseMetrics = ReturnType<Database['metrics']>;

/** The lines of the scrape that say something of the database. */
async function scraped(database: DatabaseMetrics): Promise<readonly string[]> {
  const metrics = new Metrics({ collectProcess: false });
  measureDatabase(metrics, { metrics: () => database });
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => /^countersign_(commits|tenants|read)/.test(line));
}

describe('the metrics of a database', () => {
  it('count late commits, and refused tenants by code; a process without a replica has none', async () => {
    const refusedTenants = new Map([['audit.log_shortened', 2]]);
    expect(await scraped({ lateCommits: 3, refusedTenants, replica: null })).toEqual([
      'countersign_commits_late 3',
      'countersign_tenants_refused{code="audit.log_shortened"} 2',
    ]);
  });

  it('name the one standing of a replica', async () => {
    expect(await scraped({ lateCommits: 0, refusedTenants: new Map(), replica: 'foreign' })).toEqual([
      'countersign_commits_late 0',
      ...['fresh', 'behind', 'foreign', 'away'].map(
        (standing) => `countersign_read_replica{standing="${standing}"} ${standing === 'foreign' ? '1' : '0'}`,
      ),
    ]);
  });
});
