import { AsyncLocalStorage } from 'node:async_hooks';
import type { SealedRow, UnitOfWork } from '#lib/kernel';
import { SealAlarm } from './seal-alarm.js';

const row = (id: string, tenantId: string | null = 'acme'): SealedRow => ({
  table: 'review',
  tenantId,
  id,
  columns: {},
});

/** An alarm, its clock, and the reports that it made. */
function world(recording: () => Promise<void> = () => Promise.resolve()) {
  let now = 0;
  const heard: [string, boolean][] = [];
  const recorded: string[] = [];
  const alarm = new SealAlarm(() => now);
  alarm.onBroken(({ id }, repeated) => heard.push([id, repeated]));
  const uow = { run: async (_tenant: string, work: (tx: never) => Promise<void>) => work({} as never) };
  alarm.recordsIn(uow as unknown as UnitOfWork, {
    record: async (_tx, event) => {
      await recording();
      recorded.push(`${event.level} ${event.action} ${event.subject.id}`);
    },
  });
  const later = (ms: number) => {
    now += ms;
  };
  return { alarm, heard, recorded, later };
}

describe('the alarm of a broken seal', () => {
  it('tells and records once a row in ten minutes, and counts every time', async () => {
    const { alarm, heard, recorded, later } = world();
    alarm.report(row('1'));
    alarm.report(row('1'));
    later(600_001);
    alarm.report(row('1'));
    await Promise.resolve();
    expect(heard).toEqual([
      ['1', false],
      ['1', true],
      ['1', false],
    ]);
    await new Promise(setImmediate);
    expect(recorded).toEqual(Array.from({ length: 2 }, () => 'critical record.not_authentic 1'));
  });

  it('records outside the transaction of the request that found the row', async () => {
    const request = new AsyncLocalStorage<string>();
    const within: (string | undefined)[] = [];
    const { alarm } = world(() => {
      within.push(request.getStore());
      return Promise.resolve();
    });
    request.run('a request', () => {
      alarm.report(row('1'));
    });
    await new Promise(setImmediate);
    expect(within).toEqual([undefined]);
  });

  it('records a hundred rows at most, however many were inserted', async () => {
    const { alarm, heard, recorded } = world();
    for (let id = 0; id < 150; id += 1) alarm.report(row(String(id)));
    await new Promise(setImmediate);
    expect(recorded).toHaveLength(100);
    expect(heard).toHaveLength(150);
  });

  it('tells of the installation’s own rows too, which no tenant’s log has', async () => {
    const { alarm, heard, recorded } = world();
    alarm.report(row('kid', null));
    await new Promise(setImmediate);
    expect([heard, recorded]).toEqual([[['kid', false]], []]);
  });

  it('has told already if the database does not take the entry', async () => {
    const { alarm, heard, recorded } = world(() => Promise.reject(new Error('refused')));
    alarm.report(row('1'));
    await new Promise(setImmediate);
    expect([heard, recorded]).toEqual([[['1', false]], []]);
  });
});
