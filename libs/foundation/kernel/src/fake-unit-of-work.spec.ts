import { FakeAuditSink, FakeJobQueue, FakeOutbox } from './fake-ports.js';
import { FakeTable, FakeUnitOfWork } from './fake-unit-of-work.js';
import { newId, type TenantId } from './ids.js';
import type { Tx } from './unit-of-work.js';

const tenant = newId<TenantId>();
const other = newId<TenantId>();

describe('transactions over fakes', () => {
  it('undo all that was written if the work throws', async () => {
    const uow = new FakeUnitOfWork();
    const table = new FakeTable<number>(uow);
    const outbox = new FakeOutbox(uow);
    await uow.run(tenant, (tx) => Promise.resolve(table.of(tx).set('kept', 1)));
    const undone = uow.run(tenant, async (tx) => {
      table.of(tx).set('kept', 2).set('new', 3);
      await outbox.write(tx, { topic: 'comment.added', payload: { comment_id: newId() } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([...table.of({ tenantId: tenant })]).toEqual([['kept', 1]]);
    expect(outbox.of({ tenantId: tenant })).toEqual([]);
    expect(uow.committed).toBe(1);
  });

  it('run one after another, even if they wait', async () => {
    const uow = new FakeUnitOfWork();
    const counter = new FakeTable<number>(uow);
    const increment = async (tx: Tx): Promise<void> => {
      const seen = counter.of(tx).get('count') ?? 0;
      await new Promise((resolve) => setImmediate(resolve));
      counter.of(tx).set('count', seen + 1);
    };
    await Promise.all([1, 2, 3].map(() => uow.run(tenant, increment)));
    expect(counter.of({ tenantId: tenant }).get('count')).toBe(3);
  });

  it('show a tenant its own rows only', async () => {
    const uow = new FakeUnitOfWork();
    const audit = new FakeAuditSink(uow);
    const jobs = new FakeJobQueue(uow);
    await uow.run(tenant, async (tx) => {
      await audit.record(tx, {
        action: 'run.created',
        actor: { kind: 'system', id: 'worker', display_name: 'worker', credential_id: null, on_behalf_of: null },
        level: 'basic',
        subject: { type: 'run', id: 'r' },
        payload: {},
      });
      await jobs.enqueue(tx, 'run.advance', 'r');
    });
    expect(audit.of({ tenantId: tenant })).toHaveLength(1);
    expect(audit.of({ tenantId: other })).toEqual([]);
    expect(jobs.of({ tenantId: tenant })).toEqual([{ name: 'run.advance', id: 'r' }]);
  });

  it('are not begun inside one another', async () => {
    const uow = new FakeUnitOfWork();
    const nested = uow.run(tenant, () => uow.run(tenant, () => Promise.resolve()));
    await expect(nested).rejects.toThrow('begun inside another');
  });

  it('tell the time that the test sets', async () => {
    const uow = new FakeUnitOfWork(1_000);
    uow.now += 500;
    expect(await uow.run(tenant, (tx) => tx.now())).toBe(1_500);
  });
});
