import type { Page, Route } from 'playwright-core';
import {
  browserWorld,
  describeInChromium,
  keptInTab,
  paste,
  settled,
  STOP_WITHIN_MS,
  type BrowserWorld,
} from '../support/browser.js';
import { expectStatus, type TestTenant } from '../support/api.js';
import { putCurrent } from '../support/put-current.js';
import { until } from '../support/until.js';
import { violationsOn } from '../support/violations.js';

let world: BrowserWorld;
let page: Page;
let tenant: TestTenant;
let reportError: () => Promise<void>;

const note = (message: string): string =>
  `hooks:\n  - {name: note, event: agent.error, action: {type: log, message: "${message}"}}\n`;

async function write(text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Lifecycle hooks, YAML' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await paste(editor, text);
}

/** Until the hooks say so, and the editor begins anew from them. */
async function inForce(message: string): Promise<void> {
  await page.getByRole('list', { name: 'Lifecycle hooks' }).getByText(message).waitFor();
  await page.getByText('As in force.', { exact: false }).waitFor();
}

describeInChromium('the settings of lifecycle hooks', () => {
  beforeAll(async () => {
    world = await browserWorld([{ sub: 'nina', name: 'Nina', groups: ['admins'] }]);
    tenant = await world.tenant();
    const agent = await world.api.agent(tenant, tenant.admin);
    reportError = async () => {
      expectStatus(await world.api.http(agent.token).post('/v1/agent-errors', { error: 'lost <b>way</b>' }), 204);
    };
    await world.startWorker();
    page = await world.page({ viewport: { width: 1350, height: 940 } });
    await world.signIn(page, tenant, 'Nina', '/settings/hooks');
  }, 240_000);
  afterAll(async () => {
    await world.close();
  }, STOP_WITHIN_MS);
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });

  it('refuse a mistake with its line, put hooks in force, show their results, and switch one off', async () => {
    await settled(page);
    await write(note('{{wrong}}'));
    await page.getByText('1 to correct', { exact: true }).waitFor();
    const found = page.getByRole('list', { name: 'Errors and warnings' });
    await found.getByText('There is no placeholder {{wrong}}', { exact: false }).waitFor();
    await found.getByRole('button', { name: 'Line 2' }).click();
    await page.locator('.cm-activeLine').getByText('wrong').waitFor();
    expect(await page.getByRole('button', { name: 'Put in force' }).isDisabled()).toBe(true);
    expect(await violationsOn(page)).toEqual([]);
    await write(note('Error: {{error}}'));
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByRole('button', { name: 'Switch off note' }).waitFor();
    await reportError();
    await page.getByText('Error: lost <b>way</b>').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch off note' }).click();
    await page.getByRole('button', { name: 'Switch on note' }).waitFor();
  }, 90_000);

  it('keep a draft beside hooks that somebody else changed meanwhile, and never replace these silently', async () => {
    await write(note('Mine: {{error}}'));
    await page.getByText('valid', { exact: true }).waitFor();
    const theirs = { source: note('Theirs: {{error}}') };
    expectStatus(await putCurrent(world.api.http(tenant.admin.token), '/v1/lifecycle-hooks', theirs), 200);
    await page.getByText('Somebody changed the hooks after you began', { exact: false }).waitFor();
    expect(await page.getByRole('button', { name: 'Put in force' }).isDisabled()).toBe(true);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep my draft' }).click();
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Put in force' }).click();
    await inForce('Mine: {{error}}');
  }, 60_000);

  it('keep the text that somebody types while an earlier one is put in force', async () => {
    let goOn = (): void => undefined;
    const typed = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/v1/lifecycle-hooks', async (route) => {
      if (route.request().method() === 'PUT') await typed;
      await route.continue();
    });
    const checks: Route[] = [];
    // The hooks of the test before may still be checked.
    await page.route('**/v1/lifecycle-hooks/validate', async (route) => {
      if (/First|Next/.test(route.request().postData() ?? '')) checks.push(route);
      else await route.continue();
    });
    const [valid, put] = [page.getByText('valid', { exact: true }), page.getByRole('button', { name: 'Put in force' })];
    await write(note('First: {{error}}'));
    await until(() => checks.length === 1);
    expect(await valid.count()).toBe(0);
    await checks[0]?.continue();
    await put.click();
    await write(note('Next: {{error}}'));
    await until(() => checks.length === 2);
    goOn();
    await page.getByRole('list', { name: 'Lifecycle hooks' }).getByText('First: {{error}}').waitFor();
    // The text is checked again, beside the hooks that are in force now. The answer beside the former ones comes late.
    await until(() => checks.length === 3);
    const late = page.waitForResponse('**/v1/lifecycle-hooks/validate');
    await checks[1]?.continue();
    await (await late).finished();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect([await valid.count(), await put.isDisabled()]).toEqual([0, true]);
    await checks[2]?.continue();
    await valid.waitFor();
    await page.unrouteAll();
    await put.click();
    await inForce('Next: {{error}}');
  }, 60_000);

  it('keep a draft over a reload, and offer it with the hooks that it began from', async () => {
    const left = page.getByText('You left a draft of a change to the hooks.');
    await write(note('Later: {{error}}'));
    await page.getByText('valid', { exact: true }).waitFor();
    const theirs = { source: note('Newer: {{error}}') };
    expectStatus(await putCurrent(world.api.http(tenant.admin.token), '/v1/lifecycle-hooks', theirs), 200);
    await page.reload();
    await left.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore the draft' }).click();
    await page.locator('.cm-line').getByText('Later:').waitFor();
    await page.getByText('Somebody changed the hooks after you began', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Keep my draft' }).click();
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Put in force' }).click();
    await inForce('Later: {{error}}');
    await page.reload();
    await page.getByRole('button', { name: 'Switch off note' }).waitFor();
    expect(await left.count()).toBe(0);
    expect(await keptInTab(page)).toEqual([]);
  }, 60_000);
});
