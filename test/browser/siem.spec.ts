import type { Page } from 'playwright-core';
import { expectStatus, type HttpAs, type TestPerson } from '../support/api.js';
import { confirmWaiting } from '../support/confirm-waiting.js';
import { putCurrent } from '../support/put-current.js';
import {
  browserWorld,
  describeInChromium,
  sayWhy,
  settled,
  STOP_WITHIN_MS,
  type BrowserWorld,
} from '../support/browser.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';
import { testCollector, type TestCollector } from '../support/siem-collector.js';
import { testEmbedder, type TestEmbedder } from '../support/test-embedder.js';
import { keepPrecedent } from '../support/precedent-rows.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { until } from '../support/until.js';

let collector: TestCollector;
let embedder: TestEmbedder;
let world: BrowserWorld;
let page: Page;
let second: TestPerson;
let third: TestPerson;
let admin: HttpAs;
const problems: string[] = [];

describeInChromium('the settings of a SIEM and an embedder', () => {
  beforeAll(async () => {
    [collector, embedder] = [await testCollector(), await testEmbedder()];
    world = await browserWorld([{ sub: 'nina', name: 'Nina', groups: ['admins'] }], {
      allowedPrivateHosts: [new URL(collector.url).host, new URL(embedder.url).host],
    });
    const tenant = await world.tenant();
    await world.startWorker();
    await world.api.db.uow.run(tenant.id, (tx) =>
      keepPrecedent(tx, { goal: 'Draining the broker', tools: ['run_playbook'], environment: 'production' }),
    );
    admin = world.api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/embedder', { url: embedder.url, model: 'meaning-1', ca: TEST_AUTHORITY }), 200);
    expectStatus(await admin.put('/v1/siem-collector', { url: collector.url, ca: TEST_AUTHORITY }), 200);
    page = await (await world.context({ viewport: { width: 1350, height: 940 } })).newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => problems.push(String(error)));
    await world.signIn(page, tenant, 'Nina', '/settings/siem');
    second = await world.api.person(tenant, 'PlatformAdmin');
    third = await world.api.person(tenant, 'PlatformAdmin');
  }, 240_000);
  afterAll(async () => {
    await world.close();
    await collector.close();
    await embedder.close();
  }, STOP_WITHIN_MS);

  /** A removal is asked about, and may be cancelled. */
  const remove = async (title: string): Promise<void> => {
    await page.getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove…' }).click();
    await dialog.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('show a collector that fails without its token, and takes events once it has it', async () => {
    await settled(page);
    await page.getByText('No file gets your events.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('It answered 401.', { exact: false }).waitFor();
    await page.getByText('failing', { exact: false }).first().waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByLabel('Bearer token').fill('token-of-this-server');
    const theirs = { url: `${collector.url}/theirs`, ca: TEST_AUTHORITY };
    expectStatus(await putCurrent(admin, '/v1/siem-collector', theirs), 202);
    await confirmWaiting(world.api, second);
    await page.getByRole('button', { name: 'Set the token' }).click();
    const warned = page.getByRole('alert').filter({ hasText: 'so its token was not changed' });
    await warned.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await warned.getByRole('button', { name: 'Show theirs' }).click();
    await page.getByText(theirs.url, { exact: true }).waitFor();
    // The form begins anew once the settings were read again; events may have shown these before.
    await until(async () => (await page.getByLabel('Bearer token').inputValue()) === '');
    const replaced = page.getByText('Somebody changed these settings', { exact: false });
    await page.getByLabel('Address').fill(collector.url);
    await page.getByRole('button', { name: 'Put in force' }).click();
    await sayWhy(page);
    const waits = page.getByText('so it waits for a second person', { exact: false });
    await waits.waitFor();
    await confirmWaiting(world.api, third);
    // It is the author's own change that came into force.
    await waits.waitFor({ state: 'detached' });
    await page.getByText(collector.url, { exact: true }).waitFor();
    expect(await replaced.count()).toBe(0);
    await page.getByLabel('Bearer token').fill(collector.token);
    await page.getByRole('button', { name: 'Set the token' }).click();
    await page.getByRole('button', { name: 'Replace the token' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('takes events', { exact: true }).waitFor();
    await until(() => collector.taken.join().includes('siem_collector_added'));
    expect(await violationsOn(page)).toEqual([]);
    await remove('Remove this collector?');
    await page.getByText('None yet. Name the https address of one.').waitFor();
    expect(problems).toEqual([]);
  }, 90_000);

  it('show an embedder that gives no vector without its token, another model, and none', async () => {
    await page.getByRole('link', { name: 'Embedder' }).click();
    await page.getByText(embedder.url, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Test it' }).click();
    await page.getByText('It answered 401. It asks for a token: set it.', { exact: false }).first().waitFor();
    await page.getByText('1 precedent', { exact: true }).waitFor();
    await page.getByText('Next try', { exact: true }).waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByLabel('Bearer token').fill(embedder.token);
    await page.getByRole('button', { name: 'Set the token' }).click();
    await page.getByRole('button', { name: 'Replace the token' }).waitFor();
    await page.getByLabel('Dimensions').fill('64');
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText('64', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Test it' }).click();
    await page.getByText('It gave a vector of 64 dimensions.').waitFor();
    await page.getByText('gives vectors', { exact: true }).waitFor();
    // The worker would try again five seconds after its failure.
    await world.api.db.owner.query('update embedder set next_at = clock_timestamp()');
    await page.getByText('no precedent', { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const theirs = { url: embedder.url, model: 'meaning-2', ca: TEST_AUTHORITY };
    expectStatus(await putCurrent(admin, '/v1/embedder', theirs), 200);
    await page.getByLabel('Dimensions').fill('128');
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText('Somebody changed these settings', { exact: false }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show theirs' }).click();
    await page.getByText('meaning-2', { exact: true }).waitFor();
    await until(async () => (await page.getByLabel('Dimensions').inputValue()) === '');
    await remove('Remove this embedder?');
    await page.getByText('None yet: precedents are found by words and structure.').waitFor();
    expect(problems).toEqual([]);
  }, 90_000);
});
