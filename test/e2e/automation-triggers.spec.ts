import { setTimeout as delay } from 'node:timers/promises';
import type { AutomationPreviewView, AutomationRunView, AutomationView, SeenAutomationRunView } from '#lib/api-schemas';
import type { AutomationRunId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { farSchedule } from '../support/far-schedule.js';
import { serviceTool, STAGING_ALONE } from '../support/service-tool.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { webhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { workerOf } from '../support/worker.js';

jest.setTimeout(90_000);

const INPUTS = `inputs:
  service: { type: string, max_length: 50, default: web }
`;
const filled = (id: string, name: string): string =>
  `  - { id: ${id}, type: tool_action, tool: ${name}, arguments: { service: "{{inputs.service}}" } }\n`;
const source = (name: string, triggers: string, steps: string): string => `name: ${name}
environment: staging
${INPUTS}triggers:
${triggers}steps:
${steps}`;

const ON_FAILURE = `  - type: event
    event: tool.failed
    match: { data.facts.tool: probe_service, data.facts.environment: staging }
    inputs: { service: data.facts.tool }
`;
const DAILY = `  - { type: cron, schedule: "${farSchedule()}", time_zone: Europe/Berlin, missed: run_once }\n`;
const ENDPOINT = '  - { type: endpoint }\n';

let api: TestApi;
let tenant: TestTenant;
let ada: HttpAs;
let agent: HttpAs;
let fleet: ToolServer;
let receiver: WebhookReceiver;
let session: string;
let workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  fleet = await toolServer({
    before: () => true,
    fails: ({ tool: name }) => name === 'probe_service',
  });
  receiver = await webhookReceiver();
  api = await testApi({ config: { allowedPrivateHosts: [fleet.url, receiver.url].map((url) => new URL(url).host) } });
  tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
  agent = api.http((await api.agent(tenant, tenant.admin)).token);
  for (const [name, effect, risk] of [
    ['probe_service', 'read', 'read_only'],
    ['look_service', 'read', 'read_only'],
    ['restart_service', 'modify', 'state_change_nonprod'],
    ['stop_service', 'modify', 'state_change_nonprod'],
    ['uninstall_app', 'destructive', 'state_change_nonprod'],
  ] as const)
    expectStatus(await ada.put(`/v1/tools/${name}`, serviceTool(effect, risk)), 200);
  const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
  expectStatus(await ada.put('/v1/environments/staging/executors/fleet', executor), 200);
  expectStatus(await ada.put('/v1/autonomy', STAGING_ALONE), 200);
  for (const name of ['restart_service', 'stop_service'])
    expectStatus(await ada.put(`/v1/automation-safe-list/${name}`, { version: 1 }), 200);
  const settings = { url: receiver.url, events: ['run.*'], ca: TEST_AUTHORITY };
  const webhook = expectStatus(await ada.post('/v1/webhooks', settings), 201).body;
  receiver.secrets.push(
    String(expectStatus(await ada.post(`/v1/webhooks/${String(webhook.id)}/secret`), 201).body.secret),
  );
  session = String(expectStatus(await agent.post('/v1/sessions', { environment: 'staging' }), 201).body.id);
  workers = [await workerOf(api), await workerOf(api)];
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.close();
  await fleet.close();
  await receiver.close();
});

const runsOf = async (id: string): Promise<AutomationRunView[]> =>
  expectStatus(await ada.get(`/v1/automations/${id}/runs`), 200).body.items as AutomationRunView[];

async function enabled(text: string): Promise<AutomationView> {
  const { id, source_sha256 } = expectStatus(await agent.post('/v1/automations', { source: text }), 201).body;
  const answer = await ada.post(`/v1/automations/${String(id)}/enable`, { source_sha256 });
  return expectStatus(answer, 200).body as AutomationView;
}

/** The runs, once there are so many and all of them have ended. */
async function ended({ id }: { readonly id: string }, count = 1): Promise<SeenAutomationRunView[]> {
  const deadline = performance.now() + 45_000;
  for (;;) {
    const runs = await runsOf(id);
    if (runs.length >= count && runs.every(({ finished_at }) => finished_at !== null))
      return Promise.all(
        runs.map(async (run) => {
          const seen = await ada.get(`/v1/automations/${id}/runs/${run.id}`);
          return expectStatus(seen, 200).body as SeenAutomationRunView;
        }),
      );
    if (performance.now() > deadline) throw new Error(`there are ${JSON.stringify(runs)}`);
    await delay(50);
  }
}

/** The steps of a run that the receiver was told of by this event. */
const stepsInEvents = (run: string | undefined, event: string): readonly unknown[] =>
  receiver.received
    .map(({ body }) => body as { event: string; data: { subject: { id: string }; facts: Record<string, unknown> } })
    .filter((body) => body.event === event && body.data.subject.id === run)
    .map(({ data }) => data.facts.step);

/** The agent calls a tool in its session. */
async function call(name: string, service: string): Promise<void> {
  const body = { tool: name, arguments: { service } };
  expectStatus(await agent.post(`/v1/sessions/${session}/tool-calls`, body), 201);
}

/** The agent calls a probe, which fails. */
async function fail(): Promise<void> {
  await call('probe_service', 'db');
}

const restartsOf = (service: string): number =>
  fleet.ledger.filter((call) => call.tool === 'restart_service' && call.arguments.service === service).length;

describe('an automation', () => {
  it('restarts a failed service at its time and at an event, and is blocked from uninstalling it', async () => {
    const steps = filled('restart', 'restart_service') + filled('gone', 'uninstall_app');
    const both = source('heal', DAILY + ON_FAILURE, `${steps}  - { id: tell, type: notify, message: It is over. }\n`);
    const { id, source_sha256 } = expectStatus(await agent.post('/v1/automations', { source: both }), 201).body;
    const refused = await ada.post(`/v1/automations/${String(id)}/enable`, { source_sha256 });
    expect(refused.body).toMatchObject({ code: 'automation.steps_blocked', details: { blocked: [{ step: 'gone' }] } });
    const automation = await enabled(both.replace('heal', 'heal-all').replace('steps:', 'on_blocked: skip\nsteps:'));

    await api.db.owner.query(
      `update automation set looked_until = now() - interval '25 hours', next_at = now() where tenant_id = $1 and id = $2`,
      [tenant.id, automation.id],
    );
    const [timed] = await ended(automation);
    await fail();
    const [met] = await ended(automation, 2);
    for (const run of [timed, met]) {
      expect(run?.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
        'restart succeeded',
        'gone blocked',
        'tell succeeded',
      ]);
      expect(run?.steps[1]?.error?.message).toBe('Tool uninstall_app is destructive and not available for automations');
    }
    expect(timed).toMatchObject({ occurrence: expect.stringMatching(/^cron:/) as string, inputs: { service: 'web' } });
    expect(met).toMatchObject({
      occurrence: expect.stringMatching(/^event:/) as string,
      inputs: { service: 'probe_service' },
    });
    expect([restartsOf('web'), restartsOf('probe_service')]).toEqual([1, 1]);
    expect(fleet.ledger.filter((call) => call.tool === 'uninstall_app')).toEqual([]);
    for (const run of [timed, met])
      await until(
        () =>
          stepsInEvents(run?.id, 'run.automation_step_ended').includes('restart') &&
          stepsInEvents(run?.id, 'run.automation_step_blocked').includes('gone'),
      );
  });

  it('never starts itself by its own calls', async () => {
    const own = ON_FAILURE.replace('probe_service', 'look_service').replace('tool.failed', 'tool.completed');
    const automation = await enabled(source('own', own + ENDPOINT, filled('look', 'look_service')));
    expectStatus(await agent.post(`/v1/automations/${automation.id}/trigger`, { inputs: { service: 'own' } }), 202);
    await ended(automation);
    // Another one's call of the same tool comes after it in the log.
    await call('look_service', 'another');
    const runs = await ended(automation, 2);
    expect(runs.map(({ inputs }) => inputs.service)).toEqual(['look_service', 'own']);
    expectStatus(await ada.post(`/v1/automations/${automation.id}/disable`), 200);
  });

  it('T33: takes declared inputs at its endpoint, once for an Idempotency-Key, from a credential that may run', async () => {
    const automation = await enabled(source('asked', ENDPOINT, filled('restart', 'restart_service')));
    const path = `/v1/automations/${automation.id}/trigger`;
    const ask = (inputs: Readonly<Record<string, unknown>>, key = 'one') =>
      agent.post(path, { inputs }, { 'idempotency-key': key });
    const first = expectStatus(await ask({ service: 'cache' }), 202);
    expect(expectStatus(await ask({ service: 'cache' }), 202).body).toEqual(first.body);
    expect((await ask({ service: 'cache', tool: 'uninstall_app' }, 'two')).body).toMatchObject({
      code: 'automation.wrong_input',
      errors: [{ pointer: '/inputs/tool' }],
    });
    expect((await ask({ service: { $secret: 'key@1' } }, 'three')).status).toBe(422);
    const [run] = await ended(automation);
    expect(run).toMatchObject({ id: first.body.id, state: 'completed' });
    expect(await runsOf(automation.id)).toHaveLength(1);
    expect(restartsOf('cache')).toBe(1);
  });

  it('is previewed against the log, page by page, by a person who may read it, and nothing is executed', async () => {
    const text = source('later', ON_FAILURE + DAILY, filled('stop', 'uninstall_app'));
    const calls = fleet.ledger.length;
    const seen = expectStatus(await ada.post('/v1/automations/preview', { source: text }), 200).body;
    expect(seen.next_cursor).toBeNull();
    const { items } = seen as unknown as AutomationPreviewView;
    expect(items.filter(({ trigger }) => trigger === 'cron')).toHaveLength(30);
    const [failed, ...others] = items.filter(({ trigger }) => trigger === 'event');
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      event: 'tool.failed',
      inputs: { service: 'probe_service' },
      errors: [],
      blocked: [{ step: 'stop', code: 'automation.destructive' }],
    });
    const entry = await ada.get(`/v1/audit/entries/${String(failed?.audit_entry_id)}`);
    expect(expectStatus(entry, 200).body).toMatchObject({ header: { action: 'tool_call.failed' } });
    expect((await agent.post('/v1/automations/preview', { source: text })).status).toBe(403);
    const wrong = await ada.post('/v1/automations/preview?cursor=nonsense', { source: text });
    expect(wrong.body.code).toBe('request.cursor_invalid');
    expect(fleet.ledger).toHaveLength(calls);
  });

  it('T42: makes no step with inputs that a login to the database wrote', async () => {
    const automation = await enabled(source('written', ENDPOINT, filled('restart', 'restart_service')));
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    const path = `/v1/automations/${automation.id}`;
    const asked = await agent.post(`${path}/trigger`, { inputs: { service: 'mine' } });
    const { id } = expectStatus(asked, 202).body as { id: AutomationRunId };
    await api.db.owner.query(
      `update automation_run set inputs = '{"service": "forged"}' where tenant_id = $1 and id = $2`,
      [tenant.id, id],
    );
    expect((await ada.get(`${path}/runs/${id}`)).body.code).toBe('record.not_authentic');
    await api.installation.automation.advanceAutomationRun.execute(tenant.id, id);
    const { rows } = await api.db.owner.query(
      'select 1 from automation_step_run where tenant_id = $1 and run_id = $2',
      [tenant.id, id],
    );
    expect(rows).toEqual([]);
  });
});
