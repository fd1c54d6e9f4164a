import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { SimulationId } from '#lib/kernel';
import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import { browserWorld, describeInChromium, moveTo, settled, type BrowserWorld } from '../support/browser.js';
import { autonomyDocument, predictingToolServer } from '../support/equipped-tenant.js';
import { anotherTaskSpec, rolloutPlan, servers } from '../support/stages.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn, violationsOnPhone } from '../support/violations.js';

/** The layout shift of a page, unless the reader has just typed or clicked (web.dev, Cumulative Layout Shift). */
const COUNT_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;
const MAX_SHIFT = 0.05;

let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let world: BrowserWorld;
let tenant: TestTenant;
let agent: HttpAs;

async function asked(goal: string, count: number): Promise<{ readonly id: string; readonly digest: string }> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ goal })), 201).body.id as string;
  const document = rolloutPlan('web-2026-11', servers(count));
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, document), 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
  await world.api.installation.simulation.executeSimulation.execute(tenant.id, simulation);
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, { start: 'manual' }), 201).body;
  return { id: request.id as string, digest: request.subject.digest as string };
}

const shiftsOf = (page: Page): Promise<number> => page.evaluate<number>('window.shifts');

describeInChromium('the lists of waiting and decided requests', () => {
  beforeAll(async () => {
    fleet = await predictingToolServer();
    world = await browserWorld([{ sub: 'sam', name: 'Sam', groups: ['sre-leads'] }], {
      allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`],
    });
    const { api } = world;
    tenant = await world.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `http://127.0.0.1:${String(fleet.port)}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
    expectStatus(await admin.put('/v1/autonomy', autonomyDocument(true)), 200);
    agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
  }, 180_000);
  afterAll(async () => {
    await world.close();
    await fleet.close();
  });

  it('keeps the inbox still while it is live, and counts the waiting items in the tab', async () => {
    const context = await world.context({ viewport: { width: 1350, height: 940 } });
    await context.addInitScript(COUNT_SHIFTS);
    const sam = await context.newPage();
    try {
      const sent: string[] = [];
      sam.on('request', (request) => sent.push(request.url().slice(world.url.length)));
      await world.signIn(sam, tenant, 'Sam', '/inbox');
      await sam.getByText('Nothing waits for you').waitFor();
      await settled(sam);
      // The stream comes first, so that a quiet page reads everything once. Pages wait for it for a second, and read again if it
      // opens later. A pause of the machine must not count: one of three loads has to read once.
      const readings = (): readonly string[] => sent.filter((path) => path.startsWith('/v1/'));
      for (let load = 1; load < 3 && readings().length > new Set(readings()).size; load += 1) {
        sent.length = 0;
        await sam.reload();
        await sam.getByText('Nothing waits for you').waitFor();
        await settled(sam);
      }
      expect(readings().slice(0, 2)).toEqual(['/v1/events', '/v1/browser-sessions/current']);
      expect(readings()).toEqual([...new Set(readings())]);
      const lea = await world.api.person(tenant, 'SRELead');
      const olga = await world.api.person(tenant, 'SRELead');
      const first = await asked('Few servers', 25);
      await sam.getByRole('link', { name: /Few servers/ }).waitFor();
      await asked('Many servers', 47);
      await until(async () => (await sam.title()).startsWith('(2) Inbox'));
      // The request with more targets comes first, though the other waits longer.
      expect(await sam.getByRole('listitem').filter({ hasText: 'servers' }).first().innerText()).toContain(
        'Many servers',
      );
      for (const person of [lea, olga])
        expectStatus(
          await world.api
            .http(person.token)
            .post(`/v1/approval-requests/${first.id}/reviews`, { verdict: 'approve', subject_digest: first.digest }),
          201,
        );
      await until(async () => (await sam.title()).startsWith('(1) Inbox'));
      await sam.reload();
      await sam.getByRole('link', { name: /Many servers/ }).waitFor();
      await settled(sam);
      expect(await shiftsOf(sam)).toBeLessThanOrEqual(MAX_SHIFT);
      expect(await violationsOn(sam)).toEqual([]);
      const shifted: Record<string, number> = {};
      for (const path of ['/', '/requests?tab=all', `/requests/${first.id}`, '/tasks', '/plans', '/halts', '/tools']) {
        const before = await shiftsOf(sam);
        await moveTo(sam, path);
        await settled(sam);
        const shifts = (await shiftsOf(sam)) - before;
        if (shifts > MAX_SHIFT) shifted[path] = shifts;
      }
      expect(shifted).toEqual({});
      // At 200 % of a laptop's screen no bar stays over the page.
      await sam.setViewportSize({ width: 720, height: 450 });
      const fixed = await sam.evaluate<readonly string[]>(
        `[...document.querySelectorAll('header, nav')].filter((each) => each.checkVisibility() && ['fixed', 'sticky'].includes(getComputedStyle(each).position)).map((each) => each.tagName)`,
      );
      expect(fixed).toEqual([]);
    } finally {
      await context.close();
    }
  }, 120_000);

  it('lists requests by tab, searches and filters as one types, and keeps it all in the address', async () => {
    const sam = await world.pageOf(tenant, 'Sam', '/requests');
    await sam.getByRole('link', { name: /Many servers/ }).waitFor();
    await sam.getByRole('link', { name: 'Decided by me' }).click();
    await sam.getByText('You have reviewed no request yet', { exact: false }).waitFor();
    await sam.getByRole('link', { name: 'All', exact: true }).click();
    await sam.getByRole('link', { name: /Few servers.*approved/s }).waitFor();
    await sam.getByLabel('Search').fill('few');
    await sam.waitForURL(/search=few/);
    await until(async () => (await sam.getByRole('link', { name: /Many servers/ }).count()) === 0);
    await sam.getByRole('button', { name: 'More filters' }).click();
    await sam.getByLabel('Target').fill('web-01');
    await sam.waitForURL(/target=web-01/);
    await sam.reload();
    await sam.getByRole('link', { name: /Few servers/ }).waitFor();
    expect(await sam.getByLabel('Target').inputValue()).toBe('web-01');
    expect(await violationsOn(sam)).toEqual([]);
    expect(await violationsOnPhone(sam)).toEqual([]);
    await sam.getByLabel('Target').fill('nowhere-1');
    await sam.getByText('Nothing matches').waitFor();
  }, 120_000);

  it('goes to anything by a word or the end of an id, and halts', async () => {
    const { id } = await asked('Renew certificates', 30);
    const sam = await world.pageOf(tenant, 'Sam', '/tasks');
    await settled(sam);
    await sam.keyboard.press('Control+k');
    const box = sam.getByRole('combobox', { name: /A page, a name/ });
    await box.fill('certif');
    await sam.getByRole('option', { name: /request.*on 30 targets.*production/s }).waitFor();
    await box.fill(id.slice(-8));
    await sam.getByRole('option', { name: /^request/ }).waitFor();
    expect(await violationsOn(sam)).toEqual([]);
    await sam.keyboard.press('Enter');
    await sam.waitForURL(`**/requests/${id}`);
    await sam.keyboard.press('Control+k');
    await box.fill('halt');
    await sam.keyboard.press('Enter');
    await sam.getByRole('heading', { name: 'Halt' }).waitFor();
    await sam.keyboard.press('Escape');
    await sam.getByRole('dialog').waitFor({ state: 'detached' });
  }, 120_000);

  it('names people who came while the page stayed open, and shows the role that its reader got', async () => {
    const { api } = world;
    const sam = await world.pageOf(tenant, 'Sam', '/inbox');
    await sam.getByRole('link', { name: /Many servers/ }).waitFor();
    const { items } = expectStatus(await api.http(tenant.admin.token).get('/v1/people'), 200).body as {
      items: readonly { readonly id: string; readonly display_name: string }[];
    };
    const own = items.find((each) => each.display_name === 'Sam')?.id ?? '';
    expectStatus(await api.http(tenant.admin.token).post(`/v1/people/${own}/roles`, { role: 'ReleaseLead' }), 201);
    await sam.getByRole('complementary').getByText('ReleaseLead').waitFor();
    // Without the stream, the page asks for a person that its list lacks.
    await sam.route('**/v1/events', (route) => route.abort());
    await sam.reload();
    await sam.getByRole('link', { name: /Many servers/ }).waitFor();
    const late = await api.agent(tenant, await api.person(tenant));
    const { name } = expectStatus(await api.http(tenant.admin.token).get(`/v1/agents/${late.id}`), 200).body;
    expectStatus(await api.http(late.token).post('/v1/tasks', anotherTaskSpec({ goal: 'Come late' })), 201);
    await sam.getByRole('link', { name: 'Tasks', exact: true }).click();
    await sam.getByText(`${String(name)} (agent)`).waitFor();
    await sam.unrouteAll();
  }, 120_000);

  it('keeps the way to halt and to sign out in sight on low screens, in light and dark', async () => {
    const sam = await world.pageOf(tenant, 'Sam', '/requests');
    await settled(sam);
    const sidebar = sam.getByRole('complementary');
    for (const height of [800, 720]) {
      await sam.setViewportSize({ width: 1280, height });
      for (const name of ['Halt…', 'Sign out']) {
        const box = await sidebar.getByRole('button', { name }).boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      }
      await sidebar.getByRole('link', { name: 'Settings' }).click({ trial: true });
      expect(await violationsOn(sam, 'page and sidebar')).toEqual([]);
    }
    expect(await violationsAnywhere(sam, 'page and sidebar')).toEqual([]);
    // At 250 % of it there is no room for fixed parts.
    await sam.setViewportSize({ width: 1280, height: 320 });
    for (const name of ['Halt…', 'Sign out']) await sidebar.getByRole('button', { name }).click({ trial: true });
    await sidebar.getByRole('link', { name: 'Settings' }).click({ trial: true });
    await sam.setViewportSize({ width: 720, height: 450 });
    await sam.getByRole('button', { name: 'Halt', exact: true }).click({ trial: true });
    await sam.getByRole('button', { name: 'Menu' }).click();
    await sam.getByRole('button', { name: 'Sign out' }).click({ trial: true });
  }, 120_000);
});
