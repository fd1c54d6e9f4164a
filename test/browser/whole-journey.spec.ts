import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { type Answer, expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import { browserWorld, type BrowserWorld, describeInChromium, moveTo, STOP_WITHIN_MS } from '../support/browser.js';
import { autonomyDocument } from '../support/equipped-tenant.js';
import { CHANNELS, localSlack, type LocalMessage, type LocalSlack } from '../support/local-slack.js';
import { codeIn, installSlack, textOf } from '../support/slack-world.js';
import { withApp, withPasskey } from '../support/page-factors.js';
import { anotherTaskSpec, shortPlan } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';

const ignore = (): void => undefined;
const PATIENCE_MS = 60_000;

const EMERGENCY = `emergency_override:
  enabled: true
  allowed_roles: [SRELead]
  notifies: [security-team]
`;
const TWO_LEADS = `${autonomyDocument(true)}${EMERGENCY}`;
const TWO_LEADS_WITH_A_FACTOR = `${autonomyDocument(true)}      require_mfa: true
${EMERGENCY}`;

const people = [
  ...['Sam', 'Lea'].map((name) => ({ sub: name.toLowerCase(), name, groups: ['sre-leads'] })),
  ...['Nina', 'Noor'].map((name) => ({ sub: name.toLowerCase(), name, groups: ['admins'] })),
];

let fleet: ToolServer;
let slack: LocalSlack;
let world: BrowserWorld;
let tenant: TestTenant;
let agent: HttpAs;
/** The promise that a change in production awaits before it takes effect. */
let beforeChange: Promise<void> = Promise.resolve();

interface Asked {
  readonly request: string;
  readonly plan: string;
}

/** The acts of an agent: a task, a plan for it, a simulation, and the approval request. */
async function asked(goal: string, targets: readonly [string, string]): Promise<Asked> {
  const plan = await planned(goal, targets);
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await until(async () => (await agent.get(`/v1/simulations/${simulation}`)).body.state === 'succeeded');
  const { id } = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body as { id: string };
  return { request: id, plan };
}

/** A validated plan of a new task, over targets of its own. */
async function planned(goal: string, targets: readonly [string, string]): Promise<string> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ goal })), 201).body.id as string;
  const document = { ...shortPlan('web-2026-11', targets), summary: goal };
  return expectStatus(await agent.post(`/v1/tasks/${task}/plans`, document), 201).body.id as string;
}

/** The answer is 202 if the change waits for a second person. */
async function putAutonomy(document: string): Promise<Answer> {
  const admin = world.api.http(tenant.admin.token);
  const { status, headers } = await admin.get('/v1/autonomy');
  const put = await admin.put('/v1/autonomy', document, status === 200 ? { 'if-match': headers.etag ?? '' } : {});
  if (put.status >= 300) throw new Error(put.text);
  return put;
}

/** The request's message in Slack, once it is there. */
async function messageOf({ request }: Asked): Promise<LocalMessage> {
  const find = (): LocalMessage | undefined =>
    slack.in(CHANNELS.production).find(({ blocks }) => JSON.stringify(blocks).includes(request));
  await until(() => find() !== undefined);
  const message = find();
  if (message === undefined) throw new Error('the message is gone again');
  return message;
}

let app: Promise<() => Promise<string>> | undefined;
/** Lea's authenticator app, which the first test that needs it enrols. */
const leasApp = (lea: Page): Promise<() => Promise<string>> => (app ??= withApp(world, lea));

async function proveByApp(page: Page, code: () => Promise<string>): Promise<void> {
  await page.getByLabel('Code from your authenticator app').fill(await code());
  await page.getByRole('button', { name: 'Confirm', exact: true }).last().click();
}

/** Takes a step of an incident: opens its dialog, writes, and sends. */
async function say(page: Page, step: string, text: string): Promise<void> {
  await page.getByRole('button', { name: step, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(text);
  await dialog.getByRole('button', { name: step, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describeInChromium('the whole journey, between Slack and browsers', () => {
  beforeAll(async () => {
    fleet = await toolServer({
      before: async ({ tool }) => {
        if (tool === 'execute_rollout_prod') await beforeChange;
        return true;
      },
      result: ({ tool }) =>
        tool === 'simulate_rollout'
          ? {
              affected_assets: 5,
              estimated_duration_minutes: 1,
              predicted_risk: 'medium',
              health_check_points: ['error rate below 5 percent'],
              details: null,
            }
          : { metrics: { error_rate: 0 } },
    });
    slack = await localSlack({ USAM: 'Sam' });
    world = await browserWorld(people, { allowedPrivateHosts: [new URL(fleet.url).host], slackUrl: slack.url });
    const { api } = world;
    slack.sendTo(world.url);
    await world.startWorker();
    tenant = await world.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
    await installSlack(api, admin, slack);
    const destinations = { 'security-team': [CHANNELS.production] };
    expectStatus(await admin.put('/v1/incident-settings', { destinations }), 200);
    await putAutonomy(TWO_LEADS);
    expectStatus(
      await admin.put('/v1/slack/routes', { channels: { production: CHANNELS.production }, on_duty: [] }),
      200,
    );
    agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
  }, 180_000);
  beforeEach(() => {
    beforeChange = Promise.resolve();
  });
  afterEach(() => {
    expect(world.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await world.close();
    await slack.close();
    await fleet.close();
  }, STOP_WITHIN_MS);

  it('goes from an agent’s call by clicks in Slack and a browser to a run watched live, and its proof', async () => {
    // Linked by Sam, signed in; never by name or address.
    await slack.command('link', 'USAM', CHANNELS.production);
    const sam = await world.page();
    await world.signInByPages(sam, tenant, 'Sam', `/settings/slack?link=${codeIn(slack.ephemerals)}`);
    await sam.getByRole('button', { name: 'Yes, it is mine' }).click();
    await sam.getByText('USAM').first().waitFor();
    await sam.context().close();
    const lea = await world.pageOf(tenant, 'Lea', '/inbox');

    const asking = await asked('Bring two web servers to the golden image', ['web-01', 'web-02']);
    const message = await messageOf(asking);
    expect(textOf(message.blocks)).toContain('execute_rollout_prod');
    await lea.getByRole('link', { name: /golden image/ }).click();
    await lea.getByText('0 of 2 approved').first().waitFor();
    expect((await slack.press(message, 'countersign.approve', 'USAM')).status).toBe(200);
    // A click in Slack shows here, without a reload.
    await lea.getByText('1 of 2 approved').first().waitFor();

    let letGo: () => void = ignore;
    beforeChange = new Promise((resolve) => (letGo = resolve));
    await lea.getByRole('button', { name: 'Approve…' }).click();
    await lea.getByRole('button', { name: 'Approve', exact: true }).click();
    await lea.getByText('2 of 2 approved').first().waitFor();
    await moveTo(lea, `/plans/${asking.plan}`);
    await lea.getByRole('link', { name: 'Run', exact: true }).click();
    await lea.getByRole('heading', { name: /^Executing/ }).waitFor();
    letGo();
    await lea.getByRole('heading', { name: /^Completed/ }).waitFor({ timeout: PATIENCE_MS });

    const nina = await world.pageOf(tenant, 'Nina', `/audit/verify?plan=${asking.plan}`);
    await nina.getByRole('button', { name: 'Verify' }).click();
    await nina.getByText(/^Verified: \d+ entries/).waitFor();
  }, 180_000);

  it('leads from Slack to a step-up if a second factor is obliged: an app’s code, and a passkey', async () => {
    const lea = await world.pageOf(tenant, 'Lea', '/inbox');
    const sam = await world.pageOf(tenant, 'Sam', '/inbox');
    await putAutonomy(TWO_LEADS_WITH_A_FACTOR);
    const code = await leasApp(lea);
    await withPasskey(sam);

    const asking = await asked('Bring two more to the golden image, with a factor of everybody', ['web-03', 'web-04']);
    const { blocks } = await messageOf(asking);
    const stepUp = blocks
      .flatMap(({ elements }) => (Array.isArray(elements) ? (elements as { readonly url?: string }[]) : []))
      .find(({ url }) => url?.endsWith('?review=approve') === true);
    await lea.goto(stepUp?.url ?? '');
    await lea.getByRole('button', { name: 'Continue to the second factor' }).click();
    await proveByApp(lea, code);
    await lea.getByText('1 of 2 approved').first().waitFor();

    await moveTo(sam, `/requests/${asking.request}`);
    await sam.getByRole('button', { name: 'Approve…' }).click();
    await sam.getByRole('button', { name: 'Continue to the second factor' }).click();
    await sam.locator(':focus', { hasText: 'Use my passkey' }).press('Enter');
    await lea.getByText('2 of 2 approved').first().waitFor();
    await until(async () => {
      const { items } = (await agent.get(`/v1/runs?plan_id=${asking.plan}`)).body as { items: { state: string }[] };
      return items[0]?.state === 'completed';
    });
    const said = slack
      .in(CHANNELS.production)
      .find(({ blocks: shown }) => JSON.stringify(shown).includes(asking.request));
    await until(() => /approved|completed/i.test(textOf(said?.blocks ?? [])));
    await sam.context().close();
  }, 180_000);

  it('goes from broken glass to an incident that somebody else has reviewed', async () => {
    const lea = await world.pageOf(tenant, 'Lea', '/inbox');
    const code = await leasApp(lea);
    const nina = await world.pageOf(tenant, 'Nina', '/incidents');
    await planned('The primary is down, move to the standby', ['web-05', 'web-06']);
    await moveTo(lea, '/break-glass');
    await lea.getByRole('button', { name: /move to the standby/ }).click();
    await lea.getByText('security-team took the last test message').waitFor();
    const why = lea.getByLabel('Why this cannot wait');
    await why.fill('It is urgent, urgent, urgent, urgent.');
    await lea.getByLabel(/I have read the plan/).check();
    await lea.getByRole('button', { name: 'Continue to the second factor' }).click();
    // The page tells a refusal of policy before a code is spent, and the text can be corrected in place.
    await lea.getByText(/repeated words/).waitFor();
    expect(await why.inputValue()).toBe('It is urgent, urgent, urgent, urgent.');
    await why.fill('The primary database is down and customers cannot pay.');
    await lea.getByRole('button', { name: 'Continue to the second factor' }).click();
    await lea.getByRole('button', { name: 'Back to the justification' }).click();
    await lea.getByRole('button', { name: 'Continue to the second factor' }).click();
    await proveByApp(lea, code);
    await lea.getByRole('heading', { level: 1, name: /revision \d+$/ }).waitFor();
    await lea.getByText('security-team', { exact: true }).waitFor();
    const told = (): boolean =>
      slack.in(CHANNELS.production).some(({ blocks }) => textOf(blocks).includes('customers cannot pay'));
    await until(told);

    // Everybody who is signed in is told, on the page they are on.
    await nina.getByRole('link', { name: /customers cannot pay/ }).click();
    await nina.getByRole('region', { name: 'Why, in the words of Lea' }).getByText('customers cannot pay').waitFor();
    await say(nina, 'Acknowledge', 'I look after it.');
    // Resolved only once the run is over, and its end shows by itself.
    await lea.getByText('completed', { exact: true }).first().waitFor();
    await lea.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await say(lea, 'Resolve', 'The standby took over within a minute. We practise it monthly from now on.');
    await lea.getByText('You broke the glass, so somebody else reviews it.').waitFor();
    expect(await lea.getByRole('button', { name: 'Review', exact: true }).isDisabled()).toBe(true);
    await say(nina, 'Review', 'It was right to act, and the follow-up is enough.');
    await nina.getByRole('heading', { name: 'Reviewed by Nina' }).waitFor();
  }, 120_000);

  it('puts a looser autonomy document in force when a second admin confirms it', async () => {
    const noor = await world.pageOf(tenant, 'Noor', '/changes');
    await withPasskey(noor);
    await putAutonomy(TWO_LEADS_WITH_A_FACTOR);
    // control-and-evidence.spec.ts asks for one in the editor.
    const change = expectStatus(await putAutonomy(TWO_LEADS), 202).body as { id: string };
    const nina = await world.pageOf(tenant, 'Nina', `/changes/${change.id}`);
    await nina.getByRole('heading', { name: 'What it loosens' }).waitFor();

    const draft = await noor.context().newPage();
    await draft.goto(`${world.url}/autonomy`);
    await draft.getByRole('textbox', { name: 'Autonomy document, YAML' }).click();
    await draft.keyboard.press('Control+End');
    await draft.keyboard.type('# what Noor was writing');

    await moveTo(noor, `/changes/${change.id}`);
    await noor.getByRole('button', { name: 'Confirm' }).click();
    await noor.getByRole('button', { name: 'Use my passkey' }).click();
    await nina.getByText('in force', { exact: true }).first().waitFor();
    await draft.getByText(/^Revision \d+ came into force while you were writing\.$/).waitFor();
    await draft.getByRole('button', { name: /^Keep mine/ }).click();
    await draft.getByText('# what Noor was writing').waitFor();
    const inForce = (await world.api.http(tenant.admin.token).get('/v1/autonomy')).text;
    expect(inForce).not.toContain('require_mfa');

    await nina.getByRole('link', { name: 'Verify here' }).click();
    await nina.getByRole('button', { name: 'Verify' }).click();
    // The change, the document that Noor's passkey signed, and the enrolment of that passkey.
    await nina.getByText(/^Verified: \d+ entries and 3 documents about change /).waitFor();
    await nina.getByText(/^Asked for by First Admin.*, confirmed by Noor/).waitFor();
  }, 120_000);
});
