import { expectStatus, testApi, type TestApi } from '../support/api.js';

let api: TestApi;

beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const autonomy = [
  'autonomy:',
  '  mode: plan_only',
  '  environments:',
  '    production: { mode: full_auto, allowed_approvers: [SRELead] }',
].join('\n');

interface Step {
  readonly step: string;
  readonly done: boolean;
  readonly detail: string;
}

describe('how far a tenant is set up', () => {
  it('is read from the tenant’s own state, step by step', async () => {
    const tenant = await api.tenant();
    const ada = api.http(tenant.admin.token);
    const setUp = async (): Promise<readonly Step[]> =>
      (expectStatus(await ada.get('/v1/set-up'), 200).body as { steps: Step[] }).steps;
    const done = async (): Promise<string[]> => (await setUp()).filter((step) => step.done).map(({ step }) => step);
    const detail = async (of: string): Promise<string | undefined> =>
      (await setUp()).find(({ step }) => step === of)?.detail;

    expect(await done()).toEqual([]);
    expect(await detail('second_admin')).toContain('First Admin is the only admin.');

    const sam = await api.person(tenant, 'SRELead');
    expectStatus(
      await ada.put('/v1/configuration/environments', 'environments:\n  production: { production: true }\n'),
      200,
    );
    expectStatus(
      await ada.put(
        '/v1/configuration/executors',
        'executors:\n  production:\n    default: { kind: http, url: "https://tools.example/" }\n',
      ),
      200,
    );
    expectStatus(await ada.put('/v1/autonomy', autonomy), 200);
    expect(await done()).toEqual(['executor', 'autonomy']);
    expect(await detail('executor')).toBe('production/default carries out tools.');

    const agent = await api.agent(tenant, sam);
    expect(await done()).toEqual(['executor', 'autonomy', 'agent']);
    const short = await detail('reviewers');
    expect(short).toMatch(
      /^Too few people could approve requests of .* in production: it takes 1 of SRELead, and nobody/,
    );
    expect(short).toContain(`${sam.email} may not review it`);
    const counted = expectStatus(await ada.get(`/v1/agents/${agent.id}/reviewers`), 200).body as object;
    expect(counted).toMatchObject({
      items: [{ environment: 'production', tool: null, enough: false, missing: [{ count: 1 }], warning: short }],
    });
    const automated = await api.agent(tenant, sam);
    await api.db.owner.query(`update credential set kind = 'automation' where agent_id = $1`, [automated.id]);
    // It asks no person, so no reviewer is missing.
    expect(expectStatus(await ada.get(`/v1/agents/${automated.id}/reviewers`), 200).body).toEqual({ items: [] });

    const lea = await api.person(tenant, 'SRELead');
    expect(expectStatus(await ada.get(`/v1/agents/${agent.id}/reviewers`), 200).body).toMatchObject({
      items: [{ enough: true, missing: [], people: [{ id: lea.id }], warning: null }],
    });
    expect(await done()).toEqual(['executor', 'autonomy', 'agent', 'reviewers']);

    await api.person(tenant, 'PlatformAdmin');
    expect(await done()).toContain('second_admin');
    expect(await done()).not.toContain('second_factor');
  });

  it('counts a second admin of the first one’s hand as none', async () => {
    const tenant = await api.tenant();
    const ada = api.http(tenant.admin.token);
    const mia = expectStatus(await ada.post('/v1/people', { email: 'mia@example.com', display_name: 'Mia' }), 201)
      .body as { id: string };
    expectStatus(await ada.post(`/v1/people/${mia.id}/roles`, { role: 'PlatformAdmin' }), 201);
    const invited = expectStatus(await ada.post(`/v1/people/${mia.id}/enrolment`), 201).body as {
      enrolment_token: string;
    };
    expectStatus(
      await api
        .http()
        .post('/v1/enrolment', { enrolment_token: invited.enrolment_token, name: 'test', scopes: ['read'] }),
      201,
    );
    const { steps } = expectStatus(await ada.get('/v1/set-up'), 200).body as { steps: Step[] };
    expect(steps[0]).toMatchObject({
      step: 'second_admin',
      done: false,
      detail: expect.stringContaining('came in by one hand and share one vote') as unknown,
    });
  });
});

describe('roles', () => {
  it('are known from documents, mappings and people, and a near-miss is warned about', async () => {
    const tenant = await api.tenant();
    const ada = api.http(tenant.admin.token);
    const known = async () => expectStatus(await ada.get('/v1/roles'), 200).body as { items: object[] };
    expect((await known()).items).toContainEqual({ role: 'SRELead', by: ['standard'] });
    const document =
      'autonomy:\n  mode: plan_only\n  allowed_approvers: [SRELead]\nemergency_override:\n  enabled: false\n';
    expectStatus(await ada.put('/v1/autonomy', document), 200);
    expect((await known()).items).toContainEqual({ role: 'SRELead', by: ['standard', 'autonomy'] });
    expect(expectStatus(await ada.get('/v1/roles?name=SRELeed'), 200).body).toMatchObject({
      warnings: ['No document knows SRELeed; did you mean SRELead?'],
    });

    const mia = await api.person(tenant);
    const assigned = expectStatus(await ada.post(`/v1/people/${mia.id}/roles`, { role: 'SRELeed' }), 201)
      .body as object;
    expect(assigned).toMatchObject({ role_warnings: ['No document knows SRELeed; did you mean SRELead?'] });
    const meant = expectStatus(await ada.post(`/v1/people/${mia.id}/roles`, { role: 'SRELead' }), 201).body as object;
    expect(meant).not.toHaveProperty('role_warnings');

    await api.person(tenant, 'PlatformAdmin');
    const waits = expectStatus(
      await ada.post('/v1/invitations', { email: 'zoe@example.com', display_name: 'Zoe', roles: ['SecurityReviwer'] }),
      202,
    ).body as { id: string };
    const warnings = ['No document knows SecurityReviwer; did you mean SecurityReviewer?'];
    expect(waits).toMatchObject({ role_warnings: warnings });
    expect(expectStatus(await ada.get(`/v1/change-requests/${waits.id}`), 200).body).toMatchObject({
      role_warnings: warnings,
    });
  });
});

describe('the decision log', () => {
  it('has the format of OPA’s own log, as the database has it, for people with the scope audit', async () => {
    const tenant = await api.tenant();
    const ada = api.http(tenant.admin.token);
    expectStatus(await ada.put('/v1/configuration/environments', 'environments:\n  qa: { production: false }\n'), 200);
    const look = {
      description: 'Looks.',
      risk: 'read_only',
      idempotent: true,
      scope: 'asset',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    };
    expectStatus(await ada.put('/v1/tools/look', look), 200);
    const call = { tool: 'look', environment: 'qa', arguments: {} };
    expectStatus(await ada.post('/v1/tool-calls', call), 201);
    const { items } = expectStatus(await ada.get('/v1/decision-log'), 200).body as {
      items: { decision_id: string; path: string }[];
    };
    expect(items).toMatchObject([
      { path: 'countersign/tool_call/decision', decision_id: expect.any(String) as unknown },
    ]);
    const { rows } = await api.db.owner.query<{ event: object }>(
      `select event from decision_log where tenant_id = $1 and event ->> 'decision_id' = $2`,
      [tenant.id, items[0]?.decision_id],
    );
    expect(rows).toHaveLength(1);
    expect(items).toContainEqual(rows[0]?.event);
    const plain = await api.person(tenant);
    expect((await api.http(plain.token).get('/v1/decision-log')).body).toMatchObject({
      code: 'credential.scope_missing',
    });
  });
});
