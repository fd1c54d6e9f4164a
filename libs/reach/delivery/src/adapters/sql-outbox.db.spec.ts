import { sqlOf } from '#lib/database';
import { newId, type RunId, type Tx } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeOutboxRepository, jobsInMemory } from '../application/outbox.repository.contract.js';
import { SqlOutbox } from './sql-outbox.js';

describeOutboxRepository('SqlOutbox', async () => {
  const jobs = jobsInMemory();
  return { world: await postgresWorld(), outbox: new SqlOutbox(jobs), jobs };
});

describe('a message in PostgreSQL whose payload is not that of its topic', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ['lacks its id', 'run.changed', { event: 'run.paused' }, 'custom at /payload/run_id'],
    ['has an id that is none', 'run.changed', { run_id: 'run', event: 'run.paused' }, 'custom at /payload/run_id'],
    [
      'has a member that nobody writes',
      'run.changed',
      { run_id: newId<RunId>(), event: 'run.paused', note: 'x' },
      'unrecognized_keys at /payload',
    ],
    ['has a topic that nobody writes', 'run.gone', { run_id: newId<RunId>() }, 'invalid_union at /topic'],
  ])('is not read for a delivery if it %s; its attempts are counted', async (_what, topic, payload, mistake) => {
    const { uow, home } = await postgresWorld();
    const outbox = new SqlOutbox(jobsInMemory());
    const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
    const id = newId();
    await inTx((tx) => sqlOf(tx).execute('select outbox_append($1, $2, $3)', [id, topic, JSON.stringify(payload)]));
    const details = { table: 'outbox_message', id };
    const malformed = {
      failure: { code: 'record.malformed', details, message: expect.stringContaining(mistake) as string },
    };
    await expect(inTx((tx) => outbox.claimToDeliver(tx, id, 0))).rejects.toMatchObject(malformed);
    expect(await inTx((tx) => outbox.claim(tx, id, 0))).toMatchObject({ id, attempts: 1, destination: null });
    expect(await inTx((tx) => outbox.claim(tx, id, 0))).toMatchObject({ attempts: 2 });
    // An admin sees it among the others.
    expect(await inTx((tx) => outbox.list(tx, 'pending', { after: null, limit: 10 }))).toMatchObject([
      { topic, payload },
    ]);
    expect(await inTx((tx) => outbox.lock(tx, id))).toMatchObject({ topic, payload });
  });
});
