import { join } from 'node:path';
import { newId, type Actor, type TenantId } from '#lib/kernel';
import { testAuditLog, type TestAuditLog } from '../../../../../test/support/audit-log.js';
import { until } from '../../../../../test/support/until.js';
import { DirectoryCheckpointPublisher } from '../adapters/directory-checkpoint-publisher.js';
import { publisherLoop, sequencerLoop, sequencingLagMs } from './audit-loops.js';

const actor: Actor = { kind: 'system', id: 'test', display_name: 'test', credential_id: null, on_behalf_of: null };

describe('the loops of the log', () => {
  let made: TestAuditLog;
  let db: TestAuditLog['db'];
  let directory: string;
  let log: TestAuditLog['log'];
  let tenant: TenantId;

  beforeAll(async () => {
    made = await testAuditLog();
    ({ db, directory, log } = made);
  });
  afterAll(() => made.close());
  beforeEach(() => {
    tenant = newId<TenantId>();
  });

  const record = (): Promise<void> =>
    db.uow.run(tenant, (tx) =>
      log.sink.record(tx, {
        action: 'thing.done',
        actor,
        level: 'basic',
        subject: { type: 'thing', id: '1' },
        payload: null,
      }),
    );
  const note = async (): Promise<string> => {
    const checkpoint = await log.latestCheckpoint.execute(tenant);
    return checkpoint.ok ? checkpoint.value.note : '';
  };
  const unpublished = async (): Promise<boolean> => (await log.backlog.unpublished()).includes(tenant);

  test('sequence within a second and publish, uncalled', async () => {
    const errors: unknown[] = [];
    const deps = { now: Date.now, onError: (error: unknown) => errors.push(error) };
    const sequencer = sequencerLoop(log.backlog, log.sequence, deps);
    const publisher = publisherLoop(
      log.backlog,
      log.publishTo(new DirectoryCheckpointPublisher(join(directory, 'loops'))),
      deps,
    );
    sequencer.start();
    publisher.start();
    try {
      await record();
      await until(async () => (await note()) !== '');
      expect(await sequencingLagMs(log.backlog, Date.now())).toBeLessThan(1_000);
      await until(async () => !(await unpublished()));
    } finally {
      await Promise.all([sequencer.stop(), publisher.stop()]);
    }
    expect(errors).toEqual([]);
  });

  test('name an entry that cannot be read, go on with other tenants, and with its own once it is restored', async () => {
    const told: (readonly [unknown, string | null])[] = [];
    let later = 0;
    const sequencer = sequencerLoop(log.backlog, log.sequence, {
      now: () => Date.now() + later,
      onError: (error, tenantId) => told.push([error, tenantId]),
    });
    await db.owner.query('alter table audit_entry disable trigger user, drop constraint audit_entry_sound');
    await record();
    const [held, sql] = [tenant, 'update audit_entry set actor = actor || $2 where tenant_id = $1 returning id'];
    const { rows } = await db.owner.query<{ id: string }>(sql, [held, { kind: 'robot' }]);
    tenant = newId<TenantId>();
    await record();
    sequencer.start();
    try {
      await until(async () => (await note()) !== '' && told.length > 0);
      const details = { table: 'audit_entry', column: 'actor', id: rows[0]?.id };
      expect(told[0]).toMatchObject([{ failure: { code: 'record.malformed', details } }, held]);
      await db.owner.query(sql, [held, { kind: 'person' }]);
      [tenant, later] = [held, 600_000];
      await until(async () => (await note()) !== '');
    } finally {
      await sequencer.stop();
    }
  });
});
