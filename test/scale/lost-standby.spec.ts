import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';
import { anotherTaskSpec } from '../support/stages.js';
import { until } from '../support/until.js';

/** More than the API has connections. */
const WRITES = 20;
const READ_WITHIN_MS = 5_000;

let pair: PostgresPair;
let db: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let token: string;
/** Never used before: their first use is noted. */
let unused: readonly string[];

beforeAll(async () => {
  pair = await postgresPair();
  db = await testDatabase(pair.primary);
  api = await testApi({ db });
  tenant = await api.tenant();
  token = (await api.agent(tenant, await api.person(tenant, 'SRELead'))).token;
  unused = [await api.token(tenant.admin, 'read'), await api.token(tenant.admin, 'read')];
  await pair.synchronous(true);
}, 120_000);
afterAll(async () => {
  await pair.synchronous(false);
  await api.close();
  await db.close();
  await pair.close();
});

const submit = () => api.http(token).post('/v1/tasks', anotherTaskSpec());

it('the loss of a synchronous standby refuses writes with a code, and no read', async () => {
  expectStatus(await submit(), 201);
  await pair.standby.stop();
  const writes = Array.from({ length: WRITES }, submit);
  await until(() => api.database.metrics().lateCommits > 0);

  for (const reader of [token, ...unused]) {
    const begun = performance.now();
    expectStatus(await api.http(reader).get('/v1/tasks'), 200);
    expect(performance.now() - begun).toBeLessThan(READ_WITHIN_MS);
  }
  const refused = (await Promise.all(writes)).map(({ status, body }) => `${String(status)} ${String(body.code)}`);
  expect(new Set(refused)).toEqual(new Set(['503 database.not_replicated', '503 database.commits_wait']));

  await pair.synchronous(false);
  await until(async () => (await submit()).status === 201);
  expect(api.database.metrics().lateCommits).toBe(0);
}, 120_000);
