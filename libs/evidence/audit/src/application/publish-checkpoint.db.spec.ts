import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Actor, type TenantId } from '#lib/kernel';
import { openKeyring } from '#lib/tenancy';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { DirectoryCheckpointPublisher } from '../adapters/directory-checkpoint-publisher.js';
import { auditLog, type AuditLog } from '../audit-log.js';
import { publisherLoop, sequencerLoop, sequencingLagMs } from './audit-loops.js';
import type { CheckpointPublisher, PublicationAnswer } from './audit.ports.js';

const actor: Actor = { kind: 'system', id: 'test', display_name: 'test', credential_id: null, on_behalf_of: null };

describe('publication of checkpoints', () => {
  let db: TestDatabase;
  let directory: string;
  let log: AuditLog;
  let tenant: TenantId;

  beforeAll(async () => {
    db = await testDatabase();
    directory = await mkdtemp(join(tmpdir(), 'publish-'));
    const keyring = await openKeyring({}, directory);
    log = auditLog({
      unitOfWork: db.uow,
      systemQuery: db.systemQuery,
      keyDirectory: directory,
      keyring,
      noted: () => [],
    });
  });
  afterAll(async () => {
    await db.close();
    await rm(directory, { recursive: true });
  });
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

  test('a checkpoint waits until it stands outside, whatever fails on the way', async () => {
    await record();
    await log.sequence.execute(tenant);
    expect(await unpublished()).toBe(true);
    const away = log.publishTo({ elsewhere: true, publish: () => Promise.reject(new Error('away')) });
    await expect(away.execute(tenant)).rejects.toThrow('away');
    expect(await unpublished()).toBe(true);
    const publish = log.publishTo(new DirectoryCheckpointPublisher(join(directory, 'outside')));
    expect(await publish.execute(tenant)).toBe('published');
    expect(await publish.execute(tenant)).toBe('nothing_new');
    expect(await unpublished()).toBe(false);
  });

  test.each([true, false])('a checkpoint says whether it left the server: %s', async (elsewhere) => {
    await record();
    await log.sequence.execute(tenant);
    const beside = new DirectoryCheckpointPublisher(join(directory, `elsewhere-${String(elsewhere)}`), elsewhere);
    expect(await log.latestCheckpoint.execute(tenant)).toMatchObject({ value: { publishedElsewhere: false } });
    expect(await log.publishTo(beside).execute(tenant)).toBe('published');
    expect(await log.latestCheckpoint.execute(tenant)).toMatchObject({ value: { publishedElsewhere: elsewhere } });
  });

  test('T30: what the outside refuses is recorded as critical, and overwrites nothing', async () => {
    await record();
    await log.sequence.execute(tenant);
    const held = (await note()).replace(/\n1\n/, '\n7\n');
    const refusing: CheckpointPublisher = {
      elsewhere: true,
      publish: () => Promise.resolve<PublicationAnswer>({ outcome: 'behind', held }),
    };
    expect(await log.publishTo(refusing).execute(tenant)).toBe('refused');
    const { entries } = await log.listEntries.execute(
      tenant,
      { action: 'audit_checkpoint.publication_refused' },
      { limit: 5 },
    );
    expect(entries).toMatchObject([{ header: { level: 'critical' }, payload: { why: 'behind', held_outside: held } }]);
    expect(await unpublished()).toBe(true);
  });

  test('another worker that was quicker with a larger checkpoint of the same log is no alarm', async () => {
    await record();
    await log.sequence.execute(tenant);
    const quicker: CheckpointPublisher = {
      elsewhere: true,
      publish: async (): Promise<PublicationAnswer> => {
        await record();
        await log.sequence.execute(tenant);
        return { outcome: 'behind', held: await note() };
      },
    };
    expect(await log.publishTo(quicker).execute(tenant)).toBe('nothing_new');
    expect(
      (await log.listEntries.execute(tenant, { action: 'audit_checkpoint.publication_refused' }, { limit: 5 })).entries,
    ).toEqual([]);
  });

  test('the loops sequence within a second and publish, with nobody calling them', async () => {
    const errors: unknown[] = [];
    const surroundings = { now: Date.now, onError: (error: unknown) => errors.push(error) };
    const sequencer = sequencerLoop(log.backlog, log.sequence, surroundings);
    const publisher = publisherLoop(
      log.backlog,
      log.publishTo(new DirectoryCheckpointPublisher(join(directory, 'loops'))),
      surroundings,
    );
    sequencer.start();
    publisher.start();
    try {
      await record();
      const recorded = performance.now();
      while ((await note()) === '')
        if (performance.now() - recorded > 10_000) throw new Error('not sequenced within 10 s');
      expect(await sequencingLagMs(log.backlog, Date.now())).toBeLessThan(1_000);
      while (await unpublished())
        if (performance.now() - recorded > 20_000) throw new Error('not published within 20 s');
    } finally {
      await Promise.all([sequencer.stop(), publisher.stop()]);
    }
    expect(errors).toEqual([]);
  });
});
