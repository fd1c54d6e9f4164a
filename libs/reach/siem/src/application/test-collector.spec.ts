import { newId, type FollowerProgress, type LogProgress, type SiemCollectorId } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeCollectors } from './fake-collectors.js';
import { ReadCollector } from './read-collector.js';
import { TestCollector } from './test-collector.js';

const FAILING: FollowerProgress = { entriesBehind: 3, behindSince: 1, failures: 2, retryAt: 10 };

/** A tenant whose collector fails, if it has one. */
async function tested(added: boolean) {
  const { uow, home } = fakeClockedWorld();
  const [collectors, audit] = [new FakeCollectors(uow), new FakeAuditSink(uow)];
  const retried: string[] = [];
  const progress: LogProgress = {
    of: (_tx, name) => Promise.resolve(name === 'siem_collector' ? FAILING : null),
    retryNow: (_tx, name) => Promise.resolve(void retried.push(name)),
  };
  const settings = { id: newId<SiemCollectorId>(), url: 'https://siem.example.com/in', ca: null };
  if (added)
    await uow.run(home.tenantId, (tx) =>
      collectors.save(tx, { ...settings, createdBy: home.owner.personId, createdAt: 0 }),
    );
  const reading = new ReadCollector(uow, collectors, progress);
  return {
    retried,
    test: () => new TestCollector(uow, collectors, progress, audit).execute(home.admin),
    read: () => reading.execute(home.tenantId),
    file: () => reading.file(home.tenantId),
    recorded: () => audit.of(home).map(({ action }) => action),
  };
}

describe('a test of the collector', () => {
  it('is an entry of the log, and ends the wait after a failure', async () => {
    const collector = await tested(true);
    expect(await collector.test()).toEqual({ ok: true, value: null });
    expect([collector.recorded(), collector.retried]).toEqual([['siem_collector.tested'], ['siem_collector']]);
    expect(await collector.read()).toMatchObject({ ok: true, value: { progress: FAILING } });
    expect(await collector.file()).toBeNull();
  });

  it('is refused without a collector', async () => {
    const collector = await tested(false);
    expect(await collector.test()).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
    expect([collector.recorded(), collector.retried]).toEqual([[], []]);
  });
});
