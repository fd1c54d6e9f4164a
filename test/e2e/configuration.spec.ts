import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;
let ada: HttpAs;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
});
afterAll(() => api.close());

const environments = 'environments:\n  qa: { production: false }\n  live: { production: true }\n';
const tools = [
  'tools:',
  '  restart:',
  '    description: Restarts a service.',
  '    risk: state_change_nonprod',
  '    idempotent: true',
  '    scope: asset',
  '    parameters: { type: object, properties: { name: { type: string } }, required: [name], additionalProperties: false }',
].join('\n');
const executors = 'executors:\n  qa:\n    default: { kind: http, url: "https://tools.example/" }\n';
const autonomy =
  'autonomy:\n  mode: plan_only\n  environments:\n    qa: { mode: full_auto }\n  tool_overrides:\n    restart: { mode: plan_only }\n';

const check = async (body: object) =>
  expectStatus(await ada.post('/v1/configuration/check', body), 200).body as Record<string, unknown>;
const trace = async (): Promise<unknown[]> =>
  Promise.all(
    ['/v1/environments', '/v1/tools', '/v1/change-requests', '/v1/audit/entries'].map(
      async (path) => (await ada.get(path)).body as unknown,
    ),
  );

describe('a check of a configuration', () => {
  it('checks each part against the results of the earlier ones, and changes nothing', async () => {
    const before = await trace();
    expect(await check({ environments, tools, executors, autonomy })).toMatchObject({
      environments: [
        { change: 'create', name: 'qa', what: 'not production' },
        { change: 'create', name: 'live', what: 'production' },
      ],
      tools: { changes: [{ change: 'create', name: 'restart' }] },
      executors: [{ change: 'create', name: 'qa/default' }],
      autonomy: { dry_run: true, changed: true },
      refused: null,
    });
    expect(await trace()).toEqual(before);
    expect(await check({ executors })).toMatchObject({
      refused: {
        part: 'executors',
        problem: { code: 'executor.unknown_environment', errors: [{ line: 2, pointer: '/executors/qa' }] },
      },
    });
    expect(await check({ environments, autonomy })).toMatchObject({
      refused: { part: 'autonomy', problem: { code: 'autonomy.invalid', errors: [{ code: 'autonomy.unknown_tool' }] } },
    });
  });

  it('refuses two executors of one file that would have one audience', async () => {
    const shared = [
      'executors:',
      '  qa:',
      '    default: { kind: http, url: "https://a.example/", audience: same }',
      '  live:',
      '    default: { kind: http, url: "https://b.example/", audience: same }',
    ].join('\n');
    expect(await check({ environments, executors: shared })).toMatchObject({
      refused: {
        problem: {
          detail: expect.stringContaining('live/default') as unknown,
          errors: [{ code: 'executor.audience_in_use', line: 5, pointer: '/executors/live/default/audience' }],
        },
      },
    });
  });

  it('lists the parts that would wait for a second person, and opens no change', async () => {
    const other = await api.tenant();
    await api.person(other, 'PlatformAdmin');
    const first = api.http(other.admin.token);
    const checked = expectStatus(await first.post('/v1/configuration/check', { environments, executors }), 200).body;
    expect(checked).toMatchObject({
      loosens: [{ part: 'executors', what: expect.stringContaining('https://tools.example/') as unknown }],
      refused: null,
    });
    expect((await first.get('/v1/change-requests')).body).toMatchObject({ items: [] });
  });
});

describe('the documents of environments and executors', () => {
  it('are put, and read as documents that can be put again', async () => {
    const created = expectStatus(await ada.put('/v1/configuration/environments', environments), 200).body as object;
    expect(created).toMatchObject({
      changes: [
        { change: 'create', name: 'qa' },
        { change: 'create', name: 'live' },
      ],
    });
    expectStatus(await ada.put('/v1/configuration/executors', executors), 200);
    expectStatus(await ada.put('/v1/tools', tools), 200);
    for (const [part, path] of [
      ['environments', '/v1/configuration/environments'],
      ['executors', '/v1/configuration/executors'],
      ['tools', '/v1/tools'],
    ] as const) {
      const { text } = expectStatus(await ada.get(`/v1/configuration/${part}`), 200);
      const again = expectStatus(await ada.put(path, text), 200).body as { changes: { change: string }[] };
      expect(again.changes.length).toBeGreaterThan(0);
      expect(again.changes.filter(({ change }) => change !== 'unchanged')).toEqual([]);
    }
  });

  it('are refused with the place of the mistake, and with the changes made before it', async () => {
    const misspelt = expectStatus(
      await ada.put('/v1/configuration/environments', 'environments:\n  qa: { producton: true }\n'),
      422,
    );
    expect(misspelt.body).toMatchObject({
      code: 'environment.invalid',
      errors: expect.arrayContaining([expect.objectContaining({ line: 2, suggestion: 'production' })]) as unknown,
    });
    const half = 'executors:\n  qa:\n    a: { kind: http, url: "https://a.example/" }\n    b: { kind: soap }\n';
    expect(expectStatus(await ada.put('/v1/configuration/executors', half), 422).body).toMatchObject({
      code: 'executor.invalid',
      errors: [{ code: 'executor.kind_unknown', line: 4 }],
      details: { done: [{ change: 'create', name: 'qa/a' }] },
    });
  });
});
