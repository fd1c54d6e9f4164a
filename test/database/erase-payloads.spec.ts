import type { SimulationId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let world: PopulatedTenant;
let agent: HttpAs;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  world = await populatedTenant(api, toolServer.port);
  const owner = await api.person(world.tenant);
  agent = api.http((await api.agent(world.tenant, owner)).token);
  // Every payload is older than a rule of no days: only spared ones stay.
  for (const name of ['keep_days_check', 'minimum_check'])
    await api.db.owner.query(`alter table audit_retention drop constraint audit_retention_${name}`);
  await api.db.owner.query(
    `insert into audit_retention (tenant_id, level, keep_days, set_at)
     select $1, level, 0, now() from unnest(array['basic', 'detailed', 'full', 'full_with_evidence', 'critical']) level`,
    [world.tenant.id],
  );
}, 120_000);
afterAll(async () => {
  await toolServer.close();
  await api.close();
});

const erase = (): Promise<number> => api.installation.audit.log.erasePayloads.execute(world.tenant.id);

/** How many payloads there are of the entries of a task, and how many were erased. */
async function payloadsOf(task: string): Promise<{ readonly kept: number; readonly erased: number }> {
  const { rows } = await api.db.owner.query<{ kept: string; erased: string }>(
    `select count(payload) as kept, count(*) - count(payload) as erased from audit_entry entry
      where entry.tenant_id = $1 and coalesce(
        (select task_id::text from plan where plan.tenant_id = entry.tenant_id and plan.id::text = entry.within -> 0 ->> 'id'),
        entry.within -> 0 ->> 'id') = $2`,
    [world.tenant.id, task],
  );
  return { kept: Number(rows[0]?.kept), erased: Number(rows[0]?.erased) };
}
const ofChange = async (): Promise<number> => {
  const { rows } = await api.db.owner.query(
    `select from audit_entry entry
      where entry.payload is not null and entry.tenant_id = $1 and entry.subject_type = 'change_request' and entry.subject_id = $2
        and entry.action <> 'change_request.withdrawn'`,
    [world.tenant.id, world.ids.change],
  );
  return rows.length;
};

/** A task with a plan that waits for approval. */
async function asked(): Promise<{ readonly task: string; readonly request: string }> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-erased')), 201).body
    .id as string;
  const simulation = await agent.post(`/v1/plans/${plan}/simulations`);
  await api.installation.simulation.executeSimulation.execute(world.tenant.id, simulation.body.id as SimulationId);
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body.id as string;
  return { task, request };
}

describe('erasing by the retention rule', () => {
  it('spares a task with a live run, and an open change, however old their payloads are', async () => {
    const [before, change] = [await payloadsOf(world.ids.task ?? ''), await ofChange()];
    expect(before.kept).toBeGreaterThan(5);
    expect(change).toBeGreaterThan(0);
    expect(await erase()).toBeGreaterThan(0);
    expect(await payloadsOf(world.ids.task ?? '')).toEqual(before);
    expect(await ofChange()).toBe(change);
  });

  it('spares a task with an unreviewed break-glass incident', async () => {
    const { rows } = await api.db.owner.query<{ task_id: string }>('select task_id from incident where id = $1', [
      world.ids.incident,
    ]);
    await erase();
    expect(await payloadsOf(rows[0]?.task_id ?? '')).toMatchObject({ erased: 0 });
  });

  it('spares a task with an open request, and erases once it is closed', async () => {
    const { task, request } = await asked();
    const { kept } = await payloadsOf(task);
    expect(kept).toBeGreaterThan(2);
    await erase();
    expect(await payloadsOf(task)).toMatchObject({ kept, erased: 0 });
    expectStatus(await agent.post(`/v1/approval-requests/${request}/withdraw`), 200);
    await erase();
    expect(await payloadsOf(task)).toMatchObject({ kept: 0 });
  });

  it('erases the words of precedents in the same transaction, and keeps their structure', async () => {
    const task = expectStatus(
      await agent.post('/v1/tasks', anotherTaskSpec({ goal: 'Remediate the quokka drift' })),
      201,
    ).body.id as string;
    const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-quokka')), 201).body
      .id as string;
    const simulation = await agent.post(`/v1/plans/${plan}/simulations`);
    await api.installation.simulation.executeSimulation.execute(world.tenant.id, simulation.body.id as SimulationId);
    const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body.id as string;
    expectStatus(await agent.post(`/v1/approval-requests/${request}/withdraw`), 200);
    const reader = api.http(world.tenant.admin.token);
    const found = async (query: string) =>
      (expectStatus(await reader.get(`/v1/precedents?${query}`), 200).body.items as { id: string }[]).map(
        ({ id }) => id,
      );
    const remains = async () =>
      (
        await api.db.owner.query<{ goal: string | null; own_words: string | null; tools: string[]; ended_as: string }>(
          'select goal, own_words, tools, ended_as from precedent where id = $1',
          [request],
        )
      ).rows[0];
    expect(await found('text=quokka')).toContain(request);
    expect(await found('text=quokak')).toContain(request);
    await erase();
    expect(await found('text=quokka')).toEqual([]);
    expect(await found('text=quokak')).toEqual([]);
    expect(await remains()).toMatchObject({ goal: null, own_words: null, ended_as: 'voided' });
    expect((await remains())?.tools).toContain('execute_rollout_prod');
    expect(await found('tools=execute_rollout_prod&limit=20')).toContain(request);
    const left = await api.db.owner.query(
      `select from precedent_term where term like '%quokka%' union all select from precedent_gram where term like '%quokka%'`,
    );
    expect(left.rows).toEqual([]);

    // The next revision of the same task brings no erased word back.
    const next = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-numbat')), 201).body
      .id as string;
    const again = await agent.post(`/v1/plans/${next}/simulations`);
    await api.installation.simulation.executeSimulation.execute(world.tenant.id, again.body.id as SimulationId);
    const later = expectStatus(await agent.post(`/v1/plans/${next}/approval-requests`, {}), 201).body.id as string;
    const asked = expectStatus(await reader.get(`/v1/approval-requests/${later}/precedents`), 200).body;
    expect(JSON.stringify(asked)).not.toContain('quokka');
    expectStatus(await agent.post(`/v1/approval-requests/${later}/withdraw`), 200);
    expect(await found('text=quokka')).toEqual([]);
    expect(await found('text=numbat')).toContain(later);
    const { rows } = await api.db.owner.query('select goal, own_words from precedent where id = $1', [later]);
    expect(rows).toEqual([{ goal: null, own_words: expect.stringContaining('web-numbat') as string }]);
  });

  it('erases the payloads of a change once it is decided', async () => {
    expectStatus(
      await api.http(world.tenant.admin.token).post(`/v1/change-requests/${world.ids.change ?? ''}/withdraw`),
      200,
    );
    await erase();
    expect(await ofChange()).toBe(0);
  });
});
