import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEpochAsOperator } from '../../apps/cli/src/start-epoch-as-operator.js';
import { guardLogs } from '#lib/audit';
import { openCheckpointDestinations } from '#lib/installation';
import { openDatabase } from '#lib/database';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';
import { keepTestKeyring } from '../support/seals.js';
import { until } from '../support/until.js';

const data = mkdtempSync(join(tmpdir(), 'countersign-t57-'));
const destinations = openCheckpointDestinations({
  checkpointDirectory: join(data, 'outside'),
  checkpointsElsewhere: true,
  checkpointUrl: null,
});
let pair: PostgresPair;
let db: TestDatabase;
let api: TestApi;
let one: TestTenant;
let other: TestTenant;
/** It starts an epoch that is lost. */
let third: TestTenant;
/** Of both servers. */
let url: string;

beforeAll(async () => {
  keepTestKeyring(data);
  pair = await postgresPair();
  db = await testDatabase(pair.primary);
  url = await pair.url('countersign_app', new URL(db.url).pathname.slice(1));
  api = await testApi({ db: { ...db, url }, outside: destinations, config: { keyDirectory: join(data, 'keys') } });
  [one, other, third] = [await api.tenant('one'), await api.tenant('other'), await api.tenant('third')];
}, 120_000);
afterAll(async () => {
  await api.close();
  await db.close().catch(() => undefined); // its server was killed
  await pair.close();
  rmSync(data, { recursive: true, force: true });
});

/** Signs a tenant's log as it is, and puts the checkpoint outside. */
async function publish({ id }: TestTenant): Promise<void> {
  const { log } = api.installation.audit;
  await log.sequence.execute(id);
  for (const destination of destinations) expect(await log.publishTo(destination).execute(id)).toBe('published');
}

const addPerson = (tenant: TestTenant, email: string) =>
  api.http(tenant.admin.token).post('/v1/people', { email, display_name: email });
const people = (tenant: TestTenant) => api.http(tenant.admin.token).get('/v1/people');

describe('T57: an asynchronous standby lost the end of the log, and is promoted', () => {
  it('lets no tenant go on whose published checkpoint it lacks, until a new epoch', async () => {
    for (const tenant of [one, other, third]) await publish(tenant);
    await pair.caughtUp();
    await pair.cut();
    expectStatus(await addPerson(one, 'lost@example.com'), 201);
    await publish(one);
    const { startEpoch } = api.installation.audit;
    expect(await startEpoch.executeAsOperator(third.id, { reason: 'before the loss', lastPublished: null })).toBe(2);
    await publish(third);
    await pair.killPrimary();
    expect((await people(one)).body).toMatchObject({ code: 'database.unavailable' });
    await pair.promote();

    // The other tenant lost nothing that was published.
    await until(async () => (await people(other)).status === 200);
    expectStatus(await addPerson(other, 'more@example.com'), 201);
    for (const refused of [await people(one), await addPerson(one, 'more@example.com'), await people(third)]) {
      expect({ status: refused.status, code: refused.body.code as string }).toEqual({
        ...{ status: 503, code: 'audit.log_shortened' },
      });
    }
    await expect(api.installation.audit.log.sequence.execute(one.id)).rejects.toMatchObject({
      failure: { code: 'audit.log_shortened' },
    });

    // A process that starts now refuses, too.
    const options = { applicationName: 't57', entities: [], poolSize: 2, onError: () => undefined };
    const fresh = await openDatabase({ kind: 'external', url }, options);
    await expect(
      guardLogs(fresh, destinations, () => undefined).uow.run(one.id, () => Promise.resolve()),
    ).rejects.toMatchObject({ failure: { code: 'audit.log_shortened' } });
    await fresh.close();

    const before = { ...process.env };
    Object.assign(process.env, {
      ...{ DATABASE_URL: url, COUNTERSIGN_DATA: data },
      COUNTERSIGN_CHECKPOINT_DIRECTORY: join(data, 'outside'),
    });
    const started = await startEpochAsOperator('one', { reason: 'the standby lost a moment', lastPublished: null });
    const startedBeyond = await startEpochAsOperator('third', {
      reason: 'its second epoch is lost',
      lastPublished: null,
    });
    process.env = before;
    expect(started).toEqual({ tenant: 'one', epoch: 2 });
    expect(startedBeyond).toEqual({ tenant: 'third', epoch: 3 });

    for (const tenant of [one, third]) {
      await until(async () => (await people(tenant)).status === 200);
      expectStatus(await addPerson(tenant, 'more@example.com'), 201);
      await publish(tenant);
    }
  }, 60_000);
});
