import type { SealedRow, Tx } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeOutboxRepository, jobsInMemory } from '../application/outbox.repository.contract.js';
import { SqlOutbox } from './sql-outbox.js';

describeOutboxRepository('SqlOutbox', async () => {
  const jobs = jobsInMemory();
  return { world: await postgresWorld(), outbox: new SqlOutbox(jobs, testSeals()), jobs };
});

describe('the text that a message carries (T42)', () => {
  const broken: SealedRow[] = [];
  let world: Awaited<ReturnType<typeof postgresWorld>>;
  let outbox: SqlOutbox;
  beforeAll(async () => {
    world = await postgresWorld();
    outbox = new SqlOutbox(
      jobsInMemory(),
      testSeals((row) => broken.push(row)),
    );
  });
  afterAll(() => world.close());

  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
  const stored = async (): Promise<readonly { id: string; carried: string | null }[]> =>
    (
      await world.db.owner.query<{ id: string; carried: string | null }>(
        'select id, carried from outbox_message where tenant_id = $1 order by id',
        [world.home.tenantId],
      )
    ).rows;
  const write = (text: string) =>
    inTx((tx) =>
      outbox.write(tx, { topic: 'approval_request.changed', payload: { request_id: 'r', event: 'opened' } }, text),
    );

  it('is not given out if a login changed it, or took it from another message; that is reported', async () => {
    for (const text of ['restart web-01', 'restart web-02', 'restart web-03']) await write(text);
    const [changed, moved, kept] = await stored();
    await world.db.owner.query("update outbox_message set carried = 'drop it all' where id = $1", [changed?.id]);
    await world.db.owner.query(
      `update outbox_message set carried = source.carried, carried_seal = source.carried_seal
         from outbox_message source where source.id = $1 and outbox_message.id = $2`,
      [kept?.id, moved?.id],
    );
    const claim = async (id = '') => (await inTx((tx) => outbox.claim(tx, id, 0)))?.carried?.();
    expect([await claim(changed?.id), await claim(moved?.id), await claim(kept?.id)]).toEqual([
      null,
      null,
      'restart web-03',
    ]);
    expect(broken.map(({ table, id }) => [table, id])).toEqual([
      ['outbox_message', changed?.id],
      ['outbox_message', moved?.id],
    ]);
  });

  it('ends with its message', async () => {
    await write('restart web-04');
    const last = (await stored()).at(-1);
    expect(last?.carried).toBe('restart web-04');
    await inTx(async (tx) => {
      const entry = await outbox.claim(tx, last?.id ?? '', 0);
      if (entry !== null) outbox.delivered(tx, entry);
    });
    expect((await stored()).at(-1)).toEqual({ id: last?.id, carried: null });
  });

  // A test of its own: the refused statement may hold its row a moment longer, and a claim skips a row that is held.
  it('cannot outlast its message', async () => {
    await write('restart web-05');
    const last = (await stored()).at(-1);
    await expect(
      world.db.owner.query("update outbox_message set state = 'failed' where id = $1", [last?.id]),
    ).rejects.toMatchObject({ code: '23514', constraint: 'outbox_message_carried_check' });
  });
});
