import { Client } from 'pg';
import { openDataSource, TypeormSystemQuery, TypeormUnitOfWork, type SystemQuery } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import type { ClockedWorld } from '../../libs/foundation/kernel/src/fake-clock.js';
import { postgresWorld } from './postgres-world.js';
import type { TestDatabase } from './database.js';

/** A world in PostgreSQL whose transactions read a clock that stands until a test moves it. */
export async function clockedWorld(): Promise<
  ClockedWorld & { readonly db: TestDatabase; readonly systemQuery: SystemQuery }
> {
  const world = await postgresWorld();
  const admin = new Client({ connectionString: world.db.adminUrl });
  await admin.connect();
  await admin.query(`
    create schema clock;
    create table clock.moment as select date_trunc('second', pg_catalog.clock_timestamp()) as at;
    create function clock.clock_timestamp() returns timestamptz language sql volatile security definer
      return (select at from clock.moment);
    grant usage on schema clock to countersign_app`);
  const url = new URL(world.db.url);
  url.searchParams.set('options', '-c search_path=clock,pg_catalog,public');
  const options = { url: url.href, poolSize: 4, applicationName: 'countersign-test', entities: ENTITIES };
  const dataSource = await openDataSource(options);
  const uow = new TypeormUnitOfWork(dataSource);
  return {
    ...world,
    uow,
    systemQuery: new TypeormSystemQuery(dataSource),
    pass: async (ms) => {
      await admin.query("update clock.moment set at = at + $1 * interval '1 millisecond'", [ms]);
    },
    close: async () => {
      await uow.close();
      await dataSource.destroy();
      await admin.end();
      await world.close();
    },
  };
}
