import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { generateSync } from 'otplib';
import type { ImpactReportId } from '#lib/kernel';
import { expectStatus } from '../support/api.js';
import {
  browserWorld,
  describeInChromium,
  moveTo,
  paste,
  type BrowserWorld,
  sayWhy,
  settled,
} from '../support/browser.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn, violationsOnPhone } from '../support/violations.js';

let fleet: { readonly port: number; close(): Promise<void> };
let world: BrowserWorld;
let tenant: PopulatedTenant;
let nina: BrowserContext;
/** Shared by the tests that leave no draft, no clock and no route behind. A load costs more than axe does. */
let shared: Page;

/** A path on the shared page, without a load. */
async function pageAt(path: string, heading: string | RegExp): Promise<Page> {
  await shared.setViewportSize({ width: 1280, height: 720 });
  await moveTo(shared, path);
  return shownAt(shared, heading);
}

/** A path on a page of the test's own, which it closes. */
async function ownPageAt(path: string, heading: string | RegExp): Promise<Page> {
  const page = await world.page(nina);
  await page.goto(world.url + path);
  return shownAt(page, heading);
}

async function shownAt(page: Page, heading: string | RegExp): Promise<Page> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.getByLabel('Loading', { exact: true }).first().waitFor({ state: 'detached' });
  return page;
}

/** As a worker does it. */
async function workOutImpacts(): Promise<void> {
  const { owner } = world.api.db;
  const { rows } = await owner.query<{ id: ImpactReportId }>(
    'update impact_report set next_at = now() where next_at is not null returning id',
  );
  expect(rows).toHaveLength(1);
  for (const { id } of rows)
    await world.api.installation.impact.advanceImpact.execute(tenant.tenant.id, id, { over: false });
}

describeInChromium('the web UI of control and evidence', () => {
  beforeAll(async () => {
    fleet = await predictingToolServer();
    const allowedPrivateHosts = [`127.0.0.1:${String(fleet.port)}`];
    const people = [{ sub: 'nina', name: 'Nina', groups: ['admins'] }];
    world = await browserWorld(people, { allowedPrivateHosts });
    const empty = await world.tenant();
    tenant = await populatedTenant({ ...world.api, tenant: () => Promise.resolve(empty) }, fleet.port);
    nina = await world.context();
    shared = await world.page(nina);
    await world.signIn(shared, empty, 'Nina', '/');
  }, 240_000);
  afterAll(async () => {
    await world.close();
    await fleet.close();
  });
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });

  const pages: readonly (readonly [string, () => string, string | RegExp])[] = [
    ['overview', () => '/', 'Overview'],
    ['autonomy', () => '/autonomy', 'Autonomy'],
    ['tools', () => '/tools', 'Tools'],
    ['tool', () => '/tools/execute_rollout_prod', 'execute_rollout_prod'],
    ['audit', () => '/audit', 'Audit'],
    ['entry', () => `/audit/${tenant.ids.entry ?? ''}`, /^[A-Z][a-z]+ [a-z ]+$/],
    ['reports', () => '/audit/reports', 'Production changes'],
    ['verify', () => `/audit/verify?plan=${tenant.ids.plan ?? ''}`, 'Verify an evidence pack'],
    ['changes', () => '/changes', 'Changes'],
    ['halts', () => '/halts', 'Halts'],
    ['incidents', () => '/incidents', 'Incidents'],
    ['incident', () => `/incidents/${tenant.ids.incident ?? ''}`, /revision \d+$/],
    ['break-glass', () => '/break-glass', 'Break-glass'],
    ['factors', () => '/settings/factors', 'Settings'],
    ['browser-sessions', () => '/settings/browser-sessions', 'Settings'],
    ['tokens', () => '/settings/tokens', 'Settings'],
    ['people', () => '/settings/people', 'Settings'],
    ['absences', () => '/settings/absences', 'Settings'],
    ['agents', () => '/settings/agents', 'Settings'],
    ['environments', () => '/settings/environments', 'Settings'],
    ['secrets', () => '/settings/secrets', 'Settings'],
    ['slack', () => '/settings/slack', 'Settings'],
    ['notifications', () => '/settings/notifications', 'Settings'],
    ['incident settings', () => '/settings/incidents', 'Settings'],
    ['sign-in', () => '/settings/sign-in', 'Settings'],
  ];

  it.each(pages)(
    '%s: nothing for axe to find, in light and dark, and on a phone',
    async (_name, path, heading) => {
      expect(await violationsAnywhere(await pageAt(path(), heading))).toEqual([]);
    },
    60_000,
  );

  it('shows production first in the matrix on a phone, and says that there is more', async () => {
    const page = await pageAt('/autonomy', 'Autonomy');
    await page.setViewportSize({ width: 390, height: 844 });
    const columns = page.getByRole('group', { name: 'Effective autonomy' }).getByRole('columnheader');
    await columns.nth(1).waitFor();
    expect(await columns.nth(1).textContent()).toBe('production');
    const box = await columns.nth(1).boundingBox();
    expect((box?.x ?? 390) + 60).toBeLessThan(390);
    await page.getByText('Scroll the table sideways to see every environment.').waitFor();
  }, 60_000);

  it('shows errors of the autonomy document as one types, and marks the cells that a draft loosens', async () => {
    const page = await pageAt('/autonomy', 'Autonomy');
    const editor = page.getByRole('textbox', { name: 'Autonomy document, YAML' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  wrong_key: 1\n');
    await page.getByText(/\d to correct/).waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    // Each mistake is listed in words, and leads to its line.
    await page.keyboard.press('Control+Home');
    const mistakes = page.getByRole('list', { name: 'Errors and warnings' });
    await mistakes.getByText('wrong_key').first().waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await mistakes
      .getByRole('button', { name: /^Line \d+$/ })
      .last()
      .click();
    await page.locator('.cm-activeLine').getByText('wrong_key').waitFor();
    await page.keyboard.press('Control+a');
    const loose = readFileSync('test/browser/loose-autonomy.yaml', 'utf8');
    await paste(editor, loose);
    await page.getByText(/^loosens \d+$/).waitFor();
    await page.getByText('looser', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Work it out' }).click();
    await page.getByText('It is about to be worked out.').waitFor();
    await workOutImpacts();
    await page.getByText(/ \d+ decisions? of the last 30 days/).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // There is a second admin, so the change waits; its requester cannot confirm it.
    await page.getByRole('button', { name: 'Ask for confirmation' }).click();
    await sayWhy(page);
    await page.getByRole('link', { name: 'See the change, and who could confirm it' }).click();
    await page.getByRole('heading', { name: 'What it loosens' }).waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    const cells = page.getByRole('group', { name: 'Cells that change' });
    await cells
      .getByText(/^outcome: \w+ becomes allow/)
      .first()
      .waitFor();
    await workOutImpacts();
    await page.getByText(/ \d+ decisions? of the last 30 days/).waitFor();
    await page.getByRole('group', { name: 'Cells that a change loosens' }).getByText('in force').first().waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // Settings move while it waits: the report says so, and is made anew.
    await world.api.db.owner.query("update environment set version = version + 1 where name = 'staging'");
    await page.reload();
    await page.getByText(/^Settings or policies have moved since this was worked out/).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await workOutImpacts();
    await page.getByText(/^Settings or policies have moved/).waitFor({ state: 'detached' });
    await page.getByText(/ \d+ decisions? of the last 30 days/).waitFor();
    // The change is seen from the document, too, and no draft is left there.
    await pageAt('/autonomy', 'Autonomy');
    await page.getByText(/^A change to revision \d+ of the autonomy document waits for a second person\.$/).waitFor();
    await page.getByText('You asked for it.', { exact: false }).waitFor();
    expect(await page.getByText(/^loosens \d+$/).count()).toBe(0);
    await page.getByRole('link', { name: 'See the change' }).click();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Withdraw this change' }).click();
    await page.getByText('withdrawn', { exact: true }).waitFor();
  }, 60_000);

  it('has nothing to say to the console when it is first loaded', async () => {
    const browser = await world.context();
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'error') said.push(message.text());
    });
    await page.goto(`${world.url}/autonomy`);
    await page.waitForURL((url) => url.pathname === '/welcome');
    await page.goto(`${world.url}/welcome`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(said).toEqual([]);
    await browser.close();
  }, 60_000);

  it('has the issuer ask anew after it sent somebody who has no place here', async () => {
    const browser = await world.context();
    const page = await browser.newPage();
    await page.goto(`${world.url}/welcome?problem=sign_in.not_provisioned`);
    const link = page.getByRole('link', { name: /^Sign in with/ }).first();
    expect(await link.getAttribute('href')).toContain('prompt=login');
    await browser.close();
  }, 60_000);

  it('leaves typed text in its place, however fast one types', async () => {
    const page = await ownPageAt('/autonomy', 'Autonomy');
    await page.clock.install();
    await page.getByRole('textbox', { name: 'Autonomy document, YAML' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# as fast as keys can come, one after the other');
    for (const _ of ', one after the other') await page.keyboard.press('Backspace');
    // The keys rest, so the delayed check has run.
    await page.clock.runFor(3_000);
    expect(await page.locator('.cm-line').last().innerText()).toBe('# as fast as keys can come');
    await page.close();
  }, 60_000);

  it('keeps a draft over a reload, and asks before it is left', async () => {
    const page = await pageAt('/autonomy', 'Autonomy');
    const editor = page.getByRole('textbox', { name: 'Autonomy document, YAML' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# mine');
    await page.getByText('valid', { exact: true }).waitFor();
    await page.reload();
    await page.locator('.cm-line').getByText('# mine').waitFor();
    await page.getByRole('link', { name: 'Tools', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Leave with a draft?' });
    await dialog.waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.cm-line').getByText('# mine').waitFor();
    await page.getByRole('link', { name: 'Tools', exact: true }).first().click();
    await dialog.getByRole('button', { name: 'Drop the draft and leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
  }, 60_000);

  it('edits environments as YAML, with errors and changes as one types', async () => {
    const page = await pageAt('/configuration/environments', 'Environments');
    const editor = page.getByRole('textbox', { name: 'Environments, YAML' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('wrong_key: 1');
    await page.getByText(/^\d to correct$/).waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.keyboard.press('Control+a');
    await paste(editor, 'environments:\n  qa: { production: false }\n');
    await page.getByText('create qa: not production', { exact: true }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText('It is in force.', { exact: true }).waitFor();
    const overview = await pageAt('/', 'Overview');
    await overview.getByRole('heading', { name: /^Set up: \d+ of \d+ done$/ }).waitFor();
    expect(await violationsOn(overview)).toEqual([]);
  }, 60_000);

  it('completes the keys of the autonomy document from its schema', async () => {
    const page = await ownPageAt('/autonomy', 'Autonomy');
    const editor = page.getByRole('textbox', { name: 'Autonomy document, YAML' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await paste(editor, 'emergency_override:\n  req');
    await page.keyboard.type('u');
    await page.getByRole('option', { name: 'requires_justification' }).waitFor();
    await page.close();
  }, 60_000);

  it('verifies the evidence of a plan in the browser, and refuses it with one byte changed', async () => {
    const page = await pageAt(`/audit/verify?plan=${tenant.ids.plan ?? ''}`, 'Verify an evidence pack');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/^Verified: \d+ entries/).waitFor();
    const { text } = expectStatus(await tenant.everything.post(`/v1/plans/${tenant.ids.plan ?? ''}/evidence`, {}), 200);
    const changed = text.replace('"verdict":"approve"', '"verdict":"approvf"');
    expect(changed).not.toBe(text);
    await page
      .getByLabel('Pack', { exact: true })
      .setInputFiles({ name: 'pack.json', mimeType: 'application/json', buffer: Buffer.from(changed) });
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The pack does not verify.').waitFor();
  }, 120_000);

  it('hands out a report as CSV, through a plain link', async () => {
    const page = await pageAt('/audit/reports', 'Production changes');
    await page.getByText('2 runs', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(tenant.ids.run);
  }, 60_000);

  it('says of a checkpoint that is kept beside the data alone that it is not outside', async () => {
    const log = world.api.installation.audit.log;
    const beside = { elsewhere: false, publish: () => Promise.resolve({ outcome: 'published' } as const) };
    await log.sequence.execute(tenant.tenant.id);
    await log.publishTo(beside).execute(tenant.tenant.id);
    const page = await pageAt('/audit', 'Audit');
    await page.getByText('kept on this server alone').waitFor();
  }, 60_000);

  it('searches the audit log by tool, and keeps the search in the address', async () => {
    const page = await pageAt('/audit', 'Audit');
    // The list is virtual: of many entries only those in sight are on the page.
    await page.getByLabel('Action', { exact: true }).selectOption('Tool created');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Tool', { exact: true }).fill('execute_rollout_prod');
    await page.keyboard.press('Enter');
    await page.waitForURL(
      ({ searchParams }) =>
        searchParams.get('action') === 'tool.created' && searchParams.get('tool') === 'execute_rollout_prod',
    );
    // The list may still be that of the action alone.
    const rows = page.getByRole('list', { name: 'Audit' }).getByText('Tool created');
    await rows.first().waitFor();
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const [names, ...records] = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect([names?.slice(0, 12), records.length]).toEqual(['occurred_at,', 1]);
    await page.getByRole('button', { name: 'Take away Tool: execute_rollout_prod' }).click();
    await rows.nth(1).waitFor();
    expect(new URL(page.url()).search).toBe('?action=tool.created');
  }, 60_000);

  it('searches the tools as fast as one types, and keeps it in the address', async () => {
    const page = await pageAt('/tools', 'Tools');
    await page.getByLabel('Search').pressSequentially('execute_rollout_prod');
    expect(await page.getByLabel('Search').inputValue()).toBe('execute_rollout_prod');
    await page.waitForURL((url) => url.search === '?search=execute_rollout_prod');
  }, 60_000);

  it('folds the filters of a list on a phone, and counts those in use', async () => {
    const page = await pageAt('/audit', 'Audit');
    await page.setViewportSize({ width: 390, height: 844 });
    const filters = page.getByRole('button', { name: /^Filters/ });
    expect(await page.getByLabel('Action', { exact: true }).isVisible()).toBe(false);
    await filters.click();
    await page.getByLabel('Action', { exact: true }).selectOption('Tool created');
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Level').selectOption('full');
    await page.getByRole('button', { name: /^Filters\s*2\s*in use$/ }).waitFor();
    expect(await violationsOnPhone(page)).toEqual([]);
    await filters.click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForURL((url) => url.search === '');
  }, 60_000);

  it('asks before it revokes a token, in front of a page that stays where it is', async () => {
    expectStatus(await tenant.everything.post('/v1/tokens', { name: 'pipeline', scopes: ['read'] }), 201);
    const page = await pageAt('/settings/tokens', 'Settings');
    expect(await page.title()).toBe('Tokens · Settings · Countersign');
    const root = () =>
      page.evaluate<readonly [overflow: string, background: string]>(
        '(({ overflowY, backgroundColor }) => [overflowY, backgroundColor])(getComputedStyle(document.documentElement))',
      );
    const [, background] = await root();
    await page.getByRole('button', { name: 'Revoke pipeline' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke pipeline?' });
    await dialog.getByText(/^It is a token of /).waitFor();
    await dialog.getByText('Programs that use this token are refused at once').waitFor();
    // The room of the scrollbar is darkened with the page.
    const [held, dimmed] = await root();
    expect([held, dimmed === background]).toEqual(['hidden', false]);
    expect(await violationsOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await root()).toEqual(['visible', background]);
    await page.getByRole('button', { name: 'Revoke pipeline' }).click();
    await dialog.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByRole('button', { name: 'Revoke pipeline' }).waitFor({ state: 'detached' });
  }, 60_000);

  it('prints the evidence alone, dark on white', async () => {
    const page = await pageAt(`/audit/${tenant.ids.entry ?? ''}`, /^[A-Z][a-z]+ [a-z ]+$/);
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect(await menu.isVisible()).toBe(true);
    try {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await menu.isVisible()).toBe(false);
      expect(await page.getByRole('button').count()).toBe(0);
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(20, 25, 34)');
    } finally {
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    }
  }, 60_000);

  it('enrols an authenticator app, shows the recovery codes once, and replaces it', async () => {
    const page = await ownPageAt('/settings/factors', 'Settings');
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await page.getByLabel('The code that the app shows now').fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // At the second Escape in a row, a browser closes a dialog without a question.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByLabel('I have saved them').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('10 left.').waitFor();

    // The step of the code before is used up; a person would wait for the next.
    await world.api.db.owner.query("update factor set last_step = null where kind = 'totp'");
    await page.getByRole('button', { name: 'Replace your authenticator app' }).click();
    await page.getByLabel('Code from your authenticator app').fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The app that you have now stops working once you confirm.').waitFor();
    const next = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    // The stream of events is lost and comes back, after which everything that was read is read anew.
    await page.context().setOffline(true);
    world.api.app.getHttpServer().closeAllConnections();
    await page.getByText('Not live; connecting again').waitFor();
    const read = page.waitForResponse((answer) => answer.url().endsWith('/v1/factors'));
    await page.context().setOffline(false);
    await read;
    expect(await page.getByRole('dialog').locator('code').textContent()).toBe(next);
    await page.getByLabel('The code that the app shows now').fill(generateSync({ secret: next }));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Done. It counts from now on.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('10 left.').waitFor();
    world.problems.length = 0; // requests without a network were reported by the browser
    await page.close();
  }, 60_000);

  it('keeps an open page with its typed text while the API does not answer', async () => {
    const { request = '' } = tenant.ids;
    const page = await ownPageAt(`/requests/${request}`, /revision \d+$/);
    await page.getByLabel('Your comment').fill('half a thought');
    await page.clock.install();
    await page.route('**/v1/approval-requests/**', (route) => route.abort());
    const failed: string[] = [];
    page.on('requestfailed', (one) => failed.push(new URL(one.url()).pathname));
    await world.api.db.owner.query("select pg_notify('countersign_change', $1)", [
      `${tenant.tenant.id}:approval_request:${request}:open`,
    ]);
    // An attempt and two more.
    await until(async () => {
      await page.clock.runFor(1_000);
      return failed.filter((path) => path === `/v1/approval-requests/${request}`).length > 2;
    });
    expect(await page.getByLabel('Your comment').inputValue()).toBe('half a thought');
    expect(await violationsOn(page)).toEqual([]);
    world.problems.length = 0; // the browser reports requests without an answer
    await page.close({ runBeforeUnload: false });
  }, 60_000);

  it('says that the API does not answer, goes on once it does, and shows changes before its stream', async () => {
    const page = await world.page(nina);
    await page.clock.install();
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(`${world.url}/halts`);
    const again = page.getByRole('button', { name: 'Try again' });
    await until(async () => {
      await page.clock.runFor(1_000);
      return again.isVisible();
    });
    await page.getByText('Countersign could not be reached.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    let streams = 0;
    await page.route('**/v1/events', () => {
      streams += 1;
    });
    await page.unroute('**/v1/**');
    await again.click();
    await page.getByRole('heading', { level: 1, name: 'Halts' }).waitFor();
    await settled(page);
    await until(() => streams > 0);
    // No stream tells of a change before it began.
    const halt = expectStatus(await tenant.everything.post('/v1/halts', { kind: 'tenant', reason: 'A drill.' }), 201);
    // The streams that were held go on, too.
    await page.unrouteAll();
    await page.getByText('Everything is halted').waitFor();
    const note = { note: 'It is over.' };
    expectStatus(await tenant.everything.post(`/v1/halts/${String(halt.body.id)}/lift`, note), 200);
    await page.getByText('Everything is halted').waitFor({ state: 'detached' });
    // A banner that cannot be read is not silent: it might tell of an incident.
    await page.route('**/v1/incidents?**', (route) => route.abort());
    await page.reload();
    const missing = page.getByText('A part of this page could not be read, and is missing.');
    await until(async () => {
      await page.clock.runFor(1_000);
      return missing.isVisible();
    });
    await page.unroute('**/v1/incidents?**');
    await page.getByRole('button', { name: 'Read it again' }).click();
    await missing.waitFor({ state: 'detached' });
    world.problems.length = 0; // the browser reports requests without an answer
    await page.close();
  }, 60_000);

  it('says that a page does not exist, for a mistyped address and for an unknown id', async () => {
    const page = await world.page(nina);
    const answer = await page.goto(`${world.url}/nonsense`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
    await page.goto(`${world.url}/settings/nothing`);
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    await page.goto(`${world.url}/runs/not-an-id`);
    await page.getByRole('heading', { name: 'No such run' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to Runs' }).click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    const api = await fetch(`${world.url}/v1/nonsense`, { headers: { accept: 'text/html' } });
    expect([api.status, ((await api.json()) as { code: string }).code]).toEqual([404, 'route.not_found']);
    const tool = await fetch(`${world.url}/nonsense`, { headers: { accept: 'application/json' } });
    expect([tool.status, ((await tool.json()) as { code: string }).code]).toEqual([404, 'route.not_found']);
    world.problems.length = 0; // the browser says of each 404 that it was one
    await page.close();
  }, 60_000);

  it('keeps the typed text when the browser session ends, until the person signed in again', async () => {
    const page = await ownPageAt('/settings/agents', 'Settings');
    await page.keyboard.press('H');
    const reason = page.getByLabel('Why');
    await reason.fill('looks odd');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Halt everything' }).click();
    await page.getByRole('heading', { name: 'You were signed out' }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.context().addCookies(cookies);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole('heading', { name: 'You were signed out' }).waitFor({ state: 'detached' });
    expect(await reason.inputValue()).toBe('looks odd');
    world.problems.length = 0; // the browser says of the refused call that it was
    await page.close();
  }, 60_000);

  it('shows a new token once, makes no second one by a second click, and has room for all of it', async () => {
    const page = await pageAt('/settings/tokens', 'Settings');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Name').fill('a script');
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByText('Your new token. It is not shown again.').waitFor();
    const made = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem').filter({ hasText: 'a script' });
    await made.waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    const makes = page.getByRole('button', { name: 'Make a token' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Make a token');
    await makes.click();
    expect(await made.count()).toBe(1);
    // On a phone, too, nothing of it lies beyond the edge.
    await page.setViewportSize({ width: 390, height: 844 });
    const { x, width } = (await made.getByRole('button', { name: 'Revoke a script' }).boundingBox()) ?? {
      x: 0,
      width: 0,
    };
    expect(width).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(390);
  }, 60_000);
});
