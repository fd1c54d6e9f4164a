import type { Page } from 'playwright-core';
import {
  browserWorld,
  describeInChromium,
  settled,
  STOP_WITHIN_MS,
  violationsOn,
  type BrowserWorld,
} from '../support/browser.js';
import { expectStatus } from '../support/api.js';
import { workerOf } from '../support/worker.js';

let world: BrowserWorld;
let worker: { stop(): Promise<void> };
let page: Page;
let reportError: () => Promise<void>;
const problems: string[] = [];

describeInChromium('the settings of lifecycle hooks', () => {
  beforeAll(async () => {
    world = await browserWorld([{ sub: 'nina', name: 'Nina', groups: ['admins'] }]);
    const tenant = await world.tenant();
    const agent = await world.api.agent(tenant, tenant.admin);
    reportError = async () => {
      expectStatus(await world.api.http(agent.token).post('/v1/agent-errors', { error: 'lost <b>way</b>' }), 204);
    };
    worker = await workerOf(world.api);
    page = await (await world.context({ viewport: { width: 1350, height: 940 } })).newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => problems.push(String(error)));
    await world.signIn(page, tenant, 'Nina', '/settings/hooks');
  }, 240_000);
  afterAll(async () => {
    await world.closeContexts();
    await worker.stop();
    await world.close();
  }, STOP_WITHIN_MS);
  afterEach(() => {
    expect(problems.splice(0)).toEqual([]);
  });

  it('refuse a mistake with its line, put hooks in force, show their results, and switch one off', async () => {
    await settled(page);
    const editor = page.getByLabel('Lifecycle hooks, YAML');
    await editor.fill('hooks:\n  - {name: note, event: agent.error, action: {type: log, message: "{{wrong}}"}}\n');
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText('There is no placeholder {{wrong}}', { exact: false }).first().waitFor();
    await editor.fill(
      'hooks:\n  - {name: note, event: agent.error, action: {type: log, message: "Error: {{error}}"}}\n',
    );
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByRole('button', { name: 'Switch off note' }).waitFor();
    await reportError();
    await page.getByText('Error: lost <b>way</b>').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch off note' }).click();
    await page.getByRole('button', { name: 'Switch on note' }).waitFor();
  }, 90_000);
});
