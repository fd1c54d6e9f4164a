import type { Locator, Page } from 'playwright-core';
import type { JudgedAutomationView } from '#lib/api-schemas';
import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import {
  browserWorld,
  describeInChromium,
  keptInTab,
  moveTo,
  paste,
  sayWhy,
  settled,
  STOP_WITHIN_MS,
  type BrowserWorld,
} from '../support/browser.js';
import { farSchedule } from '../support/far-schedule.js';
import { serviceTool, STAGING_ALONE } from '../support/service-tool.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';

const SCHEDULE = farSchedule();
const source = (name: string, further = ''): string => `name: ${name}
description: Keeps the web service well.
environment: staging
triggers:
  - { type: cron, schedule: "${SCHEDULE}", time_zone: Europe/Berlin, missed: run_once }
steps:
  - id: look
    type: tool_action
    tool: check_web
    arguments: { service: web }
  - id: sick
    type: condition
    if: look.unhealthy > 0
  - id: restart
    type: tool_action
    tool: restart_service
    arguments: { service: web }
${further}  - id: tell
    type: notify
    message: The web service was restarted.
`;

const UNINSTALL = `  - id: uninstall
    type: tool_action
    tool: uninstall_app
    arguments: { service: web }
`;

/** Triggers by an event and a request, before the steps. */
const ON_DEMAND = `  - { type: event, event: incident.*, match: { data.action: incident.opened }, inputs: { service: data.subject.type } }
  - type: endpoint
`;

const INPUTS = `inputs:
  service: { type: string, max_length: 20, example: web }
  count: { type: number, minimum: 1, maximum: 3, default: 1 }
`;

let fleet: ToolServer;
let world: BrowserWorld;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let page: Page;

/** Replaces the text of an editor. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('Control+a');
  await paste(editor, text);
}

async function proposed(text: string): Promise<JudgedAutomationView> {
  return expectStatus(await agent.post('/v1/automations', { source: text }), 201).body as JudgedAutomationView;
}

async function enabled(text: string): Promise<string> {
  const { id, source_sha256 } = await proposed(text);
  expectStatus(await admin.post(`/v1/automations/${id}/enable`, { source_sha256 }), 200);
  return id;
}

/** Makes the time of its schedule come. Workers find that they have not looked for a day, and make up for the last time. */
const tick = (id: string): Promise<unknown> =>
  world.api.db.owner.query(
    `update automation set looked_until = now() - interval '25 hours', next_at = now() where tenant_id = $1 and id = $2`,
    [tenant.id, id],
  );

describeInChromium('the pages of automations', () => {
  beforeAll(async () => {
    fleet = await toolServer({ before: () => true, result: () => ({ metrics: { unhealthy: 1 } }) });
    world = await browserWorld([{ sub: 'nina', name: 'Nina', groups: ['admins'] }], {
      allowedPrivateHosts: [new URL(fleet.url).host],
    });
    const { api } = world;
    tenant = await world.tenant();
    admin = api.http(tenant.admin.token);
    agent = api.http((await api.agent(tenant, tenant.admin)).token);
    for (const [name, effect, risk] of [
      ['check_web', 'read', 'read_only'],
      ['restart_service', 'modify', 'state_change_nonprod'],
      ['stop_service', 'modify', 'state_change_nonprod'],
      ['uninstall_app', 'destructive', 'state_change_nonprod'],
    ] as const)
      expectStatus(await admin.put(`/v1/tools/${name}`, serviceTool(effect, risk)), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/staging/executors/fleet', executor), 200);
    expectStatus(await admin.put('/v1/autonomy', STAGING_ALONE), 200);
    expectStatus(await admin.put('/v1/automation-safe-list/restart_service', { version: 1 }), 200);
    await world.startWorker();
    page = await world.page({ viewport: { width: 1350, height: 940 } });
    await world.signIn(page, tenant, 'Nina', '/automations');
  }, 240_000);
  afterAll(async () => {
    await world.close();
    await fleet.close();
  }, STOP_WITHIN_MS);
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });

  it('say without any automation how to begin', async () => {
    await settled(page);
    await page.getByText('npx countersign automation propose restart-web.yaml').waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'New automation' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'New automation' }).waitFor();
  }, 60_000);

  it('mark as one types the steps that would be blocked, at their lines, and propose the rest', async () => {
    const editor = page.getByRole('textbox', { name: 'Automation, YAML' });
    await write(editor, source('keep-web', UNINSTALL));
    await page.getByText('1 step would be blocked', { exact: true }).waitFor();
    const found = page.getByRole('list', { name: 'Errors and warnings' });
    await found.getByText('Tool uninstall_app is destructive and not available for automations').waitFor();
    await found.getByRole('button', { name: 'Line 18' }).click();
    await page.locator('.cm-activeLine').getByText('uninstall').waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await write(editor, source('keep-web').replace(SCHEDULE, '0 3 * *'));
    await page.getByText('1 to correct', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Propose' }).isDisabled()).toBe(true);
    await write(editor, source('keep-web'));
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Propose' }).click();
    await page.getByRole('heading', { level: 1, name: 'keep-web' }).waitFor();
  }, 60_000);

  it('show the steps of an automation, and let an admin enable it', async () => {
    await page.getByText('It does nothing yet.').waitFor();
    await page.getByRole('heading', { name: 'Steps' }).waitFor();
    await page.getByRole('main').getByText('Europe/Berlin').first().waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    const past = page.getByRole('region', { name: 'Runs that would have begun' });
    await past.getByText('would run').first().waitFor();
    await past.getByText('its schedule').first().waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enable' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enable keep-web?' });
    await dialog.getByText('you answer for that agent').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('enabled', { exact: true }).waitFor();
    await page.getByText('Next run', { exact: true }).waitFor();
  }, 60_000);

  it('show a run once it began, with the outcome of each step, and name both in the audit log', async () => {
    const [, id = ''] = /automations\/([0-9a-f-]+)/.exec(page.url()) ?? [];
    await page.getByText('It has not run yet.', { exact: false }).waitFor();
    await tick(id);
    await page.getByText('completed', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Answer of the tool' }).first().click();
    await page.getByText('"unhealthy": 1').waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await moveTo(page, '/audit');
    await page
      .getByRole('link', { name: `on automation run ${name}` })
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: /on tool call (check_web|restart_service) …/ })
      .first()
      .waitFor();
  }, 60_000);

  it('run one on request with its declared inputs, and show kinds of triggers by the words of the API', async () => {
    const asking = source('on-request')
      .replace(/ {2}- \{ type: cron.*\n/, ON_DEMAND)
      .replace('{ service: web }', '{ service: "{{inputs.service}}" }');
    const id = await enabled(`${asking}${INPUTS}`);
    await moveTo(page, `/automations/${id}`);
    await page.getByText('At a request to', { exact: false }).waitFor();
    await page.getByText('At an event of Countersign.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run on-request now?' });
    await dialog.getByLabel('service').fill('db');
    await dialog.getByLabel('count').fill('2');
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('asked for at', { exact: false }).waitFor();
    await page.getByText('"db"', { exact: true }).waitFor();
    await until(() => fleet.ledger.some(({ arguments: given }) => given.service === 'db'));
  }, 60_000);

  it('show where another system sends signed messages, and its secret once', async () => {
    const asking = source('at-a-message').replace(
      / {2}- \{ type: cron.*\n/,
      '  - { type: webhook, match: { a: b } }\n',
    );
    const id = await enabled(asking);
    await moveTo(page, `/automations/${id}`);
    await page.getByText(`${world.url}/hooks/${tenant.slug}/automations/${id}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Make a secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByText('Earlier secrets are good until', { exact: false }).waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByLabel('Refuse earlier secrets at once').check();
    await page.getByRole('button', { name: 'Make a secret' }).click();
    await page.getByText('Earlier secrets are refused.').waitFor();
  }, 60_000);

  it('show a blocked step of a run with its reason', async () => {
    const id = await enabled(source('restart-often'));
    expectStatus(await admin.delete('/v1/automation-safe-list/restart_service'), 204);
    await tick(id);
    await moveTo(page, `/automations/${id}`);
    await page.getByText('failed', { exact: true }).first().waitFor();
    await page.getByText('blocked', { exact: true }).waitFor();
    const said = page.getByText('Tool restart_service is not in the automation-safe modify list');
    await until(async () => (await said.count()) >= 2);
    await page.getByText('Would be blocked now.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
  }, 60_000);

  it('keep a draft over a reload, and offer it with the source that it began from', async () => {
    const { id } = await proposed(source('drafted'));
    const editor = page.getByRole('textbox', { name: 'Automation, YAML' });
    const typed = page.locator('.cm-line').getByText('Keeps the web service up.');
    await moveTo(page, `/automations/${id}`);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await write(editor, source('drafted').replace('well', 'up'));
    await page.reload();
    await page.getByText('You left a draft of a change to revision 1.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore the draft' }).click();
    await typed.waitFor();
    await page.getByRole('button', { name: 'Close the draft' }).click();
    await page.getByRole('button', { name: 'Restore the draft' }).click();
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByRole('heading', { name: 'Source, revision 2' }).waitFor();
    expect(await page.getByText('You left a draft').count()).toBe(0);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await write(editor, source('drafted').replace('{ service: web }', '{ password: hunter2 }'));
    await page.reload();
    await page.getByRole('heading', { name: 'Source, revision 2' }).waitFor();
    expect(await page.getByText('You left a draft').count()).toBe(0);
    expect(await keptInTab(page)).toEqual([]);
  }, 60_000);

  it('keep the draft of a new automation, until it is discarded', async () => {
    await moveTo(page, '/automations/new');
    await write(page.getByRole('textbox', { name: 'Automation, YAML' }), source('unfinished'));
    await page.reload();
    await page.getByText('You left a draft of a new automation.').waitFor();
    await page.getByRole('button', { name: 'Restore the draft' }).click();
    await page.locator('.cm-line').getByText('unfinished').waitFor();
    await page.getByRole('link', { name: 'Automations' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Leave with a draft?' });
    await dialog.getByRole('button', { name: 'Keep the draft and leave' }).click();
    await page.getByRole('main').getByRole('link', { name: 'New automation' }).first().click();
    await page.getByRole('button', { name: 'Discard it' }).click();
    expect(await page.getByText('You left a draft').count()).toBe(0);
    expect(await keptInTab(page)).toEqual([]);
  }, 60_000);

  it('label the words of an agent, and keep a draft from a change that it never saw', async () => {
    const { id } = await proposed(source('by-an-agent'));
    await moveTo(page, `/automations/${id}`);
    await page.getByText('not verified. Trust the steps, not this text.').waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await write(page.getByRole('textbox', { name: 'Automation, YAML' }), source('by-an-agent').replace('well', 'up'));
    await page.getByText('valid', { exact: true }).waitFor();
    const { source_sha256 } = expectStatus(await admin.get(`/v1/automations/${id}`), 200).body as JudgedAutomationView;
    const other = source('by-an-agent').replace('well', 'quick');
    expectStatus(await admin.put(`/v1/automations/${id}`, { source: other, source_sha256 }), 200);
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByRole('alert').getByText('The automation has another source than the one that you saw').waitFor();
    await page.getByRole('button', { name: 'Keep mine, and compare it with revision 2' }).click();
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByRole('heading', { name: 'Source, revision 3' }).waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reject by-an-agent?' });
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
  }, 60_000);

  it('list them with their states, owners, next times and last runs', async () => {
    await moveTo(page, '/automations');
    const row = page.getByRole('link', { name: /keep-web/ });
    await row.getByText('completed').waitFor();
    await row.getByText('Nina answers for it').waitFor();
    expect(await row.innerText()).toMatch(/enabled[^]*next .*\d\d:\d\d/);
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'by-an-agent' }).waitFor();
  }, 60_000);

  it('read anew now and then while no stream tells of changes, but not in a hidden tab', async () => {
    const other = await page.context().newPage();
    await other.route('**/v1/events', (route) => route.abort());
    await other.clock.install();
    await other.goto(`${world.url}/automations`);
    await other.getByText('Not live').waitFor();
    await other.getByRole('link', { name: /keep-web/ }).waitFor();
    const hide = (hidden: boolean): Promise<void> =>
      other.evaluate((value) => {
        // This runs in the page: the types of Node, which hold here, have no document.
        const { document } = globalThis as unknown as { document: object };
        Object.defineProperty(document, 'hidden', { get: () => value, configurable: true });
      }, hidden);
    await proposed(source('seen-late'));
    const read: string[] = [];
    other.on('request', (request) => read.push(new URL(request.url()).pathname));
    await hide(true);
    await other.clock.runFor(25_000);
    expect(read.filter((path) => path !== '/v1/events')).toEqual([]);
    await hide(false);
    await other.clock.runFor(10_000);
    await other.getByRole('link', { name: /seen-late/ }).waitFor();
    await other.close();
  }, 60_000);

  it('say which tools automations may call, and why not the others', async () => {
    await moveTo(page, '/automations/safe-tools');
    await page.getByLabel('Environment').selectOption('staging');
    const rows = page.getByRole('list', { name: 'Tools' });
    await rows.getByText('Tool uninstall_app is destructive and not available for automations').waitFor();
    await rows.getByRole('listitem').filter({ hasText: 'check_web' }).getByText('automations may call it').waitFor();
    await page.getByText('None yet. Tools that only read need no entry.', { exact: false }).waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put version 1 on the list: stop_service' }).click();
    await sayWhy(page);
    await page
      .getByText('The tool stop_service on the list of automation-safe tools waits for a second person.')
      .waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'See the change' }).first().click();
    await page.getByText('automations may call stop_service, version 1, while nobody watches').waitFor();
    expect(await violationsAnywhere(page)).toEqual([]);
  }, 60_000);
});
