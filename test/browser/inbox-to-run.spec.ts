import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import {
  browserWorld,
  type BrowserWorld,
  describeInChromium,
  moveTo,
  settled,
  STOP_WITHIN_MS,
} from '../support/browser.js';
import { autonomyDocument } from '../support/equipped-tenant.js';
import { withApp } from '../support/page-factors.js';
import { anotherTaskSpec, rolloutPlan, servers, shortPlan } from '../support/stages.js';
import { keepPrecedent } from '../support/precedent-rows.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';
import { readFileSync } from 'node:fs';

/** A tool that executes command lines, and the tool that predicts them. */
const SHELL = `
  run_on_bastion:
    description: Executes a command line on the bastion
    risk: state_change_nonprod
    idempotent: false
    scope: asset
    effect: modify
    surface: terminal
    simulated_by: simulate_rollout
    executor: fleet
    shell: { argument: /command, shell: bash }
    parameters:
      type: object
      additionalProperties: false
      required: [command]
      properties: { command: { type: string, maxLength: 16000 } }
`;

let fleet: ToolServer;
let world: BrowserWorld;
let tenant: TestTenant;
let agent: HttpAs;
let errorRate = 0;

const WIDE = rolloutPlan('web-2026-11', servers(25));
const SHORT = shortPlan('web-2026-11', ['web-01', 'web-02']);

/** A plan of an agent's that people can be asked about. */
async function planned(summary: string, changes = SHORT): Promise<{ readonly plan: string; readonly task: string }> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ goal: summary })), 201).body.id as string;
  const document = { ...changes, summary };
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, document), 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await until(async () => (await agent.get(`/v1/simulations/${simulation}`)).body.state === 'succeeded');
  return { plan, task };
}

/** A request of an agent, ready to be decided. */
async function asked(
  summary: string,
  changes = SHORT,
): Promise<{ readonly id: string; readonly plan: string; readonly task: string }> {
  const { plan, task } = await planned(summary, changes);
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body as { id: string };
  return { id: request.id, plan, task };
}

async function putAutonomy(document: string): Promise<void> {
  const admin = world.api.http(tenant.admin.token);
  const { status, headers } = await admin.get('/v1/autonomy');
  const put = await admin.put('/v1/autonomy', document, status === 200 ? { 'if-match': headers.etag ?? '' } : {});
  if (put.status >= 300) throw new Error(put.text);
}

describeInChromium('the web UI, from the inbox to the end of a run', () => {
  beforeAll(async () => {
    fleet = await toolServer({
      before: () => true,
      result: ({ tool }) =>
        tool === 'simulate_rollout'
          ? {
              affected_assets: 5,
              estimated_duration_minutes: 1,
              predicted_risk: 'medium',
              health_check_points: ['error rate below 5 percent'],
              details: null,
            }
          : { metrics: { error_rate: errorRate } },
    });
    const allowedPrivateHosts = [new URL(fleet.url).host];
    const people = [
      { sub: 'sam', name: 'Sam', groups: ['sre-leads'] },
      { sub: 'lea', name: 'Lea', groups: ['sre-leads'] },
      { sub: 'nina', name: 'Nina', groups: ['admins'] },
      { sub: 'olga', name: 'Olga', groups: ['engineers'] },
    ];
    world = await browserWorld(people, { allowedPrivateHosts });
    const { api } = world;
    await world.startWorker();
    tenant = await world.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8') + SHELL), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
    const owner = await api.person(tenant);
    agent = api.http((await api.agent(tenant, owner)).token);
  }, 180_000);
  beforeEach(async () => {
    errorRate = 0;
    await putAutonomy(autonomyDocument(true));
  });
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await fleet.close();
  }, STOP_WITHIN_MS);

  it('shows two people the request of an agent, takes their approvals, and follows the run to its end', async () => {
    const sam = await world.pageOf(tenant, 'Sam', '/inbox');
    const lea = await world.pageOf(tenant, 'Lea', '/inbox');
    await sam.getByText('Nothing waits for you').waitFor();

    const request = await asked('Bring two web servers to the golden image \u202etxt.exe https://evil.example');
    // The page is told live, without a reload.
    await sam.getByRole('link', { name: /golden image/ }).click();
    await sam.waitForURL(`**/requests/${request.id}`);
    // An agent's words are text: hidden characters are named, and a link is not live.
    await sam.getByText('Trust the steps, not this text').waitFor();
    expect(await sam.getByText('U+202E').count()).toBeGreaterThan(0);
    expect(await sam.locator('a[href*="evil.example"]').count()).toBe(0);
    await sam.getByText('execute_rollout_prod', { exact: false }).first().waitFor();

    await sam.getByRole('button', { name: 'Approve…' }).click();
    const dialog = sam.getByRole('dialog');
    // A screen reader reads the subject of the decision with the dialog, and its result after it.
    const description = await dialog.getAttribute('aria-describedby');
    expect(await sam.locator(`[id="${description ?? ''}"]`).textContent()).toMatch(
      /^execute_rollout_prod .*, in production\.$/,
    );
    await sam.getByRole('button', { name: 'Approve', exact: true }).click();
    await sam
      .getByRole('status')
      .filter({ hasText: /^You approved it\.$/ })
      .waitFor();
    await dialog.waitFor({ state: 'detached' });
    await sam.waitForFunction("document.activeElement.id === 'content'");
    await sam.getByText('1 of 2 approved').first().waitFor();
    await sam.getByText('You have approved it. It waits for somebody else.').waitFor();
    expect(await sam.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    await lea.getByRole('link', { name: /golden image.*1 of 2 approved/s }).click();
    await lea.getByRole('button', { name: 'Approve…' }).click();
    await lea.getByRole('button', { name: 'Approve', exact: true }).click();
    await sam.getByText('2 of 2 approved').first().waitFor();

    await moveTo(sam, `/plans/${request.plan}`);
    await sam.getByRole('link', { name: 'Approval request' }).click();
    await sam.getByRole('link', { name: 'See the run' }).click();
    await sam.getByRole('heading', { name: /^Completed/ }).waitFor({ timeout: 60_000 });
    await sam.getByRole('table', { name: /web\.error_rate/ }).waitFor({ state: 'attached' });
  }, 180_000);

  it('shows precedents beside a request, one bad outcome above the good ones', async () => {
    const rollout = {
      ...{ tools: ['execute_rollout_prod'], environment: 'production', arguments: ['image'] },
      targets: servers(25),
    };
    await world.api.db.uow.run(tenant.id, async (tx) => {
      await keepPrecedent(tx, { ...rollout, goal: 'Harden the fleet for October', endedAs: 'rolled_back' });
      for (const month of ['November', 'December'])
        await keepPrecedent(tx, { ...rollout, goal: `Harden the fleet for ${month}` });
    });
    const { id } = await asked('Harden the fleet for January', WIDE);
    const page = await world.pageOf(tenant, 'Sam', `/requests/${id}`);
    const hits = page.getByRole('list', { name: 'Precedents' }).getByRole('listitem');
    await hits.first().waitFor();
    const [first = '', ...others] = await hits.allInnerTexts();
    expect(first).toMatch(/^rolled back\n[^]*“Harden the fleet for October”[^]*Equal: /);
    // The card shows three. Which of the two equal ones stands there is open, beside a run of the tests before.
    expect(others.join()).toMatch(/“Harden the fleet for (?:November|December)”/);
    expect(others.join()).not.toContain('rolled back');
    await page.getByText('Found by words and structure. This is history: nothing is approved by it.').waitFor();
    expect(await violationsOn(page)).toEqual([]);
  }, 90_000);

  it('shows the command line of a step, with the tier of each part and the reason for it', async () => {
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ goal: 'Restart web' })), 201).body
      .id as string;
    const command = "kubectl get pods -n web | tee pods.txt && kubectl delete pod web-1 --grace-period='30'";
    const undo = { tool: 'run_on_bastion', arguments: { command: 'kubectl rollout restart deployment/web' } };
    const steps = [{ id: 'restart', tool: 'run_on_bastion', arguments: { command }, compensate_with: undo }];
    const plan = expectStatus(
      await agent.post(`/v1/tasks/${task}/plans`, { phases: [{ name: 'restart', targets: [], steps }] }),
      201,
    ).body.id as string;
    const page = await world.pageOf(tenant, 'Sam', `/plans/${plan}`);
    const line = page.getByRole('group', { name: 'Command line' }).first();
    expect(await line.locator('pre').textContent()).toBe(command);
    await line.getByText('Tier 2, destructive').first().waitFor();
    const parts = line.getByRole('list', { name: 'Parts of the command line' }).getByRole('listitem');
    expect(await parts.count()).toBe(3);
    expect(await parts.first().textContent()).toContain('Tier 1, only reads');
    expect(await violationsAnywhere(page)).toEqual([]);
  }, 60_000);

  it('asks for approval with a start time, takes the request back, and offers that to no other person', async () => {
    const { plan } = await planned('For later');
    const page = await world.pageOf(tenant, 'Nina', `/plans/${plan}`);
    await page.getByLabel('It starts', { exact: true }).selectOption('at a time');
    await page.getByLabel('Time', { exact: true }).fill('2026-01-01T06:00');
    await page.getByRole('button', { name: 'Ask for approval' }).click();
    await page.getByRole('alert').getByText('The time to start is over already.').waitFor();
    const later = await page.evaluate(
      'new Date(Date.now() + 20 * 60_000 - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)',
    );
    await page.getByLabel('Time', { exact: true }).fill(later as string);
    expect(await violationsOn(page)).toEqual([]);
    // The stream tells the page of the request before the answer is there, and takes the form away.
    await page.route('**/approval-requests', async (route) => {
      const response = await route.fetch();
      await page.getByRole('link', { name: 'Approval request' }).waitFor();
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Ask for approval' }).click();
    await page.waitForURL(/\/requests\//);
    await page.unroute('**/approval-requests');
    await page.getByText(/^Written by agent-\d+ \(agent\)/).waitFor();
    await page.getByText(/^Starts at .* or once everybody has approved, if that is later\.$/).waitFor();
    // The rule is in words; its code is there for those who look for it.
    const rule = page.getByText('approval.required · countersign.approvals');
    expect(await rule.isVisible()).toBe(false);
    await page.getByText('Details', { exact: true }).click();
    await rule.waitFor();

    const theirs = await world.pageOf(tenant, 'Sam', new URL(page.url()).pathname);
    await theirs.getByText('0 of 2 approved').first().waitFor();
    expect(await theirs.getByRole('button', { name: 'Withdraw…' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Withdraw…' }).click();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Withdraw it' }).click();
    await page.getByText('no longer valid', { exact: true }).first().waitFor();
    await moveTo(theirs, `/plans/${plan}`);
    await theirs.getByRole('link', { name: 'Approval request' }).waitFor();
    expect(await theirs.getByRole('button', { name: 'Ask for approval' }).count()).toBe(0);
    await moveTo(page, `/plans/${plan}`);
    await page.getByRole('button', { name: 'Ask for approval' }).waitFor();
  }, 120_000);

  it('explains the missing role of a page, and names the person that a reviewer stood in for', async () => {
    const page = await world.pageOf(tenant, 'Lea', '/settings/sign-in');
    await page.getByText('Only a PlatformAdmin sees “Sign-in”').waitFor();
    await moveTo(page, '/audit/01a20000-0000-7000-8000-000000000001');
    await page.getByText('Your roles do not open the audit log').waitFor();
    await moveTo(page, '/autonomy');
    await settled(page);
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 800, height: 300 });
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize({ width, height });

    const away = await world.api.person(tenant, 'SRELead');
    const deputy = await world.api.person(tenant, 'DevOpsEngineer');
    const absence = { delegate_id: deputy.id, until: new Date(Date.now() + 3_600_000).toISOString() };
    expectStatus(await world.api.http(away.token).post('/v1/absences', absence), 201);
    const request = await asked('While somebody is away');
    const reviews = `/v1/approval-requests/${request.id}`;
    const { subject } = (await world.api.http(deputy.token).get(reviews)).body as { subject: { digest: string } };
    const given = { verdict: 'approve', subject_digest: subject.digest };
    expectStatus(await world.api.http(deputy.token).post(`${reviews}/reviews`, given), 201);
    await moveTo(page, `/requests/${request.id}`);
    await page.getByText(/standing in for/).waitFor();
  }, 120_000);

  it('asks for a second factor if policy does, and explains a wrong code of an app', async () => {
    await putAutonomy(`${autonomyDocument(true)}      require_mfa: true\n`);
    const sam = await world.pageOf(tenant, 'Sam', '/inbox');
    const code = await withApp(world, sam);

    const request = await asked('Needs a second factor of everybody');
    // The link of the request, with the review at once; whole-journey.spec.ts loads it from Slack.
    await moveTo(sam, `/requests/${request.id}?review=approve`);
    await sam.getByLabel('Comment', { exact: true }).fill('Read to its end');
    await sam.getByRole('button', { name: 'Continue to the second factor' }).click();
    await sam.getByRole('button', { name: 'Back to your comment' }).click();
    expect(await sam.getByLabel('Comment', { exact: true }).and(sam.locator(':focus')).inputValue()).toBe(
      'Read to its end',
    );
    await sam.getByRole('button', { name: 'Continue to the second factor' }).click();
    await sam.getByLabel('Code from your authenticator app').fill('000000');
    await sam.getByRole('button', { name: 'Confirm' }).click();
    const refusal = sam.getByRole('alert');
    await refusal.getByText('Wait for the next code of your authenticator app, and enter that.').waitFor();
    expect(await refusal.getByText('mfa.code_wrong').isVisible()).toBe(false);
    await refusal.getByText('Details').click();
    await refusal.getByText('mfa.code_wrong').waitFor();
    await sam.getByLabel('Code from your authenticator app').fill(await code());
    await sam.getByRole('button', { name: 'Confirm' }).click();
    await sam.getByText('1 of 2 approved').first().waitFor();
    const { reviews } = (await agent.get(`/v1/approval-requests/${request.id}`)).body as { reviews: unknown[] };
    expect(reviews).toHaveLength(1);
  }, 120_000);

  it('halts in two clicks from anywhere, says so on every page, and lifts it with a note', async () => {
    const page = await world.pageOf(tenant, 'Nina', '/runs');
    await page.getByRole('button', { name: 'Halt…' }).first().click();
    await page.getByRole('button', { name: 'Halt everything' }).click();
    await page.getByText('Nothing more is dispatched').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('Everything is halted').waitFor();
    const olga = await world.pageOf(tenant, 'Olga', '/settings/tokens');
    await olga.getByText('Only a PlatformAdmin or SRELead lifts a halt.').waitFor();
    expect(await olga.getByRole('button', { name: 'Lift…' }).isDisabled()).toBe(true);
    expect(await olga.getByLabel(/^admin/).isDisabled()).toBe(true);
    await moveTo(olga, '/settings/environments');
    await olga.getByText(/^Only a PlatformAdmin changes this\./).waitFor();
    await page.getByRole('button', { name: 'Lift…' }).click();
    await page.getByLabel('Why it is safe to go on').fill('It was a drill');
    await page.getByRole('button', { name: 'Lift', exact: true }).click();
    await page.getByText('Everything is halted').waitFor({ state: 'detached' });
    await moveTo(page, '/halts');
    await page.getByText('Nothing is halted').waitFor();
    const past = page.getByRole('listitem').filter({ hasText: 'Set by Nina' });
    await past.getByText(/^Lifted by Nina after \d+ s/).waitFor();
    await past.getByText('It was a drill').waitFor();
  }, 60_000);

  it('keeps a list of hundreds of rows as light as one of twenty, and reads it as it is scrolled', async () => {
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
    await world.api.db.owner.query(
      `insert into task (tenant_id, id, environment_id, state, spec, spec_digest, agent_id, credential_id, created_at, updated_at)
       select tenant_id, gen_random_uuid(), environment_id, 'created', spec, spec_digest, agent_id, credential_id,
              created_at - n * interval '1 second', created_at
         from task, generate_series(1, 600) n where id = $1`,
      [task.id],
    );
    const page = await world.pageOf(tenant, 'Sam', '/tasks');
    const list = page.getByRole('list', { name: 'Tasks' });
    await list.getByRole('link').first().waitFor();
    for (const shown of [200, 300, 400, 500]) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.getByText(`${String(shown)} shown`).waitFor();
      expect(await list.getByRole('listitem').count()).toBeLessThan(60);
    }
    // A link leads to the top of its page, with the focus in it. The way back leads to the row that one left.
    const row = list.getByRole('link').nth(12);
    await row.scrollIntoViewIfNeeded();
    const left = await page.evaluate<number>('scrollY');
    await row.click();
    await page.waitForURL(/\/tasks\/[0-9a-f-]{36}$/);
    await settled(page);
    expect(await page.evaluate('[scrollY, document.activeElement?.id]')).toEqual([0, 'content']);
    await page.goBack();
    await page.waitForURL('**/tasks');
    await until(async () => (await page.evaluate<number>('scrollY')) === left);
    expect(left).toBeGreaterThan(10_000);
    // A page that is loaded begins at its top, wherever the one before it was.
    await page.goto(`${world.url}/tasks`);
    await settled(page);
    await page.evaluate('scrollTo(0, 600)');
    await page.goto(`${world.url}/tools`);
    await settled(page);
    expect(await page.evaluate('scrollY')).toBe(0);
  }, 60_000);

  it('is walked with the keyboard alone', async () => {
    const request = await asked('Opened without a mouse');
    const page = await world.pageOf(tenant, 'Sam', '/tasks');
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL('**/inbox');
    await page.getByRole('link', { name: /Opened without a mouse/ }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next row of a list').waitFor();
    // No dialog opens over a dialog: typed text would be lost.
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('combobox').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type(request.id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/requests/${request.id}`);
    // Every dialog puts the keyboard in its first field: the comment of a review, the reason of a halt.
    await page.getByRole('button', { name: 'Approve…' }).press('Enter');
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.type('Looked at without a mouse');
    // One key drops no typed text: it takes the same key again.
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('your text is lost').waitFor();
    expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Looked at without a mouse');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('H');
    await page.getByRole('button', { name: 'Halt everything' }).waitFor();
    // One key too many halts nothing.
    await page.keyboard.type('looks odd');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('textbox', { name: 'Why' }).inputValue()).toBe('looks odd');
    // Those of before have been lifted.
    const halts = (await agent.get('/v1/halts')).body.items as { active: boolean }[];
    expect(halts.filter(({ active }) => active)).toEqual([]);
    await page.keyboard.press('Escape');
  }, 60_000);

  it('leaves axe nothing to find on any page', async () => {
    // First: a role gained after a request was opened does not count for it.
    const page = await world.pageOf(tenant, 'Sam', '/inbox');
    const request = await asked('Looked at by axe', WIDE);
    const runs = (await agent.get('/v1/runs')).body.items as { id: string }[];
    const paths = [
      '/inbox',
      `/requests/${request.id}`,
      '/tasks',
      `/tasks/${request.task}`,
      '/plans',
      `/plans/${request.plan}`,
      '/runs',
      ...(runs[0] === undefined ? [] : [`/runs/${runs[0].id}`]),
    ];
    const found: string[] = [];
    for (const path of paths) {
      await moveTo(page, path);
      await settled(page);
      for (const violation of await violationsAnywhere(page)) found.push(`${path} ${violation}`);
    }
    await page.evaluate("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))");
    await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
    found.push(...(await violationsAnywhere(page)).map((violation) => `/nowhere ${violation}`));
    await moveTo(page, `/requests/${request.id}`);
    for (const button of ['Approve…', 'Halt…']) {
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await violationsAnywhere(page)).map((violation) => `dialog ${button} ${violation}`));
      await page.keyboard.press('Escape');
    }
    const stranger = await world.page();
    await stranger.goto(`${world.url}/inbox`);
    await stranger.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    found.push(...(await violationsAnywhere(stranger)).map((violation) => `/welcome ${violation}`));
    expect(found).toEqual([]);
  }, 180_000);

  it('shows on the overview how often each person overrides, and values beside the charts', async () => {
    const page = await world.pageOf(tenant, 'Lea', '/');
    const rates = page.getByRole('group', { name: 'How often people override, by person' });
    await rates.getByRole('rowheader', { name: 'Sam' }).waitFor();
    expect(await rates.getByRole('columnheader').allTextContents()).toEqual([
      'Person',
      'Decided',
      'Overridden',
      'Rejected',
      'Median time',
    ]);
    await page
      .getByRole('group', { name: 'How often people override, by tool' })
      .getByRole('rowheader', { name: 'execute_rollout_prod' })
      .waitFor();
    await page.locator('figure').getByText('0', { exact: true }).first().waitFor();
  }, 60_000);

  it('loads nothing but its own files, under a policy without inline script, and keeps them', async () => {
    const page = await fetch(`${world.url}/inbox`, { headers: { 'accept-encoding': 'br' } });
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';.*script-src 'self'/);
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe|\*/);
    expect(page.headers.get('content-encoding')).toBe('br');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(world.url + script);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const again = await fetch(`${world.url}/inbox`, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([
      304,
      page.headers.get('content-security-policy'),
    ]);
    for (const unknown of ['/nowhere', '/assets/nothing.js', '/assets/..%2findex.html', '/v1/nowhere']) {
      const answer = await fetch(world.url + unknown);
      expect([unknown, answer.status, answer.headers.get('content-type')]).toEqual([
        unknown,
        404,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });
});
