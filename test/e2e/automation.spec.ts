import { setTimeout as delay } from 'node:timers/promises';
import type {
  AutomationRunView,
  AutomationView,
  JudgedAutomationView,
  ListedAutomationView,
  ReadAutomationView,
  SeenAutomationRunView,
} from '#lib/api-schemas';
import type { AutomationRunId } from '#lib/kernel';
import type { AutomationId } from '#lib/automation';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { farSchedule } from '../support/far-schedule.js';
import { serviceTool, STAGING_ALONE } from '../support/service-tool.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { verifiedBy } from '../support/verified-by.js';
import { workerOf } from '../support/worker.js';

jest.setTimeout(90_000);

const SCHEDULE = farSchedule();
const step = (id: string, name: string): string =>
  `  - { id: ${id}, type: tool_action, tool: ${name}, arguments: { service: web } }\n`;
const source = (name: string, steps: string, settings = ''): string => `name: ${name}
environment: staging
triggers:
  - { type: cron, schedule: "${SCHEDULE}", time_zone: Europe/Berlin, missed: run_once }
${settings}steps:
${steps}`;

let api: TestApi;
let tenant: TestTenant;
let ada: HttpAs;
let agent: HttpAs;
let fleet: ToolServer;
let workers: { stop(): Promise<void> }[] = [];
/** How many instances are unhealthy, as the tool server reports them. */
let unhealthy = 1;
/** Calls of this tool wait until it is null. */
let held: string | null = null;

beforeAll(async () => {
  fleet = await toolServer({
    before: async (call) => {
      while (held === call.tool) await delay(20);
      return true;
    },
    result: () => ({ metrics: { unhealthy } }),
  });
  api = await testApi({ config: { allowedPrivateHosts: [new URL(fleet.url).host] } });
  tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
  agent = api.http((await api.agent(tenant, tenant.admin)).token);
  for (const [name, effect, risk] of [
    ['check_web', 'read', 'read_only'],
    ['restart_service', 'modify', 'state_change_nonprod'],
    ['stop_service', 'modify', 'state_change_nonprod'],
    ['uninstall_app', 'destructive', 'state_change_nonprod'],
  ] as const)
    expectStatus(await ada.put(`/v1/tools/${name}`, serviceTool(effect, risk)), 200);
  const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
  expectStatus(await ada.put('/v1/environments/staging/executors/fleet', executor), 200);
  expectStatus(await ada.put('/v1/autonomy', STAGING_ALONE), 200);
  expectStatus(await ada.put('/v1/automation-safe-list/restart_service', { version: 1 }), 200);
  workers = [await workerOf(api), await workerOf(api)];
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.close();
  await fleet.close();
});

async function proposed(text: string, by = agent): Promise<JudgedAutomationView> {
  return expectStatus(await by.post('/v1/automations', { source: text }), 201).body as JudgedAutomationView;
}

async function enabled(text: string): Promise<AutomationView> {
  const { id, source_sha256 } = await proposed(text);
  const answer = await ada.post(`/v1/automations/${id}/enable`, { source_sha256 });
  return expectStatus(answer, 200).body as AutomationView;
}

/** Makes the time of its schedule come. Workers find that they have not looked for a day, and make up for the last time. */
async function tick({ id }: { readonly id: string }): Promise<void> {
  await api.db.owner.query(
    `update automation set looked_until = now() - interval '25 hours', next_at = now() where tenant_id = $1 and id = $2`,
    [tenant.id, id],
  );
}

const runsOf = async (id: string): Promise<SeenAutomationRunView[]> => {
  const { items } = expectStatus(await ada.get(`/v1/automations/${id}/runs`), 200).body as {
    items: readonly { readonly id: string }[];
  };
  return Promise.all(
    items.map(async (run) => {
      const seen = await ada.get(`/v1/automations/${id}/runs/${run.id}`);
      return expectStatus(seen, 200).body as SeenAutomationRunView;
    }),
  );
};

const lastRunOf = async ({ id }: { readonly id: string }): Promise<AutomationRunView | null | undefined> => {
  const { items } = expectStatus(await ada.get('/v1/automations'), 200).body as {
    items: readonly ListedAutomationView[];
  };
  return items.find((each) => each.id === id)?.last_run;
};

/** The newest run, once it has ended. */
const ended = ({ id }: { readonly id: string }, count = 1): Promise<SeenAutomationRunView> =>
  until(async () => {
    const runs = await runsOf(id);
    const [first] = runs;
    return runs.length >= count && first !== undefined && runs.every((run) => run.finished_at !== null) ? first : null;
  });

/** Lifts every halt, and has the tool accepted as it is now. */
async function restore(version: number): Promise<void> {
  const { items } = expectStatus(await ada.get('/v1/halts'), 200).body as { items: { id: string; active: boolean }[] };
  for (const { id } of items.filter(({ active }) => active))
    expectStatus(await ada.post(`/v1/halts/${id}/lift`, { note: 'It is over.' }), 200);
  expectStatus(await ada.put('/v1/automation-safe-list/restart_service', { version }), 200);
}

const callsOf = (name: string): number => fleet.ledger.filter((call) => call.tool === name).length;
const stepsOf = ({ steps }: SeenAutomationRunView) => steps.map(({ step: id, state }) => `${id} ${state}`);

const HEAL = `${step('look', 'check_web')}  - { id: sick, type: condition, if: look.unhealthy > 0 }
${step('restart', 'restart_service')}  - { id: tell, type: notify, message: The service was restarted. }
`;

describe('an automation', () => {
  it('is proposed by an agent, and enabled by an admin who saw exactly this source', async () => {
    const automation = await proposed(source('asked', HEAL));
    expect(automation).toMatchObject({ state: 'proposed', blocked: [], owner_id: null, next_at: null });
    const { reading } = expectStatus(await agent.get(`/v1/automations/${automation.id}`), 200)
      .body as ReadAutomationView;
    expect(reading).toMatchObject({ description: null, overlap: 'skip', on_blocked: 'fail', pause_after: 3 });
    expect(reading?.triggers).toEqual([
      { type: 'cron', schedule: SCHEDULE, time_zone: 'Europe/Berlin', missed: 'run_once' },
    ]);
    expect(reading?.steps.map(({ id, type }) => [id, type])).toEqual([
      ['look', 'tool_action'],
      ['sick', 'condition'],
      ['restart', 'tool_action'],
      ['tell', 'notify'],
    ]);
    const path = `/v1/automations/${automation.id}/enable`;
    const { source_sha256 } = automation;
    expect((await agent.post(path, { source_sha256 })).body.code).toBe('credential.scope_missing');
    expect((await ada.post(path, { source_sha256: 'a'.repeat(64) })).body.code).toBe('automation.other_source');
    expect(expectStatus(await ada.post(path, { source_sha256 }), 200).body).toMatchObject({
      state: 'enabled',
      owner_id: tenant.admin.id,
    });
    const again = await agent.post('/v1/automations', { source: source('asked', HEAL) });
    expect(again.body.code).toBe('automation.name_taken');
    const agents = expectStatus(await ada.get('/v1/agents'), 200).body.items as { name: string; owner_id: string }[];
    expect(agents).toContainEqual(expect.objectContaining({ name: 'automation:asked', owner_id: tenant.admin.id }));
  });

  it('says before it is saved which steps would be blocked', async () => {
    const steps = step('stop', 'stop_service') + step('gone', 'uninstall_app') + step('none', 'no_such_tool');
    const answer = await agent.post('/v1/automations/validate', { source: source('blocked', steps) });
    const blocked = [
      {
        step: 'stop',
        code: 'automation.not_safe',
        message: 'Tool stop_service is not in the automation-safe modify list',
      },
      { step: 'gone', message: 'Tool uninstall_app is destructive and not available for automations' },
      { step: 'none', code: 'policy.unknown_tool' },
    ];
    expect(expectStatus(answer, 200).body).toMatchObject({ blocked });
    const { id, source_sha256 } = await proposed(source('blocked', steps));
    const refused = await ada.post(`/v1/automations/${id}/enable`, { source_sha256 });
    expect(refused.body).toMatchObject({ code: 'automation.steps_blocked', details: { blocked } });
    const wrong = await agent.post('/v1/automations', {
      source: source('wrong', '  - { id: x, type: tool_action }\n'),
    });
    expect(wrong.body).toMatchObject({ code: 'automation.invalid', errors: [{ line: 6 }] });
  });

  it('restarts a failed service at its time, once among several workers', async () => {
    const automation = await enabled(source('heal', HEAL));
    const before = callsOf('restart_service');
    await tick(automation);
    const run = await ended(automation);
    expect(run).toMatchObject({ state: 'completed', error: null });
    expect(stepsOf(run)).toEqual(['look succeeded', 'sick succeeded', 'restart succeeded', 'tell succeeded']);
    expect(callsOf('restart_service')).toBe(before + 1);
    expect(await runsOf(automation.id)).toHaveLength(1);
    const { steps: _, ...lastRun } = run;
    expect(await lastRunOf(automation)).toEqual(lastRun);
    const pack = expectStatus(await ada.post(`/v1/automation-runs/${run.id}/evidence`, {}), 200).text;
    const report = await verifiedBy(ada, pack);
    expect([report.failure, report.outcome]).toEqual([null, 'verified']);
    expect(report.subject).toEqual({ type: 'automation_run', id: run.id });
    expect(report.passed.join('\n')).toContain(
      '2 calls decided, each once (2 allowed): as policy said about an automation',
    );
    expect(report.passed.join('\n')).toContain('2 calls were sent, each after it was allowed');
    const { entries } = JSON.parse(pack) as { entries: { header: { action: string } }[] };
    const actions = entries.map(({ header }) => header.action);
    for (const action of ['queued', 'started', 'step_called', 'step_ended', 'completed'])
      expect(actions).toContain(`automation_run.${action}`);
    expect(actions.filter((action) => action === 'tool_call.succeeded')).toHaveLength(2);
    const told = await until(async () => {
      const { rows } = await api.db.owner.query<{ topic: string; state: string; error: unknown }>(
        `select topic, state, last_error as error from outbox_message
          where tenant_id = $1 and payload ->> 'run_id' = $2 and cause_id is null`,
        [tenant.id, run.id],
      );
      return rows.every(({ state }) => state === 'delivered') ? rows : null;
    });
    expect(told).toEqual([{ topic: 'automation.notified', state: 'delivered', error: null }]);
  });

  it('starts an occurrence once, also if its time is found again', async () => {
    const automation = await enabled(source('again', step('look', 'check_web')));
    await tick(automation);
    await ended(automation);
    await tick(automation);
    await Promise.all(
      [1, 2, 3].map(() =>
        api.installation.automation.triggerAutomation.execute(tenant.id, automation.id as AutomationId),
      ),
    );
    expect(await runsOf(automation.id)).toHaveLength(1);
  });

  it('ends without its further steps if a condition does not hold', async () => {
    const automation = await enabled(source('healthy', HEAL));
    unhealthy = 0;
    await tick(automation);
    const run = await ended(automation);
    unhealthy = 1;
    expect(run.state).toBe('completed');
    expect(stepsOf(run)).toEqual(['look succeeded', 'sick not_met', 'restart skipped', 'tell skipped']);
  });

  it('is blocked from a step at its time: the run fails, the rest is skipped, and the notification is sent', async () => {
    const steps = `${step('look', 'check_web')}${step('stop', 'stop_service')}${step('after', 'check_web')}  - { id: tell, type: notify, message: It is over. }\n`;
    expectStatus(await ada.put('/v1/automation-safe-list/stop_service', { version: 1 }), 200);
    const automation = await enabled(source('dropped', steps));
    expectStatus(await ada.delete('/v1/automation-safe-list/stop_service'), 204);
    const change = await ada.put(`/v1/automations/${automation.id}`, {
      source: automation.source,
      source_sha256: automation.source_sha256,
    });
    expect(change.body.code).toBe('automation.steps_blocked');
    await tick(automation);
    const run = await ended(automation);
    const error = {
      code: 'automation.not_safe',
      message: 'Tool stop_service is not in the automation-safe modify list',
    };
    expect(run).toMatchObject({ state: 'failed', error });
    expect(run.steps[1]).toMatchObject({ step: 'stop', blocked: true, error });
    expect(stepsOf(run)).toEqual(['look succeeded', 'stop blocked', 'after skipped', 'tell succeeded']);
    expect(callsOf('stop_service')).toBe(0);
  });

  it('goes on after a blocked step if it says so', async () => {
    const steps = step('gone', 'uninstall_app') + step('look', 'check_web');
    const automation = await enabled(source('lenient', steps, 'on_blocked: skip\n'));
    await tick(automation);
    const run = await ended(automation);
    expect(run.state).toBe('completed');
    expect(stepsOf(run)).toEqual(['gone blocked', 'look succeeded']);
    expect(run.steps[0]?.error?.message).toBe('Tool uninstall_app is destructive and not available for automations');
    expect(callsOf('uninstall_app')).toBe(0);
  });

  it.each([
    ['skip', ['completed', 'skipped'], ['automation.overlap']],
    ['queue', ['completed', 'completed'], []],
  ])('whose next run is due while one goes on, with overlap: %s', async (overlap, states, codes) => {
    const daily = 'time_zone: Europe/Berlin, missed: run_once }\n';
    const one = source(`overlap-${overlap}`, step('look', 'check_web'), `overlap: ${overlap}\n`);
    const two = one.replace(daily, `${daily}  - { type: cron, schedule: "${farSchedule(1)}", ${daily}`);
    const [automation, before] = [await enabled(two), callsOf('check_web')];
    await tick(automation);
    await ended(automation, 2);
    const runs = await runsOf(automation.id);
    expect(runs.map(({ state }) => state).sort()).toEqual(states);
    expect(runs.flatMap(({ error }) => error?.code ?? [])).toEqual(codes);
    expect(callsOf('check_web')).toBe(before + states.filter((state) => state === 'completed').length);
  });

  it('that keeps failing is paused, and its owner is told', async () => {
    const steps = `${step('look', 'check_web')}  - { id: sick, type: condition, if: look.load > 0 }\n`;
    const automation = await enabled(source('failing', steps, 'pause_after: 1\n'));
    await tick(automation);
    expect(await ended(automation)).toMatchObject({ state: 'failed', error: { code: 'automation.condition_unclear' } });
    const paused = expectStatus(await ada.get(`/v1/automations/${automation.id}`), 200).body;
    expect(paused).toMatchObject({ state: 'paused', failures: 1, next_at: null });
    const { rows } = await api.db.owner.query(
      `select 1 from outbox_message where tenant_id = $1 and topic = 'automation.paused' and payload ->> 'automation_id' = $2`,
      [tenant.id, automation.id],
    );
    expect(rows).toHaveLength(1);
  });

  it('makes no further step once it is disabled', async () => {
    const automation = await enabled(source('stopped', step('look', 'check_web') + step('restart', 'restart_service')));
    const before = callsOf('restart_service');
    held = 'check_web';
    await tick(automation);
    // A call that has not left would be taken back.
    await until(() => fleet.ledger.some(({ done }) => !done));
    expectStatus(await ada.post(`/v1/automations/${automation.id}/disable`), 200);
    held = null;
    const run = await ended(automation);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'automation.not_enabled' } });
    expect(stepsOf(run)).toEqual(['look succeeded', 'restart skipped']);
    expect(callsOf('restart_service')).toBe(before);
  });

  it.each([
    [
      'a halt comes',
      async () =>
        expectStatus(await ada.post('/v1/halts', { kind: 'tool', tool: 'restart_service', reason: 'No.' }), 201),
      /^(tool_call\.halted|halt\.)/,
      1,
    ],
    [
      'its tool is changed',
      async () =>
        expectStatus(
          await ada.put('/v1/tools/restart_service', {
            ...serviceTool('modify', 'state_change_nonprod'),
            description: 'Does something else.',
          }),
          200,
        ),
      /^tool_call\.facts_changed$/,
      2,
    ],
  ])('T35: makes no call if %s after the call was allowed', async (what, change, code, version) => {
    const automation = await enabled(
      source(what.replaceAll(' ', '-'), step('restart', 'restart_service') + step('after', 'check_web')),
    );
    const before = fleet.ledger.length;
    await Promise.all(workers.map((worker) => worker.stop()));
    await tick(automation);
    const { triggerAutomation, advanceAutomationRun } = api.installation.automation;
    await triggerAutomation.execute(tenant.id, automation.id as AutomationId);
    const [made] = await runsOf(automation.id);
    await advanceAutomationRun.execute(tenant.id, made?.id as AutomationRunId);
    expect((await runsOf(automation.id)).map(stepsOf)).toEqual([['restart calling']]);
    await change();
    workers = [await workerOf(api), await workerOf(api)];
    const run = await ended(automation);
    expect(stepsOf(run)).toEqual(['restart failed', 'after skipped']);
    expect(run).toMatchObject({ state: 'failed', error: { code: expect.stringMatching(code) as string } });
    expect(fleet.ledger).toHaveLength(before);
    await restore(version);
  });

  it('T42: is refused once a login to the database changed it', async () => {
    const { id } = await proposed(source('forged', step('look', 'check_web')));
    await api.db.owner.query(
      `update automation set state = 'disabled', version = version + 1 where tenant_id = $1 and id = $2`,
      [tenant.id, id],
    );
    expect((await ada.get(`/v1/automations/${id}`)).body.code).toBe('record.not_authentic');
  });

  it('T42: goes on with a true run behind one that a database login wrote, also if no hint arrived', async () => {
    const automation = await enabled(source('behind', step('look', 'check_web')));
    const before = callsOf('check_web');
    await api.db.owner.query(
      `insert into automation_run values ($1, gen_random_uuid(), $2, 2, 1, 'cron:forged', '{}', now() - interval '1 hour', 'queued', 0,
         null, null, now() - interval '1 hour', null, 'key.' || repeat('A', 43))`,
      [tenant.id, automation.id],
    );
    await Promise.all(workers.map((worker) => worker.stop()));
    await tick(automation);
    await api.installation.automation.triggerAutomation.execute(tenant.id, automation.id as AutomationId);
    workers = [await workerOf(api), await workerOf(api)];
    expect((await ended(automation)).state).toBe('completed');
    expect(callsOf('check_web')).toBe(before + 1);
  });

  it('T42: starts no run that a login to the database wrote', async () => {
    const automation = await enabled(source('written', step('look', 'check_web')));
    const before = callsOf('check_web');
    await api.db.owner.query(
      `insert into automation_run values ($1, gen_random_uuid(), $2, 2, 1, 'cron:forged', '{}', now(), 'queued', 0, null, null, now(),
         null, 'key.' || repeat('A', 43))`,
      [tenant.id, automation.id],
    );
    expect(await runsOf(automation.id)).toEqual([]);
    expect(await lastRunOf(automation)).toBeNull();
    await tick(automation);
    expect((await ended(automation)).occurrence).not.toBe('cron:forged');
    expect(callsOf('check_web')).toBe(before + 1);
    const back = api.db.owner.query(`update automation set version = version - 1 where tenant_id = $1 and id = $2`, [
      tenant.id,
      automation.id,
    ]);
    await expect(back).rejects.toMatchObject({ code: 'CS001' });
  });
});
