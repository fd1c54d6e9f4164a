import { routesThrough, type ApiCall } from './api-calls.js';
import { McpAddresses } from './mcp-addresses.js';
import { MCP_TOOLS } from './mcp-tools.js';

const ID = '0199c0de-0000-7000-8000-000000000001';
const addresses = new McpAddresses('https://plane.example');
const call = { tool: 'label_sandbox', arguments: {} };
const task = { goal: 'To tidy up', task_type: 'tidying', environment: 'staging' };
const step = { id: 'one', tool: 'label_sandbox', arguments: {} };
const plan = { summary: 'One label', phases: [{ name: 'label', targets: ['one'], steps: [step] }] };

/** Enough of an approval request. */
const REQUEST = {
  environment: { name: 'staging', production: false },
  quorum: { open: [] },
  reviews: [],
  said_by_the_requester: { goal: 'To tidy up' },
};

const REFUSED = { failure: { code: 'request.invalid', errors: [{ pointer: expect.any(String) as string }] } };

/** An input of each tool. */
const INPUTS: Readonly<Record<string, readonly object[]>> = {
  submit_task: [task],
  get_task: [{ task_id: ID }],
  submit_plan: [{ task_id: ID, plan }],
  get_plan: [{ plan_id: ID }],
  simulate_plan: [{ plan_id: ID }],
  get_simulation: [{ simulation_id: ID }],
  request_approval: [{ plan_id: ID }],
  get_request_status: [{ request_id: ID }],
  submit_tool_call: [
    { ...call, environment: 'staging' },
    { ...call, session_id: ID },
  ],
  get_tool_call: [{ tool_call_id: ID }],
  list_tools: [{}],
  explain_policy: [{}],
  list_automation_safe_tools: [{ environment: 'staging' }],
  find_precedents: [{ text: 'OPS-4711', tools: 'label_sandbox' }],
};

it('submit_tool_call takes an environment or a session, and never both: one of them would count for nothing', () => {
  const input = MCP_TOOLS.find(({ name }) => name === 'submit_tool_call')?.input;
  const takes = (context: object): boolean => input?.safeParse({ ...call, ...context }).success === true;
  const contexts = [{ environment: 'staging' }, { session_id: ID }, { environment: 'staging', session_id: ID }, {}];
  expect(contexts.map(takes)).toEqual([true, true, false, false]);
});

it('submit_tool_call has one name: under two, a repetition could be another call', () => {
  const input = MCP_TOOLS.find(({ name }) => name === 'submit_tool_call')?.input;
  const takes = (names: object): boolean => input?.safeParse({ ...call, environment: 'x', ...names }).success === true;
  const named = [{}, { request_key: 'a' }, { client_call_id: 'a' }, { request_key: 'a', client_call_id: 'b' }];
  expect(named.map(takes)).toEqual([true, true, true, false]);
});

describe.each(MCP_TOOLS.map((tool) => [tool.name, tool] as const))('the MCP tool %s', (name, tool) => {
  it('asks only the routes that it declares, with each value in its own place', async () => {
    const asked: [string, ApiCall][] = [];
    const api = routesThrough((route, sent) => {
      asked.push([route, sent]);
      return Promise.resolve({ ...REQUEST, id: ID, request_id: null, tools: [] });
    });
    for (const input of INPUTS[name] ?? []) await tool.run(input, { api, addresses, caller: ID });
    expect(asked).not.toEqual([]);
    for (const [route, sent] of asked) {
      expect(tool.routes).toContain(route);
      expect(Object.keys(sent.path ?? {})).toEqual([...route.matchAll(/\{([^}]+)\}/g)].map(([, key]) => key));
    }
  });

  it('passes the key of a request on if it writes, and takes none if it only reads', async () => {
    const asked: [string, ApiCall][] = [];
    const api = routesThrough((route, sent) => {
      asked.push([route, sent]);
      return Promise.resolve({ ...REQUEST, id: ID, request_id: null, tools: [] });
    });
    const world = { api, addresses, caller: ID };
    const keyed = { ...INPUTS[name]?.[0], request_key: 'try-1' };
    if (tool.readsOnly) {
      await expect((async () => tool.run(keyed, world))()).rejects.toMatchObject(REFUSED);
      return;
    }
    await tool.run(keyed, world);
    const writes = asked.filter(([route]) => route.startsWith('POST '));
    expect(writes.map(([, sent]) => sent.key)).toEqual(['try-1']);
    expect(asked.filter(([, sent]) => sent.key !== undefined)).toHaveLength(1);
    const body = writes[0]?.[1].body as { client_call_id?: string } | undefined;
    expect(body ?? {}).not.toHaveProperty('request_key');
    expect(body?.client_call_id).toBe(name === 'submit_tool_call' ? 'try-1' : undefined);
    await expect((async () => tool.run({ ...keyed, request_key: 'two words' }, world))()).rejects.toMatchObject(
      REFUSED,
    );
  });

  it('refuses members that it does not know', async () => {
    const api = routesThrough(() => Promise.reject(new Error('the API is not to be asked')));
    const world = { api, addresses, caller: ID };
    const more = { ...INPUTS[name]?.[0], verdict: 'approve' };
    await expect((async () => tool.run(more, world))()).rejects.toMatchObject(REFUSED);
  });
});
