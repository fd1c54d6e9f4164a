import type { LogExporter, TenantId } from '#lib/kernel';
import type { LogFollowerId } from '../domain/ids.js';
import { ExportLog } from './export-log.js';
import { fakeAuditLog } from './fake-audit-log.js';

const EXPORTER: LogExporter = { name: 'file', export: () => Promise.resolve() };

/** An exporter and its turns. @param more whether more entries wait after each. */
function exporting(more = false) {
  const log = fakeAuditLog();
  const turns: [TenantId, LogFollowerId][] = [];
  const follow = {
    execute: (...turn: [TenantId, LogFollowerId]) => {
      turns.push(turn);
      return Promise.resolve(more);
    },
  };
  return { ...log, turns, exportLog: new ExportLog(log.uow, log.followers, follow, EXPORTER) };
}

it('an exporter begins with the first entry of each tenant, and goes on as the same follower', async () => {
  const { exportLog, followers, turns, home, other, record, sequence } = exporting();
  await record();
  await sequence.execute(home.tenantId);
  for (const { tenantId } of [home, home, other]) await exportLog.execute(tenantId);
  const [[own], [theirs]] = [followers.of(home), followers.of(other)];
  expect(followers.of(home)).toHaveLength(1);
  for (const follower of [own, theirs])
    expect(follower).toMatchObject({ name: exportLog.name, position: { epoch: 1, index: 0 } });
  expect(turns).toEqual([
    [home.tenantId, own?.id],
    [home.tenantId, own?.id],
    [other.tenantId, theirs?.id],
  ]);
});

it.each([true, false])('an exporter tells whether more entries wait: %s', async (more) => {
  const { exportLog, home } = exporting(more);
  expect(await exportLog.execute(home.tenantId)).toBe(more);
});
