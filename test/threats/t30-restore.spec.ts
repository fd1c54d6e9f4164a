import type { SimulationId } from '#lib/kernel';
import { expectStatus, testApi, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { rolloutPlan, anotherTaskSpec } from '../support/stages.js';

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let one: PopulatedTenant;
let other: PopulatedTenant;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  [one, other] = [await populatedTenant(api, toolServer.port), await populatedTenant(api, toolServer.port)];
}, 120_000);
afterAll(async () => {
  await api.close();
  await toolServer.close();
});

const sql = async (text: string, tenant: PopulatedTenant): Promise<readonly unknown[]> =>
  (await api.db.owner.query<Record<string, unknown>>(text, [tenant.tenant.id])).rows;

/** An unredeemed grant of a rollback: not even a halt revokes those. */
const liveGrant = (tenant: PopulatedTenant): Promise<unknown> =>
  sql(
    `insert into call_grant (tenant_id, id, environment, audience, basis, source_type, source_id, step, attempt, tool, arguments_digest, issued_at, expires_at, seal)
     values ($1, gen_random_uuid(), 'production', 'fleet', 'rollback', 'run', gen_random_uuid(), 's', 1, 'execute_rollout_prod',
       'sha256:' || repeat('0', 64), clock_timestamp(), clock_timestamp() + interval '60 seconds', 'k.' || repeat('0', 43))`,
    tenant,
  );

/** Two executions of hooks, as the backup tells: one waits, and one is sent. Neither has a call that can be read. */
async function openHooks(tenant: PopulatedTenant): Promise<void> {
  await sql(
    `insert into lifecycle_hook_execution (tenant_id, id, hook_id, hook, event, entry_id, kind, call, pool, environment, state, attempts,
                                           next_attempt_at, created_at)
     select $1, gen_random_uuid(), gen_random_uuid(), hook, 'run.failed', gen_random_uuid(), 'command', '{}', 'builders', 'production',
            'pending', 0, now(), now()
       from (values ('waits'), ('sent')) as open (hook)`,
    tenant,
  );
  await sql(
    "update lifecycle_hook_execution set state = 'sent', attempts = 1 where tenant_id = $1 and hook = 'sent'",
    tenant,
  );
}

/** An approval that no run has used yet, as far as the backup tells. */
async function approvedRequest({ tenant, everything }: PopulatedTenant): Promise<void> {
  const agent = await api.agent(tenant, await api.person(tenant));
  const as = api.http(agent.token);
  const created = async (path: string, body?: unknown): Promise<string> =>
    expectStatus(await as.post(path, body), 201).body.id as string;
  const task = await created('/v1/tasks', anotherTaskSpec());
  const plan = await created(`/v1/tasks/${task}/plans`, rolloutPlan());
  const simulation = expectStatus(await as.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(tenant.id, simulation);
  const request = await created(`/v1/plans/${plan}/approval-requests`, { start: 'manual' });
  const { digest } = (await as.get(`/v1/approval-requests/${request}`)).body.subject as { digest: string };
  const review = { verdict: 'approve', subject_digest: digest };
  expectStatus(await everything.post(`/v1/approval-requests/${request}/reviews`, review), 201);
}

const standing = async (tenant: PopulatedTenant): Promise<unknown> => ({
  runs: await sql('select state from run where tenant_id = $1', tenant),
  hooks: await sql('select state from lifecycle_hook_execution where tenant_id = $1 order by state', tenant),
  automations: await sql('select state from automation where tenant_id = $1', tenant),
  live: await sql('select state from approval_request where tenant_id = $1 and state = $$approved$$', tenant),
  grants: await sql(
    'select from call_grant where tenant_id = $1 and revoked_at is null and basis = $$rollback$$',
    tenant,
  ),
});

describe('T30: after a restore from a backup', () => {
  it('starts a signed new epoch, refuses earlier grants, and lets no run or automation go on, in that tenant alone', async () => {
    for (const tenant of [one, other]) {
      await liveGrant(tenant);
      await approvedRequest(tenant);
      await openHooks(tenant);
    }
    const untouched = await standing(other);
    // One run was approved, the other is under break-glass.
    expect(untouched).toEqual({
      runs: [{ state: 'queued' }, { state: 'queued' }],
      hooks: [{ state: 'pending' }, { state: 'sent' }],
      automations: [{ state: 'enabled' }],
      live: [{ state: 'approved' }],
      grants: [{}],
    });
    const before = expectStatus(await one.everything.get('/v1/audit/checkpoint'), 200).body.note as string;

    const body = { reason: 'The backup of noon was restored', last_published: before };
    // An admin alone changes nothing (T44); the operator says so on the server.
    expectStatus(await one.everything.post('/v1/audit/epochs', body), 202);
    expect(await standing(one)).toEqual(untouched);
    const command = { reason: body.reason, lastPublished: before };
    expect(await api.installation.audit.startEpoch.executeAsOperator(one.tenant.id, command)).toBe(2);

    expect(await standing(one)).toEqual({
      runs: [{ state: 'cancelled' }, { state: 'cancelled' }],
      hooks: [{ state: 'expired' }, { state: 'failed' }],
      automations: [{ state: 'paused' }],
      live: [],
      grants: [],
    });
    expect(await standing(other)).toEqual(untouched);

    await api.installation.audit.log.sequence.execute(one.tenant.id);
    const after = expectStatus(await one.everything.get('/v1/audit/checkpoint'), 200).body.note as string;
    // The epoch is part of the origin, the first line of the note. So no checkpoint of one passes for the other's.
    expect(after.split('\n')[0]).not.toBe(before.split('\n')[0]);
    const entries = await one.everything.get('/v1/audit/entries?action=audit_epoch.started');
    expect(entries.body.items).toEqual([
      expect.objectContaining({
        payload: expect.objectContaining({ epoch: 2, last_published_checkpoint: before, reason: body.reason }),
      }),
    ]);
  });

  it('takes a PlatformAdmin to say so', async () => {
    const lead = api.http((await api.person(one.tenant, 'SRELead')).token);
    expect((await lead.post('/v1/audit/epochs', { reason: 'x' })).status).toBe(403);
  });
});
