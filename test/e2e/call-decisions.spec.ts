import type { CallDecisionView } from '#lib/api-schemas';
import { newId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
`;

let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let bot: { readonly id: string; readonly token: string };
let agent: HttpAs;
let session: string;

const COMMANDS = ['git status', 'rm -rf /', 'cat notes.txt | sort', 'frobnicate --hard'];

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  bot = await api.agent(tenant, await api.person(tenant));
  agent = api.http(bot.token);
  session = expectStatus(await agent.post('/v1/sessions', { environment: 'development' }), 201).body.id as string;
  for (const command of COMMANDS) {
    const path = `/v1/sessions/${session}/tool-calls`;
    const { body } = expectStatus(await agent.post(path, { tool: 'shell', arguments: { command } }), 201);
    // An admin decides about it, not its agent.
    if (body.outcome === 'pending') expectStatus(await admin.post(`/v1/tool-calls/${String(body.id)}/cancel`), 200);
  }
  const single = { tool: 'shell', environment: 'development', arguments: { command: 'ls -l' } };
  expectStatus(await agent.post('/v1/tool-calls', single), 201);
  const look = { tool: 'query_assets', environment: 'development', arguments: {} };
  expectStatus(await agent.post('/v1/tool-calls', look), 201);
  expectStatus(await agent.post('/v1/tool-calls', { ...look, tool: 'no_such_tool' }), 201);
});
afterAll(() => api.close());

const found = async (query: string): Promise<readonly CallDecisionView[]> =>
  expectStatus(await admin.get(`/v1/audit?${query}`), 200).body.items as readonly CallDecisionView[];

const lines = async (query: string): Promise<readonly (string | undefined)[]> =>
  (await found(query)).map(({ summary }) => summary.split(': ')[1]);

describe('GET /v1/sessions/:id/tool-calls', () => {
  it('answers the calls of a session, newest first, with their verdicts', async () => {
    const { items } = expectStatus(await agent.get(`/v1/sessions/${session}/tool-calls?limit=2`), 200).body;
    expect(items).toMatchObject([
      { command: 'frobnicate --hard', risk: 'high', state: 'denied', decision: 'cancelled', shell: { tier: 2 } },
      {
        tool: 'shell',
        command: 'cat notes.txt | sort',
        arguments: { command: 'cat notes.txt | sort' },
        submitter: { kind: 'agent', id: bot.id },
        risk: 'low',
        state: 'allowed',
        decision: 'auto_approved',
        answer_by: null,
        request_id: null,
        shell: {
          tier: 1,
          parts: [
            { start: 0, end: 13 },
            { start: 16, end: 20 },
          ],
        },
      },
    ]);
    const stranger = api.http((await api.agent(tenant, await api.person(tenant))).token);
    expect((await stranger.get(`/v1/sessions/${session}/tool-calls`)).status).toBe(404);
  });
});

describe('GET /v1/audit', () => {
  it('answers the decisions of a session, newest first, each in a line', async () => {
    const decisions = await found(`session_id=${session}`);
    expect(decisions.map(({ summary }) => summary)).toEqual([
      'shell in development, tier 2 UNKNOWN, cancelled: frobnicate --hard',
      'shell in development, tier 1 READ_ONLY, auto approved: cat notes.txt | sort',
      'shell in development, tier 3 DESTRUCTIVE, denied: rm -rf /',
      'shell in development, tier 1 READ_ONLY, auto approved: git status',
    ]);
    expect(decisions[3]).toMatchObject({
      session_id: session,
      agent_id: bot.id,
      tool: 'shell',
      environment: 'development',
      risk: 'low',
      tier: 1,
      class: 'READ_ONLY',
      decision: 'auto_approved',
    });
    const proof = expectStatus(await admin.get(`/v1/audit/entries/${decisions[3]?.id ?? ''}`), 200).body;
    expect(proof.header).toMatchObject({
      subject: { type: 'tool_call', id: decisions[3]?.tool_call_id },
      within: [{ type: 'session', id: session }],
    });
  });

  it('finds calls by tool, tier, class, decision, agent and time', async () => {
    expect(await lines('tool=shell&tier=3')).toEqual(['rm -rf /']);
    expect(await lines('tool=shell&tier=1')).toEqual(['ls -l', 'cat notes.txt | sort', 'git status']);
    expect((await found('command_lines=true&limit=2')).map(({ command }) => command)).toEqual([
      'ls -l',
      'frobnicate --hard',
    ]);
    expect(await lines('class=UNKNOWN')).toEqual(['frobnicate --hard']);
    expect(await lines(`session_id=${session}&decision=auto_approved`)).toEqual(['cat notes.txt | sort', 'git status']);
    expect(await found(`agent_id=${newId()}`)).toEqual([]);
    expect(await found(`agent_id=${bot.id}&until=2026-01-01T00:00:00Z`)).toEqual([]);
  });

  it('finds the calls of an agent, also those that a person decided about', async () => {
    const ofSession = `session_id=${session}`;
    expect(await lines(`${ofSession}&agent_id=${bot.id}`)).toEqual(await lines(ofSession));
    expect(await lines(`${ofSession}&agent_id=${bot.id}&decision=cancelled`)).toEqual(['frobnicate --hard']);
    expect(await lines(`${ofSession}&actor_id=${bot.id}&decision=cancelled`)).toEqual([]);
    expect(await lines(`${ofSession}&agent_id=${tenant.admin.id}`)).toEqual([]);
  });

  it('answers calls outside a session too, and those of a tool that is not there', async () => {
    const [unknown, look] = await found('limit=2');
    expect(unknown).toMatchObject({
      session_id: null,
      tool: 'no_such_tool',
      risk: null,
      tier: null,
      decision: 'denied',
    });
    expect(look).toMatchObject({ tool: 'query_assets', risk: 'low', tier: null, class: null, command: null });
  });

  it('drops nothing at 500 entries, and pages through all of them', async () => {
    const other = newId();
    const { sink } = api.installation.audit.log;
    await api.database.uow.run(tenant.id, async (tx) => {
      for (let n = 0; n < 520; n += 1)
        await sink.record(tx, {
          action: 'tool_call.decided',
          actor: { kind: 'agent', id: bot.id, display_name: 'Bot', credential_id: newId(), on_behalf_of: null },
          level: 'basic',
          subject: { type: 'tool_call', id: newId() },
          within: [{ type: 'session', id: other }],
          payload: { tool: 'shell', tool_version: 1, environment: 'development', decided_as: 'denied', n },
        });
    });
    const seen = new Set<string>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = expectStatus(await admin.get(`/v1/audit?session_id=${other}&limit=200${after}`), 200).body;
      for (const { id } of page.items as CallDecisionView[]) seen.add(id);
      cursor = page.next_cursor as string | null;
    }
    expect(seen.size).toBe(520);
  });

  it('lists the other entries of a session as well, under /v1/audit/entries', async () => {
    const { items } = expectStatus(await admin.get(`/v1/audit/entries?session_id=${session}`), 200).body;
    expect((items as { header: { action: string } }[]).map(({ header }) => header.action)).toEqual([
      'tool_call.decided',
      'approval_request.voided',
      'tool_call.asked',
      'approval_request.opened',
      'tool_call.decided',
      'tool_call.decided',
      'tool_call.decided',
      'session.opened',
    ]);
  });

  it('is for those who may read the audit log, and refuses a filter that it does not know', async () => {
    expect(expectStatus(await agent.get('/v1/audit'), 403).body.code).toBe('credential.scope_missing');
    expect(expectStatus(await admin.get('/v1/audit?tier=4'), 422).body.code).toBe('request.query_invalid');
    expect(expectStatus(await admin.get('/v1/audit?cursor=x'), 422).body.code).toBe('request.cursor_invalid');
  });
});
