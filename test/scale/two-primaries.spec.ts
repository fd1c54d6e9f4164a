import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import {
  createStandby,
  DatabaseHosts,
  openDataSource,
  packageRoot,
  promoteStandby,
  serverAddresses,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#lib/database';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';
import { until } from '../support/until.js';

describe('two hosts that both write', () => {
  let pair: PostgresPair;
  let third: EmbeddedPostgres;
  const base = mkdtempSync(join(tmpdir(), 'countersign-third-'));

  beforeAll(async () => {
    chmodSync(base, 0o755);
    pair = await postgresPair();
    const { primary, folders } = pair;
    const directory = join(base, 'c');
    await createStandby({ primary, primaryDirectory: folders.primary, directory, port: 0 });
    third = await startEmbeddedPostgres({ directory, root: packageRoot() });
  }, 60_000);
  afterAll(async () => {
    await third.stop();
    await pair.close();
    rmSync(base, { recursive: true, force: true });
  });

  /** The port of the server that a statement reaches; null while it reaches none. */
  const reached = async (dataSource: DataSource): Promise<number | null> => {
    const rows = await dataSource
      .query<{ port: number }[]>(`select current_setting('port')::integer as port`)
      .catch(() => null);
    return rows?.[0]?.port ?? null;
  };
  const promote = async (url: string): Promise<void> => {
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(`alter system set primary_conninfo = ''`);
    await admin.query('select pg_reload_conf()');
    await admin.end();
    await promoteStandby([url], true);
  };

  it('lead a running process to the promoted one although the former primary lives, and to none of two', async () => {
    const two = await pair.url('postgres', 'postgres');
    const url = two.replace(/(?<=:\d+)\/postgres$/, `,127.0.0.1:${String(third.port)}/postgres`);
    const hosts = new DatabaseHosts(serverAddresses(url));
    const dataSource = await openDataSource({ url, hosts, poolSize: 2, applicationName: 'two' });
    const promotions: string[] = [];
    hosts.onPromotion(() => promotions.push('promoted'));
    hosts.watch();
    try {
      expect(await reached(dataSource)).toBe(Number(new URL(pair.primary.adminUrl).port));
      await promote(pair.standby.adminUrl);
      await until(async () => ((await reached(dataSource)) === pair.standby.port ? true : null));
      expect(promotions).toEqual(['promoted']);

      await promote(third.adminUrl);
      await until(async () => ((await reached(dataSource)) === null ? true : null));
      await expect(dataSource.query('select 1')).rejects.toMatchObject({ failure: { code: 'database.two_primaries' } });
      const later = openDataSource({ url, poolSize: 1, applicationName: 'later' });
      await expect(later).rejects.toMatchObject({ failure: { code: 'database.two_primaries' } });

      await third.stop();
      await until(async () => ((await reached(dataSource)) === pair.standby.port ? true : null));
    } finally {
      hosts.close();
      await dataSource.destroy();
    }
  }, 120_000);
});
