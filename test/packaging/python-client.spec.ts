import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { packageRoot } from '#lib/database';
import type { PersonId } from '#lib/kernel';
import { pythonClient } from '../../tools/python-client.mjs';
import { findPython } from '../../tools/python-environment.mjs';
import { assignByHand, expectStatus, operatorToken, testApi, type TestApi } from '../support/api.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { workerOf } from '../support/worker.js';

const LOOK = {
  description: 'Looks something up',
  risk: 'read_only',
  idempotent: true,
  effect: 'read',
  scope: 'asset',
  executor: 'nobody',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: { name: { type: 'string' }, limit: { type: 'integer' } },
  },
};
const root = packageRoot();
const client = join(root, 'clients/python');
const example = (name: string): string => readFileSync(join(root, 'examples/langgraph-python/config', name), 'utf8');
const { label_sandbox: label } = (parse(example('tools.yaml')) as { tools: Record<string, object> }).tools;
const { executors } = parse(example('executors.yaml')) as { executors: { staging: { hands: object } } };
const CATALOG = {
  tools: {
    label_sandbox: label,
    label_by_fleet: { ...label, executor: 'fleet' },
    planned_change: { ...label, requires_plan: true },
    look_up: LOOK,
  },
};
const python = findPython();
const lacking = python.path === null ? ` (skipped: ${python.reason})` : '';
const describeInPython = python.path === null ? describe.skip : describe;

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ config: { allowedPrivateHosts: ['127.0.0.1'] } });
  await api.app.listen(0, '127.0.0.1');
}, 120_000);
afterAll(async () => {
  await api.close();
});

it('the modules of the Python client are those of the OpenAPI document that the API serves (npm run references)', async () => {
  const { body } = expectStatus(await api.http().get('/v1/openapi.json'), 200);
  for (const [path, content] of Object.entries(pythonClient(body as object)))
    expect(readFileSync(join(root, path), 'utf8')).toBe(content);
});

describe('a generated Python client', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const member = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
  const operation = (operationId: string, more: object) => ({
    operationId,
    tags: ['Rules'],
    summary: 'A "rule".',
    'x-required-scope': 'read',
    responses: { 200: json({ $ref: '#/components/schemas/Rule' }) },
    ...more,
  });
  const files = pythonClient({
    paths: {
      '/v1/rules/{ruleId}': {
        get: operation('rules_get', { parameters: [{ name: 'ruleId', in: 'path', required: true }] }),
        put: operation('rules_set', {
          requestBody: json({ type: 'object', properties: { from: { type: ['integer', 'null'] } } }),
        }),
        delete: operation('rules_remove', { responses: { 204: {} } }),
        post: operation('rules_approve', { 'x-person-only': true }),
      },
    },
    components: {
      schemas: {
        Problem: member('code'),
        RuleLimit: member('other'),
        Rule: {
          type: 'object',
          properties: {
            limit: member('most'),
            also: { $ref: '#/components/schemas/RuleLimit' },
            class: { enum: ['A'] },
          },
          required: ['limit', 'also'],
        },
      },
    },
  });
  const [resources = '', , models = ''] = Object.values(files);

  it('has a method for what an agent may do, and none for people', () => {
    expect(resources).toContain('    def get(\n        self,\n        rule_id: str,\n    ) -> models.Rule:');
    expect(resources).toContain('"/v1/rules/{ruleId}",\n            path={"ruleId": rule_id},');
    expect(resources).toMatch(/def remove\([^]*?-> None:[^]*?send\(type\(None\), call\)/);
    expect(resources).not.toContain('approve');
  });

  it('tells a member that is left out from one that is null, and keeps words of Python apart', () => {
    expect(resources).toContain('from_: int | Unset | None = UNSET,');
    expect(resources).toContain('nullable=frozenset({"from"})');
    expect(models).toContain(
      'class_: Literal["A"] | None = Field(default=None, validation_alias="class", serialization_alias="class")',
    );
  });

  it('never gives two documents one name', () => {
    expect(models).toContain('class RuleLimit(Document):\n    other: str\n');
    expect(models).toContain('class RuleLimit2(Document):\n    most: str\n');
    expect(models).toContain('    limit: RuleLimit2\n\n    also: RuleLimit\n');
  });
});

describeInPython(`the Python client${lacking}`, () => {
  const packages = mkdtempSync(join(tmpdir(), 'countersign-python-'));
  const environment: Record<string, string> = {
    PATH: '/usr/bin:/bin',
    HOME: packages,
    PYTHONPATH: packages,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  let people: Server;
  let worker: { stop(): Promise<void> };
  /** The answer of mypy, which takes as long as the set-up. */
  let types: Promise<string>;

  /** Runs Python beside the installed client. @returns all that it printed. */
  async function run(args: readonly string[], cwd = client): Promise<string> {
    const started = spawn(String(python.path), args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err, [code]] = await Promise.all([text(started.stdout), text(started.stderr), once(started, 'exit')]);
    if (code !== 0) throw new Error(`python ${args.join(' ')} ended with ${String(code)}:\n${out}${err}`);
    return out;
  }

  beforeAll(async () => {
    types = run(['-m', 'mypy', '--cache-dir', join(dirname(String(python.path)), '../mypy')]);
    types.catch(() => undefined); // Its test tells of it.
    const tenant = await api.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', JSON.stringify(CATALOG)), 200);
    const autonomy = `${example('autonomy.yaml')}    development: { mode: full_auto }\n`;
    expectStatus(await admin.put('/v1/autonomy', autonomy), 200);
    for (const name of ['development', 'staging'])
      expectStatus(await admin.put(`/v1/environments/${name}/executors/hands`, executors.staging.hands), 200);
    const fleet = { kind: 'http', url: 'http://127.0.0.1:9/tools' };
    expectStatus(await admin.put('/v1/environments/staging/executors/fleet', fleet), 200);
    const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
    const { id } = expectStatus(added, 201).body as { id: PersonId };
    await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
    const page = await pageOf(api, (await cameIn(api, await operatorToken(api, tenant.id, id))).cookie);
    const agent = await api.agent(tenant, { id, email: '', token: '' });
    const wanted = { environment: 'development', preset: 'levels', calls_per_turn: 64, agent_ids: [agent.id] };
    const session = expectStatus(await api.http().post('/v1/sessions', wanted, page), 201).body;

    const answered = async (request: string, verdict: string): Promise<void> => {
      if (verdict === 'nothing') {
        await api.db.owner.query('update approval_request set expires_at = clock_timestamp() where id = $1', [request]);
        return;
      }
      const path = `/v1/approval-requests/${request}`;
      const { subject } = expectStatus(await api.http().get(path, page), 200).body as { subject: { digest: string } };
      const review = { verdict, subject_digest: subject.digest };
      expectStatus(await api.http().post(`${path}/reviews`, review, page), 201);
    };
    people = createServer((request, response) => {
      json(request)
        .then((body) => body as { readonly request_id: string; readonly verdict: string })
        .then(({ request_id: id, verdict }) => answered(id, verdict))
        .then(
          () => response.writeHead(204).end(),
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
    });
    await new Promise<void>((resolve) => people.listen(0, '127.0.0.1', resolve));
    worker = await workerOf(api);
    const at = (server: { address(): unknown }): string =>
      `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    Object.assign(environment, {
      COUNTERSIGN_URL: at(api.app.getHttpServer()),
      COUNTERSIGN_TOKEN: agent.token,
      COUNTERSIGN_TEST_OTHER_TOKEN: (await api.agent(tenant, { id, email: '', token: '' })).token,
      COUNTERSIGN_TEST_SESSION: String(session.id),
      COUNTERSIGN_TEST_PEOPLE: at(people),
    });
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--disable-pip-version-check'];
    await run([...pip, '--no-index', '--target', packages, client]);
  }, 120_000);

  afterAll(async () => {
    people.closeAllConnections();
    await new Promise((resolve) => people.close(resolve));
    await worker.stop();
    rmSync(packages, { recursive: true, force: true });
  });

  it('T56: passes its tests against the api: a function runs only if the call is allowed', async () => {
    expect(await run(['-m', 'pytest'])).toMatch(/^\d+ passed/m);
  }, 120_000);

  it('has types that mypy finds no mistake in', async () => {
    expect(await types).toContain('no issues found');
  }, 120_000);
});
