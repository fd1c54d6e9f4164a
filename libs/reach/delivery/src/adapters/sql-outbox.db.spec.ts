import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeOutboxRepository, jobsInMemory } from '../application/outbox.repository.contract.js';
import { SqlOutbox } from './sql-outbox.js';

describeOutboxRepository('SqlOutbox', async () => {
  const jobs = jobsInMemory();
  return { world: await postgresWorld(), outbox: new SqlOutbox(jobs), jobs };
});
