import { Client } from 'pg';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';
import { anotherTaskSpec } from '../support/stages.js';
import { until } from '../support/until.js';

let pair: PostgresPair;
let db: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
/** Of an agent that submits. */
let token: string;

beforeAll(async () => {
  pair = await postgresPair();
  db = await testDatabase(pair.primary);
  await pair.caughtUp();
  const replica = new URL(db.url);
  replica.port = String(pair.standby.port);
  api = await testApi({ db, readUrl: replica.href });
  tenant = await api.tenant();
  token = (await api.agent(tenant, await api.person(tenant, 'SRELead'))).token;
}, 120_000);
afterAll(async () => {
  await api.close();
  await db.close();
  await pair.close();
});

const onStandby = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: pair.standby.adminUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
};
const tasks = async (): Promise<readonly string[]> =>
  (expectStatus(await api.http(token).get('/v1/tasks'), 200).body.items as { id: string }[]).map(({ id }) => id);
const submit = async (): Promise<string> =>
  expectStatus(await api.http(token).post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;

describe('a replica to read from', () => {
  it('shows a process its own writes at once', async () => {
    for (const _time of [1, 2, 3]) {
      const id = await submit();
      expect(await tasks()).toContain(id);
    }
  });

  it('serves lists, and never a credential', async () => {
    const read = `select count(*)::integer as n from pg_stat_activity where application_name = 'countersign-test-api' and query <> ''`;
    await until(async () => (await tasks()).length === 3 && Number((await onStandby(read))[0]?.n) > 0);
    await onStandby('select pg_wal_replay_pause()');
    try {
      const other = await api
        .token({ id: tenant.admin.id, email: '', token: tenant.admin.token }, 'read')
        .catch(() => '');
      expect(other).not.toBe('');
      // The revocation has not reached the replica, and holds.
      await db.owner.query(`update credential set revoked_at = clock_timestamp() where name = 'narrow'`);
      expect((await api.http(other).get('/v1/tasks')).status).toBe(401);
    } finally {
      await onStandby('select pg_wal_replay_resume()');
    }
  });

  it('is left alone once it is gone', async () => {
    await pair.standby.stop();
    const id = await submit();
    expect(await tasks()).toContain(id);
    expect(expectStatus(await api.http(tenant.admin.token).get('/v1/audit/entries'), 200).body.items).not.toEqual([]);
  });
});
