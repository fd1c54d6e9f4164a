import { NO_PROGRESS } from '#lib/impact';
import type { SimulationId } from '#lib/kernel';
import type { AutomationId } from '#lib/automation';
import { trustedCall } from './agent-session.js';
import { expectStatus, type HttpAs, type TestApi, type TestTenant } from './api.js';
import { autonomyDocument, equippedTenant } from './equipped-tenant.js';
import { enrolTotp, startStepUp, steppedUp } from './second-factors.js';
import { browserSessionOf } from './browser-session.js';
import { rolloutPlan, anotherTaskSpec } from './stages.js';

/** The ids of one thing of every kind, all of one tenant. */
export interface PopulatedTenant {
  readonly tenant: TestTenant;
  /** A credential with every scope, of a person with every role. */
  readonly everything: HttpAs;
  /** By kind: `person`, `agent`, `task`, `plan`, `run`, … */
  readonly ids: Readonly<Record<string, string>>;
}

const BREAK_GLASS = `emergency_override:
  enabled: true
  allowed_roles: [SRELead]
`;

/** A tenant that has gone all the way: a task, its plan, simulation, approval and run, and everything beside them. */
export async function populatedTenant(api: TestApi, toolServerPort: number): Promise<PopulatedTenant> {
  const { tenant, admin } = await equippedTenant(api, toolServerPort);
  const created = async (as: HttpAs, path: string, body?: unknown): Promise<string> => {
    const answer = await as.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id as string;
  };
  const firstOf = async (path: string): Promise<string> => {
    const [item] = expectStatus(await admin.get(path), 200).body.items as { id?: string; header?: { id: string } }[];
    const id = item?.id ?? item?.header?.id;
    if (id === undefined) throw new Error(`nothing at ${path}`);
    return id;
  };

  const [owner, lead] = [await api.person(tenant), await api.person(tenant, 'SRELead')];
  const autonomy = await admin.put('/v1/autonomy', `${autonomyDocument(false)}${BREAK_GLASS}`);
  if (autonomy.status >= 300) throw new Error(autonomy.text);
  const upstream = { kind: 'mcp', url: 'https://mcp.example.com/' };
  expectStatus(await admin.put('/v1/environments/staging/executors/ops', upstream), 200);
  const runner = await created(admin, '/v1/runners', { name: 'build-01', pool: 'builders', environments: ['staging'] });
  // From here on, loosening changes of the first admin wait.
  const all = await api.person(tenant, 'PlatformAdmin', 'SRELead', 'DevOpsEngineer', 'SecurityReviewer');
  const change = await created(admin, `/v1/people/${owner.id}/roles`, { role: 'DevOpsEngineer' });
  const agent = await api.agent(tenant, owner);
  const as = api.http(agent.token);

  const task = await created(as, '/v1/tasks', anotherTaskSpec());
  const plan = await created(as, `/v1/tasks/${task}/plans`, rolloutPlan());
  const simulation = await created(as, `/v1/plans/${plan}/simulations`);
  await api.installation.simulation.executeSimulation.execute(tenant.id, simulation as SimulationId);
  const request = await created(as, `/v1/plans/${plan}/approval-requests`, { start: 'manual' });
  const { digest } = (await as.get(`/v1/approval-requests/${request}`)).body.subject as { digest: string };
  expectStatus(
    await api
      .http(lead.token)
      .post(`/v1/approval-requests/${request}/reviews`, { verdict: 'approve', subject_digest: digest }),
    201,
  );
  const run = await created(as, `/v1/plans/${plan}/runs`);
  const step = (await as.get(`/v1/runs/${run}`)).body.steps[0].id as string;
  const halt = await created(api.http(all.token), '/v1/halts', {
    kind: 'environment',
    environment: 'staging',
    reason: 'a drill',
  });
  const agentSession = await created(as, '/v1/sessions', { environment: 'staging' });
  const [automation, automationRun] = await startedAutomation(api, tenant, admin);
  const browserSession = await browserSessionOf(api, tenant, owner);
  const always = { tool: 'query_alerts', shape: '{"targets":["web-01"]}' };
  const totp = await enrolTotp(api, all);
  const urgent = await created(as, '/v1/tasks', anotherTaskSpec());
  const inHaste = await as.post(`/v1/tasks/${urgent}/plans`, rolloutPlan());
  const emergency = {
    plan_id: expectStatus(inHaste, 201).body.id as string,
    plan_digest: inHaste.body.digest as string,
    justification: 'The primary database is down and customers cannot pay',
  };
  const stepUpId = await steppedUp(api.http(all.token), totp, { kind: 'break_glass', ...emergency });
  const broken = await api.http(all.token).post('/v1/break-glass', { ...emergency, step_up_id: stepUpId });
  await api.installation.audit.log.sequence.execute(tenant.id);

  return {
    tenant,
    everything: api.http(all.token),
    ids: {
      person: owner.id,
      agent: agent.id,
      runner,
      runnerCall: await offeredCall(api, tenant),
      token: await firstOf('/v1/tokens'),
      environment: await firstOf('/v1/environments'),
      task,
      plan,
      simulation,
      request,
      run,
      step,
      halt,
      incident: expectStatus(broken, 201).body.incident_id as string,
      toolCall: await created(as, '/v1/tool-calls', {
        tool: 'generate_compliance_evidence',
        environment: 'production',
        arguments: { framework: 'cis', from: '2026-01-01', to: '2026-03-31' },
      }),
      absence: await created(api.http(all.token), '/v1/absences', {
        delegate_id: lead.id,
        until: new Date(Date.now() + 86_400_000).toISOString(),
      }),
      change,
      impactReport: await cancelledImpact(api, tenant, change),
      decision: await firstOf('/v1/decisions'),
      entry: await firstOf('/v1/audit/entries'),
      factor: totp.id,
      browserSession,
      agentSession,
      automation,
      automationRun,
      trust: await trustedCall(api, tenant, owner.id, agentSession, always),
      stepUp: (await startStepUp(api.http(all.token))).id,
      message: await firstOf('/v1/outbox?state=pending'),
      ...(await keptWebhook(api, tenant)),
      collector: await keptCollector(api, tenant),
      embedder: await keptEmbedder(api, tenant),
      page: await failedPage(api, expectStatus(broken, 201).body.incident_id as string),
      subscription: await created(api.http(all.token), '/v1/push-subscriptions', {
        endpoint: 'https://push.example.com/send/1',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      }),
    },
  };
}

/** The page of an incident that PagerDuty did not get. */
async function failedPage(api: TestApi, incidentId: string): Promise<string> {
  const { rows } = await api.db.owner.query<{ id: string }>(
    `insert into incident_page (tenant_id, id, incident_id, action, state, next_attempt_at, created_at)
     select tenant_id, gen_random_uuid(), id, 'trigger', 'failed', now(), now() from incident where id = $1 returning id`,
    [incidentId],
  );
  return rows[0]?.id ?? '';
}

/** A webhook that is off, and a delivery that failed. */
async function keptWebhook(
  { db }: TestApi,
  { id, admin }: TestTenant,
): Promise<{ webhook: string; webhookDelivery: string }> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into webhook_endpoint (tenant_id, id, url, description, events, enabled, off_reason, times_off, created_by, created_at)
     values ($1, gen_random_uuid(), 'https://hooks.example.com/in', '', '{run.*}', false, 'person', 0, $2, now()) returning id`,
    [id, admin.id],
  );
  const webhook = rows[0]?.id ?? '';
  const pending = await db.owner.query<{ id: string }>(
    `insert into webhook_delivery (tenant_id, id, endpoint_id, event, body, state, times_off, attempts, tries, next_attempt_at, created_at)
     values ($1, gen_random_uuid(), $2, 'run.started', '{}', 'pending', 0, 0, '[]', now(), now()) returning id`,
    [id, webhook],
  );
  return { webhook, webhookDelivery: pending.rows[0]?.id ?? '' };
}

/** The impact of a change, whose work was cancelled. */
async function cancelledImpact({ db }: TestApi, { id, admin }: TestTenant, change: string): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into impact_report (tenant_id, id, change_id, asked_by, phase, followed, since, until, progress, created_at, finished_at)
     values ($1, gen_random_uuid(), $2, $3, 'cancelled', false, now() - interval '1 day', now(), $4, now(), now()) returning id`,
    [id, change, admin.id, JSON.stringify(NO_PROGRESS)],
  );
  return rows[0]?.id ?? '';
}

/** A SIEM collector that nothing is sent to. */
async function keptCollector({ db }: TestApi, { id, admin }: TestTenant): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into siem_collector (tenant_id, id, url, generation, created_by, created_at)
     values ($1, gen_random_uuid(), 'https://siem.example.com/in', 1, $2, now()) returning id`,
    [id, admin.id],
  );
  return rows[0]?.id ?? '';
}

/** An embedder that is not asked. */
async function keptEmbedder({ db }: TestApi, { id, admin }: TestTenant): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into embedder (tenant_id, id, url, model, generation, next_at, created_by, created_at)
     values ($1, gen_random_uuid(), 'https://models.example.com/v1', 'one', 1, now() + interval '1 day', $2, now()) returning id`,
    [id, admin.id],
  );
  return rows[0]?.id ?? '';
}

/** A call that waits for a runner of a pool. */
async function offeredCall({ db }: TestApi, { id }: TestTenant): Promise<string> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into runner_dispatch (tenant_id, id, pool, environment, executor, source_type, source_id, step, attempt, tool, tool_version,
                                  arguments, with_secrets, idempotency_key, grant_token, state, offered_at, offered_until, answer_by)
     values ($1, gen_random_uuid(), 'builders', 'staging', 'workspace', 'run', gen_random_uuid(), 's', 1, 'file-read', 1,
             '{}', false, 'k', 'a grant', 'waiting', now(), now() + interval '10 seconds', now() + interval '20 seconds')
     returning id`,
    [id],
  );
  return rows[0]?.id ?? '';
}

/** An automation with a run that waits for its turn. */
async function startedAutomation(api: TestApi, tenant: TestTenant, admin: HttpAs): Promise<[string, string]> {
  const source = `name: nightly
environment: staging
triggers: [{ type: cron, schedule: "* * * * *", time_zone: UTC }]
steps: [{ id: tell, type: notify, message: It is night. }]
`;
  const { body } = expectStatus(await admin.post('/v1/automations', { source }), 201);
  const { id, source_sha256 } = body as { id: AutomationId; source_sha256: string };
  expectStatus(await admin.post(`/v1/automations/${id}/enable`, { source_sha256 }), 200);
  await api.db.owner.query(
    `update automation set looked_until = now() - interval '1 minute', next_at = now() where tenant_id = $1 and id = $2`,
    [tenant.id, id],
  );
  await api.installation.automation.triggerAutomation.execute(tenant.id, id);
  const [run] = expectStatus(await admin.get(`/v1/automations/${id}/runs`), 200).body.items as [{ id: string }];
  return [id, run.id];
}
