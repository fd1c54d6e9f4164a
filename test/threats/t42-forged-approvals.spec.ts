import type { ApprovalRequestView, ToolCallView } from '#lib/api-schemas';
import { newId, type RunId, type SimulationId, type ToolCallId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestPerson, type TestTenant } from '../support/api.js';
import { asTenant, FORGED_SEAL, reportOf, reportsOf, type Reports } from '../support/database-login.js';
import { autonomyDocument, equippedTenant, predictingToolServer } from '../support/equipped-tenant.js';
import { anotherTaskSpec, rolloutPlan } from '../support/stages.js';

let api: TestApi;
let reports: Reports;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let tenant: TestTenant;
let ada: TestPerson;
let ben: TestPerson;
let agent: HttpAs;
let admin: HttpAs;

beforeAll(async () => {
  fleet = await predictingToolServer();
  reports = reportsOf();
  api = await testApi({
    config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`], logLevel: 'error' },
    logTo: reports.logTo,
  });
  ({ tenant, admin } = await equippedTenant(api, fleet.port));
  const owner = await api.person(tenant, 'SRELead');
  ada = await api.person(tenant, 'SRELead');
  ben = await api.person(tenant, 'SRELead');
  agent = api.http((await api.agent(tenant, owner)).token);
  expectStatus(await admin.put('/v1/autonomy', autonomyDocument(true)), 200);
}, 120_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
});

async function asked(): Promise<ApprovalRequestView> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan()), 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as SimulationId;
  await api.installation.simulation.executeSimulation.execute(tenant.id, simulation);
  return expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, { start: 'manual' }), 201)
    .body as ApprovalRequestView;
}

const CALL = { tool: 'query_assets', environment: 'production', arguments: { role: 'web', drifted: true, limit: 5 } };

/** Puts an autonomy document in force, with the seal of the one before it. */
async function forgeAutonomy(of: TestTenant): Promise<string> {
  const id = newId();
  await asTenant(api, of, async (query) => {
    await query(
      `insert into autonomy_revision (tenant_id, id, number, source, source_sha256, document, digest, created_at, created_by, seal)
       select tenant_id, $1, number + 1, source, source_sha256, $2, digest, now(), created_by, seal
         from autonomy_revision order by number desc limit 1`,
      [id, JSON.stringify({ mode: 'full_auto' })],
    );
    await query('update autonomy_head set revision_id = $1', [id]);
  });
  return id;
}

/** A review of somebody's, copied from one they gave elsewhere, or of nothing. */
const insertReview = (request: string, person: TestPerson, seal: string, id = newId()): Promise<string> =>
  asTenant(api, tenant, (query) =>
    query(
      `insert into review (tenant_id, id, request_id, person_id, credential_id, verdict, roles, seat, subject_digest, decision_id, created_at, seal)
       select r.tenant_id, $2, r.id, $3, c.id, 'approve', '[{"role":"SRELead","assigned_at":1}]', '{"shared_with":[],"known_by":[]}', $5, r.decision_id, now(), $4
         from approval_request r, credential c, plan p
        where r.id = $1 and p.id = r.plan_id and c.person_id = $3 limit 1`,
      [request, id, person.id, seal, `sha256:${'0'.repeat(64)}`],
    ),
  ).then(() => id);

const approveBySql = (request: string): Promise<void> =>
  asTenant(api, tenant, (query) =>
    query(
      `update approval_request set state = 'approved', approved_at = now(), approval_expires_at = now() + interval '1 hour' where id = $1`,
      [request],
    ),
  );

const start = async (planId: string): Promise<unknown[]> => {
  const { status, body } = await agent.post(`/v1/plans/${planId}/runs`);
  return [status, String(body.code)];
};

describe('T42: a database login without the keyring approves', () => {
  it('by setting the state, which the reviews do not bear out', async () => {
    const request = await asked();
    await approveBySql(request.id);
    expect(await start(request.subject.id)).toEqual([403, 'policy.denied']);
  });

  it('with reviews of its own: the run is refused, and each is reported', async () => {
    const request = await asked();
    const forged = await insertReview(request.id, ada, FORGED_SEAL);
    await insertReview(request.id, ben, FORGED_SEAL);
    await approveBySql(request.id);
    expect(await start(request.subject.id)).toEqual([403, 'record.not_authentic']);
    expect(await reportOf(api, reports, 'review', forged, tenant)).toMatchObject({ logged: 1, audited: 1 });
    // No reader sees it as a review either.
    const shown = await agent.get(`/v1/approval-requests/${request.id}`);
    expect(shown.text).not.toContain(forged);
  });

  it('with the seal of a review that somebody did give', async () => {
    const given = await asked();
    const answer = await api
      .http(ada.token)
      .post(`/v1/approval-requests/${given.id}/reviews`, { subject_digest: given.subject.digest, verdict: 'approve' });
    expectStatus(answer, 201);
    const { rows } = await api.db.owner.query<{ seal: string }>('select seal from review where request_id = $1', [
      given.id,
    ]);
    const other = await asked();
    await insertReview(other.id, ada, rows[0]?.seal ?? '');
    const second = await api
      .http(ben.token)
      .post(`/v1/approval-requests/${other.id}/reviews`, { subject_digest: other.subject.digest, verdict: 'approve' });
    expect([second.status, second.body.code]).toEqual([403, 'record.not_authentic']);
  });

  it('of a request with terms of its own', async () => {
    const request = await asked();
    const id = newId();
    const { rows } = await api.db.owner.query<{ columns: string }>(
      `select string_agg(column_name, ', ') as columns from information_schema.columns
        where table_name = 'approval_request' and is_generated = 'NEVER'`,
    );
    const columns = rows[0]?.columns ?? '';
    await asTenant(api, tenant, async (query) => {
      await query(
        `update approval_request set state = 'voided', closed_at = now(), closed_reason = '{"code":"x","message":"x"}' where id = $1`,
        [request.id],
      );
      await query(
        `insert into approval_request (${columns})
           select ${columns.replaceAll(/\w+/g, 'forged.$&')} from approval_request r
             cross join lateral jsonb_populate_record(r, jsonb_build_object('id', $2::text, 'state', 'open',
               'closed_at', null, 'closed_reason', null, 'excluded', '[]'::jsonb)) forged
            where r.id = $1`,
        [request.id, id],
      );
    });
    const answer = await api
      .http(ada.token)
      .post(`/v1/approval-requests/${id}/reviews`, { subject_digest: request.subject.digest, verdict: 'approve' });
    expect([answer.status, answer.body.code]).toEqual([403, 'record.not_authentic']);
    expect(await reportOf(api, reports, 'approval_request', id, tenant)).toMatchObject({ logged: 1, audited: 1 });
  });
});

describe('T42: a database login without the keyring changes the rows of the gate', () => {
  it('with a change that somebody else never asked for: it is neither shown nor confirmed', async () => {
    const id = newId();
    await asTenant(api, tenant, (query) =>
      query(
        `insert into change_request (tenant_id, id, kind, state, subject_type, subject_id, what, reason, payload, base_digest, change_digest,
           loosens, detail, required_role, requested_by, credential_id, opened_at, expires_at, seal)
         select c.tenant_id, $1, 'role_assignment', 'open', 'person', $2, 'PlatformAdmin for ada', 'x', '{}', $3, $3, '["x"]', '{}', 'PlatformAdmin',
                c.person_id, c.id, now(), now() + interval '1 day', $4
           from credential c where c.person_id = $5 limit 1`,
        [id, ada.id, `sha256:${'0'.repeat(64)}`, FORGED_SEAL, ben.id],
      ),
    );
    expect((await admin.get('/v1/change-requests')).text).not.toContain(id);
    const read = await admin.get(`/v1/change-requests/${id}`);
    expect([read.status, read.body.code]).toEqual([403, 'record.not_authentic']);
    const refused = await admin.post(`/v1/change-requests/${id}/reject`, { comment: 'not mine' });
    expect([refused.status, refused.body.code]).toEqual([403, 'record.not_authentic']);
    expect(await reportOf(api, reports, 'change_request', id, tenant)).toMatchObject({ logged: 1, audited: 1 });
  });
});

describe('T42: a database login without the keyring changes the keys of evidence', () => {
  it.each(['audit-1', 'audit-1/../x', 'AUDIT'])(
    'with an audit key of its own, %s: it is never handed out',
    async (end) => {
      const keys = async () =>
        (expectStatus(await admin.get('/v1/audit/keys'), 200).body.items as { name: string }[]).map(({ name }) => name);
      const before = await keys();
      const name = `countersign/${tenant.id}/${end}`;
      await asTenant(api, tenant, (query) =>
        query(
          `insert into audit_signing_key (tenant_id, key_name, public_key, valid_from, valid_to)
         values ($1, $2, decode(repeat('ab', 32), 'hex'), now() - interval '2 days', now() - interval '1 day')`,
          [tenant.id, name],
        ),
      );
      expect(await keys()).toEqual(before);
    },
  );
});

describe('T42: a database login without the keyring executes', () => {
  it('with a run of its own, which nothing advances and anybody may still stop', async () => {
    const { id: plan } = (await asked()).subject;
    const id = newId<RunId>();
    const forger = { kind: 'system', id: 'run-executor', display_name: 'x', credential_id: null, on_behalf_of: null };
    await asTenant(api, tenant, (query) =>
      query(
        `insert into run (tenant_id, id, task_id, plan_id, plan_digest, headline, risk, environment_id, decision_id, approved_terms, state, phases,
                          health_round, event_count, started_by, created_at, updated_at, next_at, seal)
         select plan.tenant_id, $2, plan.task_id, plan.id, plan.digest, plan.headline, plan.risk, task.environment_id, plan.decision_id,
                decision.result - 'reasons', 'queued', 'all', 1, 0, $4, now(), now(), now(), $3
           from plan join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id
                join decision on decision.tenant_id = plan.tenant_id and decision.id = plan.decision_id where plan.id = $1`,
        [plan, id, FORGED_SEAL, JSON.stringify(forger)],
      ),
    );
    await expect(api.installation.run.advance.execute(tenant.id, id)).rejects.toMatchObject({
      failure: { code: 'record.not_authentic' },
    });
    expect(await reportOf(api, reports, 'run', id, tenant)).toMatchObject({ logged: 1, audited: 1 });
    expectStatus(await admin.post('/v1/halts', { kind: 'tenant', reason: 'somebody writes to the database' }), 201);
  });

  it('with an autonomy document that needs no approver: nothing is decided until an admin puts one', async () => {
    const id = await forgeAutonomy(tenant);
    const refused = await agent.post('/v1/tool-calls', CALL);
    expect([refused.status, refused.body.code]).toEqual([403, 'record.not_authentic']);
    expect(await reportOf(api, reports, 'autonomy_revision', id, tenant)).toMatchObject({ logged: 1, audited: 1 });
    const etag = (await admin.get('/v1/autonomy')).headers.etag ?? '';
    const put = await admin.put('/v1/autonomy', autonomyDocument(true), { 'if-match': etag });
    expect(put.status).toBeLessThan(300);
  });

  it('with an autonomy document, while a call is allowed: that call is denied once, and never sent', async () => {
    const own = await equippedTenant(api, fleet.port);
    expectStatus(await own.admin.put('/v1/autonomy', autonomyDocument(true)), 200);
    const asking = api.http((await api.agent(own.tenant, await api.person(own.tenant, 'SRELead'))).token);
    const allowed = expectStatus(await asking.post('/v1/tool-calls', CALL), 201).body as ToolCallView;
    expect(allowed.outcome).toBe('allowed');
    const id = await forgeAutonomy(own.tenant);
    await api.installation.toolCall.executeToolCall.execute(own.tenant.id, allowed.id as ToolCallId);
    const read = expectStatus(await asking.get(`/v1/tool-calls/${allowed.id}`), 200).body;
    expect(read).toMatchObject({ outcome: 'denied', denial: { code: 'record.not_authentic' }, execution: null });
    expect(await reportOf(api, reports, 'autonomy_revision', id, own.tenant)).toMatchObject({ logged: 1, audited: 1 });
  });

  it('with an autonomy document that was in force before: the newest alone is', async () => {
    const { rows } = await api.db.owner.query<{ id: string }>(
      'select id from autonomy_revision where tenant_id = $1 order by number',
      [tenant.id],
    );
    expect(rows.length).toBeGreaterThan(1);
    const back = asTenant(api, tenant, (query) => query('update autonomy_head set revision_id = $1', [rows[0]?.id]));
    await expect(back).rejects.toMatchObject({ code: 'CS001' });
    const anew = asTenant(api, tenant, async (query) => {
      await query('delete from autonomy_head');
      await query('insert into autonomy_head (tenant_id, revision_id, updated_at) values ($1, $2, now())', [
        tenant.id,
        rows[0]?.id,
      ]);
    });
    await expect(anew).rejects.toMatchObject({ code: 'CS001' });
  });
});
