import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expectStatus, type HttpAs, type TestPerson, type TestTenant } from '../support/api.js';
import { browserWorld, type BrowserWorld, describeInChromium, moveTo, STOP_WITHIN_MS } from '../support/browser.js';
import { autonomyDocument } from '../support/equipped-tenant.js';
import { anotherTaskSpec, shortPlan } from '../support/stages.js';
import { toolServer, type CallHooks, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { violationsOnPhone } from '../support/violations.js';

const ignore = (): void => undefined;

let fleet: ToolServer;
let world: BrowserWorld;
let tenant: TestTenant;
let agent: HttpAs;
let leads: readonly TestPerson[];
let sam: Page;
/** The state of the world before a call in production takes effect. */
let beforeCall: CallHooks['before'] = () => true;
let plans = 0;

/** Has every call in production wait until it is let go. */
function holdCalls(): () => void {
  let letGo: () => void = ignore;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  beforeCall = async () => {
    await held;
    return true;
  };
  return letGo;
}

/** A new plan, approved by everybody it needs, over servers of its own. */
async function approved(goal: string, start: 'on_approval' | 'manual'): Promise<{ request: string; plan: string }> {
  plans += 1;
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ goal })), 201).body.id as string;
  const document = shortPlan('web-2026-11', [`web-${String(plans)}-1`, `web-${String(plans)}-2`]);
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, document), 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await until(async () => (await agent.get(`/v1/simulations/${simulation}`)).body.state === 'succeeded');
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, { start }), 201).body as {
    id: string;
    subject: { digest: string };
  };
  const review = { verdict: 'approve', subject_digest: request.subject.digest };
  for (const { token } of leads)
    expectStatus(await world.api.http(token).post(`/v1/approval-requests/${request.id}/reviews`, review), 201);
  return { request: request.id, plan };
}

/** The run that begins by itself once everybody has approved. */
async function startedRun(goal: string): Promise<string> {
  const { plan } = await approved(goal, 'on_approval');
  const runs = (await agent.get(`/v1/runs?plan_id=${plan}`)).body.items as { id: string }[];
  return runs[0]?.id ?? '';
}

const sent = (): number => fleet.ledger.filter(({ tool }) => tool === 'execute_rollout_prod').length;

/** Opens a control's dialog, says why, and asks for it. */
async function ask(control: string): Promise<void> {
  await sam.getByRole('button', { name: `${control}…`, exact: true }).click();
  const dialog = sam.getByRole('dialog');
  await dialog.getByLabel('Why').fill('It was looked at');
  expect(await violationsOnPhone(sam)).toEqual([]);
  await dialog.getByRole('button', { name: `${control} the run`, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

const isIn = (state: RegExp): Promise<void> => sam.getByRole('heading', { level: 1, name: state }).waitFor();

describeInChromium('a person’s control of a run', () => {
  beforeAll(async () => {
    fleet = await toolServer({
      before: (call) => (call.tool === 'execute_rollout_prod' ? beforeCall(call) : true),
      result: ({ tool }) =>
        tool === 'simulate_rollout'
          ? {
              affected_assets: 5,
              estimated_duration_minutes: 1,
              predicted_risk: 'medium',
              health_check_points: [],
              details: null,
            }
          : { metrics: { error_rate: 0 } },
    });
    const people = [{ sub: 'sam', name: 'Sam', groups: ['sre-leads'] }];
    world = await browserWorld(people, { allowedPrivateHosts: [new URL(fleet.url).host] });
    const { api } = world;
    await world.startWorker();
    tenant = await world.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
    const put = await admin.put('/v1/autonomy', autonomyDocument(true));
    if (put.status >= 300) throw new Error(put.text);
    leads = [await api.person(tenant, 'SRELead'), await api.person(tenant, 'SRELead')];
    agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
    sam = await world.page();
    await world.signIn(sam, tenant, 'Sam', '/runs');
  }, 180_000);
  afterEach(() => {
    beforeCall = () => true;
    expect(world.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await fleet.close();
  }, STOP_WITHIN_MS);

  it('pauses it before its next step, and resumes it to its end', async () => {
    const letGo = holdCalls();
    const before = sent();
    const run = await startedRun('Paused and resumed');
    await until(() => sent() > before);
    await moveTo(sam, `/runs/${run}`);
    await ask('Pause');
    letGo();
    await isIn(/^Paused/);
    expect(sent()).toBe(before + 1);
    await sam.getByText(/^Paused by Sam, just now/).waitFor();
    await sam.getByRole('status').getByText('It was looked at').waitFor();
    await sam.getByText(/^\d+ % \(1 of \d+ steps done\)$/).waitFor();
    await ask('Resume');
    await isIn(/^Completed/);
    // The worker of this test passes waits faster than the plan says, as the demonstration does. The page says so.
    await sam.getByText('Its waits were shortened to 0.1 % for a demonstration').waitFor();
    const times = await sam.getByLabel('Events of the run').locator('time').allTextContents();
    expect(times[0]).toMatch(/[0-9]{2}:[0-9]{2}:[0-9]{2}.* (UTC|GMT)/);
  }, 120_000);

  it('lets any person start an approved run, after a question', async () => {
    const before = sent();
    const { request } = await approved('Started by hand', 'manual');
    await moveTo(sam, `/requests/${request}`);
    await sam.getByText('Any person here may start it; your name is recorded.').waitFor();
    await sam.getByRole('button', { name: 'Start the run…' }).click();
    const dialog = sam.getByRole('dialog', { name: 'Start the run?' });
    expect(await violationsOnPhone(sam)).toEqual([]);
    expect(sent()).toBe(before);
    await dialog.getByRole('button', { name: 'Start in production' }).click();
    await sam.getByRole('link', { name: /^(Watch|See) the run$/ }).click();
    await isIn(/^Completed/);
    await sam.getByText('started by Sam').waitFor();
  }, 120_000);

  it('rolls it back', async () => {
    const letGo = holdCalls();
    const before = sent();
    const run = await startedRun('Rolled back');
    await until(() => sent() > before);
    await moveTo(sam, `/runs/${run}`);
    await ask('Roll back');
    letGo();
    await isIn(/^Rolled back/);
    await sam.getByText('undone', { exact: true }).first().waitFor();
    expect(await sam.getByText('compensated').count()).toBe(0);
    expect(await sam.getByText(/attempts/).count()).toBe(0);
    const images = fleet.ledger
      .filter(({ tool }) => tool === 'execute_rollout_prod')
      .slice(before)
      .map((call) => call.arguments.image);
    expect(images).toEqual(['web-2026-11', 'web-2026-10']);
  }, 120_000);

  it('records a person’s finding about an unknown effect, and goes on', async () => {
    const before = sent();
    // The connection breaks with the call on its way.
    beforeCall = () => Promise.reject(new Error('cut'));
    const run = await startedRun('Resolved by a person');
    await moveTo(sam, `/runs/${run}`);
    await isIn(/^Paused/);
    beforeCall = () => true;
    await sam.getByRole('button', { name: 'Say what happened…' }).first().click();
    const dialog = sam.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Record it' }).click();
    // The form takes no answer before the finding and its reason are given.
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel(/^It did not happen; do it again/).check();
    await dialog.getByLabel('How you know').fill('The servers run the image of before');
    expect(await violationsOnPhone(sam)).toEqual([]);
    await dialog.getByRole('button', { name: 'Record it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask('Resume');
    await isIn(/^Completed/);
    // The one that was cut off, once more.
    const [cut, again] = fleet.ledger.filter(({ tool }) => tool === 'execute_rollout_prod').slice(before);
    expect(again?.arguments).toEqual(cut?.arguments);
  }, 120_000);

  it('pauses by a halt of two clicks, from the page of the run', async () => {
    const letGo = holdCalls();
    const before = sent();
    const run = await startedRun('Halted on its way');
    await until(() => sent() > before);
    await moveTo(sam, `/runs/${run}`);
    await sam.getByRole('button', { name: 'Halt…' }).first().click();
    await sam.getByRole('dialog').getByText('1 run would pause now.').waitFor();
    await sam.getByRole('button', { name: 'Halt everything' }).click();
    // The calls that had left already are named.
    await sam.getByRole('dialog').getByRole('link', { name: 'execute_rollout_prod' }).waitFor();
    await sam.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    letGo();
    await isIn(/^Paused/);
    expect(sent()).toBe(before + 1);
    const resume = sam.getByRole('button', { name: 'Resume…' });
    await sam.getByText(/^A halt of everything is in force, set by Sam/).waitFor();
    expect(await resume.isDisabled()).toBe(true);
    await sam.getByRole('button', { name: 'Lift…' }).click();
    await sam.getByLabel('Why it is safe to go on').fill('It was a drill');
    await sam.getByRole('button', { name: 'Lift', exact: true }).click();
    await until(() => resume.isEnabled());
  }, 120_000);
});
