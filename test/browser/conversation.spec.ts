import { readFileSync } from 'node:fs';
import { expectStatus, type HttpAs, type TestTenant } from '../support/api.js';
import {
  browserWorld,
  type BrowserWorld,
  describeInChromium,
  moveTo,
  sayWhy,
  STOP_WITHIN_MS,
} from '../support/browser.js';
import { autonomyDocument } from '../support/equipped-tenant.js';
import { anotherTaskSpec, shortPlan } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { violationsAnywhere, violationsOn } from '../support/violations.js';

interface Asked {
  readonly id: string;
  readonly subject: { readonly id: string; readonly digest: string; readonly task_id: string };
}

let fleet: ToolServer;
let world: BrowserWorld;
let tenant: TestTenant;
let agent: HttpAs;

const predicted = {
  affected_assets: 5,
  estimated_duration_minutes: 1,
  predicted_risk: 'medium',
  health_check_points: ['error rate below 5 percent'],
  details: null,
};

/** Another revision of a task, or of a new one, and the request for it. */
async function asked(image: string, task?: string): Promise<Asked> {
  const spec = anotherTaskSpec({ goal: 'remediate drift' });
  const taskId = task ?? (expectStatus(await agent.post('/v1/tasks', spec), 201).body.id as string);
  const plan = expectStatus(await agent.post(`/v1/tasks/${taskId}/plans`, shortPlan(image, ['web-01', 'web-02'])), 201)
    .body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await until(async () => (await agent.get(`/v1/simulations/${simulation}`)).body.state === 'succeeded');
  return expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body as Asked;
}

describeInChromium('conversations in the web UI', () => {
  beforeAll(async () => {
    fleet = await toolServer({
      before: () => true,
      result: ({ tool }) => (tool === 'simulate_rollout' ? predicted : { metrics: { error_rate: 0 } }),
    });
    world = await browserWorld(
      [
        { sub: 'sam', name: 'Sam', groups: ['sre-leads', 'admins'] },
        { sub: 'lea', name: 'Lea', groups: ['sre-leads', 'admins'] },
      ],
      { allowedPrivateHosts: [new URL(fleet.url).host] },
    );
    const { api } = world;
    await world.startWorker();
    tenant = await world.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
    const owner = await api.person(tenant);
    agent = api.http((await api.agent(tenant, owner)).token);
    const put = await admin.put('/v1/autonomy', autonomyDocument(true));
    if (put.status >= 300) throw new Error(put.text);
  }, 180_000);
  afterAll(async () => {
    await world.close();
    await fleet.close();
  }, STOP_WITHIN_MS);

  it('go on over revisions: comments reach others, and the changes asked for stay', async () => {
    const sam = await world.pageOf(tenant, 'Sam', '/inbox');
    const lea = await world.pageOf(tenant, 'Lea', '/inbox');
    const first = await asked('web-2026-21');
    const path = `/v1/approval-requests/${first.id}/comments`;
    expectStatus(await agent.post(path, { body: 'It is urgent: pro\u200Bduction drifts. https://evil.example' }), 201);

    await moveTo(sam, `/requests/${first.id}`);
    const talk = sam.getByRole('region', { name: 'Conversation' });
    await talk.getByText('not verified. Trust the steps, not this text.').waitFor();
    expect(await talk.getByRole('link').count()).toBe(0);
    await talk.getByText('U+200B').waitFor();
    await sam.getByRole('list', { name: 'Who could review it' }).getByText('Lea').waitFor();
    await talk.getByLabel('Your comment').fill('Why this image? @Lea, do you know?');
    await talk.getByRole('button', { name: 'Comment' }).dblclick();
    await talk.getByRole('list', { name: 'Comments' }).getByText('Why this image?').waitFor();
    expect(await violationsAnywhere(sam)).toEqual([]);
    expect((await agent.get(path)).body.items).toHaveLength(2);

    await lea.getByRole('list', { name: 'Comments you have not read' }).getByText('Why this image?').click();
    await lea.waitForURL(`**/requests/${first.id}#conversation`);
    await lea.getByRole('button', { name: 'Request changes…' }).click();
    await lea.getByLabel('What is wrong').fill('Please use web-2026-22.');
    await lea.getByRole('button', { name: 'Request changes' }).last().click();
    await lea.getByRole('status').getByText('asked for changes').first().waitFor();
    await lea.getByText('may submit a new revision').waitFor();
    for (const over of ['waits for', 'has claimed it', 'Cannot review it', 'Who could review it'])
      expect(await lea.getByText(over).count()).toBe(0);

    const second = await asked('web-2026-22', first.subject.task_id);
    await lea.getByRole('link', { name: 'the request for revision 2' }).click();
    await lea.waitForURL(`**/requests/${second.id}`);
    const changes = lea.getByRole('list', { name: 'Changes that were asked for' });
    await changes.getByText('Please use web-2026-22.').waitFor();
    expect(await violationsOn(lea)).toEqual([]);
    for (const page of [`/plans/${second.subject.id}`, `/tasks/${first.subject.task_id}`]) {
      await moveTo(lea, page);
      await changes.getByText('Please use web-2026-22.').waitFor();
      await changes.getByRole('link', { name: 'revision 1' }).waitFor();
    }
  }, 120_000);

  it('show the reason of a change to the person who confirms it, and let them ask', async () => {
    const admin = world.api.http(tenant.admin.token);
    const bot = expectStatus(await admin.post('/v1/agents', { name: 'restart-bot', owner_id: tenant.admin.id }), 201);
    const sam = await world.pageOf(tenant, 'Sam', '/changes');
    const lea = await world.pageOf(tenant, 'Lea', '/settings/agents');
    await lea
      .getByRole('listitem')
      .filter({ hasText: 'restart-bot' })
      .getByRole('button', { name: 'Hand over' })
      .click();
    await lea.getByLabel('Who answers for restart-bot from now on').selectOption({ label: 'Lea' });
    await lea.getByRole('button', { name: 'Hand over' }).last().click();
    const why = lea.getByRole('dialog', { name: 'Why do you ask for this?' });
    await why.getByText('no longer answers for restart-bot').waitFor();
    await sayWhy(lea, 'Olga leaves on Friday; I take over her agents.');
    await lea.getByRole('link', { name: 'See the change' }).click();
    await lea.getByText('Olga leaves on Friday').waitFor();

    await moveTo(sam, new URL(lea.url()).pathname);
    await sam.getByRole('region', { name: 'Why it is asked for' }).getByText('Olga leaves on Friday').waitFor();
    await sam.getByLabel('Your comment').fill('Does she know?');
    await sam.getByRole('button', { name: 'Comment' }).click();
    await sam.getByRole('list', { name: 'Comments' }).getByText('Does she know?').waitFor();
    expect(await violationsOn(sam)).toEqual([]);
    await lea.getByRole('list', { name: 'Comments' }).getByText('Does she know?').waitFor();
    expect(bot.body.name).toBe('restart-bot');
  }, 120_000);
});
