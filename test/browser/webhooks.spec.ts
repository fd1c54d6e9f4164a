import type { Page } from 'playwright-core';
import type { TestPerson, TestTenant } from '../support/api.js';
import {
  browserWorld,
  describeInChromium,
  moveTo,
  sayWhy,
  settled,
  STOP_WITHIN_MS,
  type BrowserWorld,
} from '../support/browser.js';
import { confirmWaiting } from '../support/confirm-waiting.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';
import { webhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

let receiver: WebhookReceiver;
let world: BrowserWorld;
let tenant: TestTenant;
let second: TestPerson;
let page: Page;

describeInChromium('the pages of webhooks', () => {
  beforeAll(async () => {
    receiver = await webhookReceiver();
    world = await browserWorld([{ sub: 'nina', name: 'Nina', groups: ['admins'] }], {
      allowedPrivateHosts: [new URL(receiver.url).host],
    });
    tenant = await world.tenant();
    second = await world.api.person(tenant, 'PlatformAdmin');
    await world.startWorker();
    page = await world.page({ viewport: { width: 1350, height: 940 } });
    await world.signIn(page, tenant, 'Nina', '/settings/webhooks');
  }, 240_000);
  afterAll(async () => {
    await world.close();
    await receiver.close();
  }, STOP_WITHIN_MS);
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });

  it('add an address with its events and authority, which waits for a second person', async () => {
    await settled(page);
    await page.getByText('None yet. Add one below', { exact: false }).waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Purpose').fill('Tells the chat.');
    await page.getByRole('checkbox', { name: /^tool\.started/ }).uncheck();
    await page.getByRole('checkbox', { name: /^guardrail/ }).check();
    await page.getByLabel('Authority of your own').setInputFiles({
      ...{ name: 'authority.pem', mimeType: 'application/x-pem-file', buffer: Buffer.from(TEST_AUTHORITY) },
    });
    await page.getByText('authority.pem', { exact: false }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add it' }).click();
    await sayWhy(page);
    await page.getByRole('list', { name: 'Change requests' }).getByText(`The webhook to ${receiver.url}`).waitFor();
    expect(await page.getByLabel('Address').inputValue()).toBe('');
    expect(await violationsOn(page)).toEqual([]);
    await confirmWaiting(world.api, second);
    const row = page.getByRole('link', { name: receiver.url });
    await row.getByText('waits for its secret').waitFor();
    await row.click();
  }, 60_000);

  it('show its secret once', async () => {
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    await page.getByText('Nothing was sent yet.', { exact: false }).waitFor();
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Make its secret' }).click();
    const secret = await page.getByText(/^whsec_/).innerText();
    receiver.secrets.push(secret);
    await page.getByText('It is not shown again.', { exact: false }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
  }, 60_000);

  it('test it, and log each attempt with the body', async () => {
    await page.getByRole('button', { name: 'Send a test' }).click();
    const log = page.getByRole('list', { name: 'Delivery log' });
    const test = log.getByRole('button', { name: /tool\.test/ });
    await test.getByText('delivered').waitFor();
    expect(receiver.received.map(({ body }) => body.event)).toContain('tool.test');
    await test.click();
    await log.getByText('status 204').waitFor();
    await log.getByText('"event": "tool.test"').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await test.click();
  }, 60_000);

  it('show a failed attempt with its answer and the next one, and resend a delivery that ended', async () => {
    receiver.answers = { status: 500, headers: {}, afterMs: 0 };
    const log = page.getByRole('list', { name: 'Delivery log' });
    await page.getByRole('button', { name: 'Send a test' }).click();
    const failing = log.getByRole('button', { name: /tool\.test.*pending.*next attempt/s });
    await failing.click();
    await log.getByText('status 500').first().waitFor();
    await log.getByText('taken').first().waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    receiver.answers = { status: 204, headers: {}, afterMs: 0 };
    await page.getByLabel('State').selectOption('delivered');
    await page.waitForURL(/state=delivered/);
    await until(async () => (await log.getByText('pending').count()) === 0);
    const first = receiver.received.find(({ body }) => body.event === 'tool.test')?.id;
    await log
      .getByRole('button', { name: /tool\.test/ })
      .last()
      .click();
    await log.getByRole('button', { name: 'Send it again' }).click();
    await until(() => receiver.received.filter(({ id }) => id === first).length > 1);
  }, 60_000);

  it('switch it off and on, and change it', async () => {
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('a person switched it off').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('checkbox', { name: /^guardrail/ }).uncheck();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText('Gets tool.completed, tool.failed').waitFor();
  }, 60_000);

  it('remove it after a question', async () => {
    await page.getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this webhook?' });
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('None yet. Add one below', { exact: false }).waitFor();
    await moveTo(page, '/audit');
    await page.getByRole('link', { name: /Webhook removed/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhook removed' }).waitFor();
    await page.locator('dt').getByText('Webhook', { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
  }, 60_000);
});
