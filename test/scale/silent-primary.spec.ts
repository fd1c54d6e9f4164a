import { execFileSync } from 'node:child_process';
import { DatabaseHosts, openDataSource, serverAddresses, sqlOf, TypeormUnitOfWork } from '#lib/database';
import { newId, type TenantId } from '#lib/kernel';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';
import { until } from '../support/until.js';

/** The server and its backends, as a machine that has lost its power: they answer nothing, and close nothing. */
function signal(pair: PostgresPair, name: 'STOP' | 'CONT'): void {
  const children = execFileSync('pgrep', ['-P', String(pair.primary.pid)], { encoding: 'utf8' });
  for (const pid of [pair.primary.pid, ...children.trim().split('\n').map(Number)]) process.kill(pid, `SIG${name}`);
}

describe('a primary that falls silent without closing a connection', () => {
  it('is left once the standby is promoted, however long that takes', async () => {
    const pair = await postgresPair();
    const url = await pair.url('postgres', 'postgres');
    const hosts = new DatabaseHosts(serverAddresses(url));
    const dataSource = await openDataSource({ url, hosts, poolSize: 2, applicationName: 'silent' });
    hosts.watch();
    const uow = new TypeormUnitOfWork(dataSource);
    const tenantId = newId<TenantId>();
    const keep = (n: number): Promise<unknown> =>
      uow.run(tenantId, (tx) => sqlOf(tx).execute('insert into kept values ($1)', [n]));
    try {
      await dataSource.query('create table kept (n integer primary key)');
      await dataSource.query('create function tenant_move_restrict() returns void language sql return null');
      await keep(1);
      await pair.caughtUp();
      signal(pair, 'STOP');
      // It waits for an answer that never comes, until its connection is dropped.
      const hanging = keep(2).then(
        () => 'kept',
        () => 'dropped',
      );
      await pair.cut();
      // The pool has given the primary up, and no other host writes yet.
      await expect(keep(3)).rejects.toThrow();
      await pair.promote();
      expect(await hanging).toBe('dropped');
      await until(() =>
        keep(4).then(
          () => true,
          () => null,
        ),
      );
    } finally {
      signal(pair, 'CONT');
      hosts.close();
      await dataSource.destroy();
      await pair.close();
    }
  }, 120_000);
});
