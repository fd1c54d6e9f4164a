import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { ApproverKeyListView } from '#lib/api-schemas';
import { autonomyDocumentSchema } from '#lib/formats';
import { expectStatus, testApi, type TestApi, type TestPerson } from '../support/api.js';
import { compiledPackage } from '../support/compiled-package.js';
import { blocksOf, GuideFolder } from '../support/guide.js';
import { enrolPasskey, signed } from '../support/second-factors.js';
import { serverPort } from '../support/server-port.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import type { SoftwareAuthenticator } from '../support/virtual-authenticator.js';
import { workerOf } from '../support/worker.js';

const blocks = (file: string, kind: string): string[] =>
  blocksOf(file).flatMap(({ language, name, code }) => (`${language} ${name}`.trim() === kind ? [code] : []));

/** Lines of docs/get-started.md that a person, or another test, carries out; every other line is carried out here. */
const ELSEWHERE = new Set([
  'COUNTERSIGN_ALLOWED_PRIVATE_HOSTS=127.0.0.1:9100 npm start', // apps start in test/e2e/api-process.spec.ts
  'npx countersign bootstrap --person sam@acme.example --name Sam', // test/e2e/operator-cli.spec.ts
  '(umask 077; cat > ada.token)',
  'export COUNTERSIGN_TOKEN_FILE=$PWD/ada.token',
  '(umask 077; cat > agent.token)',
]);

describe('guides that are carried out', () => {
  const file = join(compiledPackage(), `agent-${String(process.pid)}.mjs`);
  let api: TestApi;
  let fleet: ToolServer;
  let worker: { stop(): Promise<void> };
  let url: string;
  let token: string;
  let toolPort: number;
  const called: string[] = [];

  beforeAll(async () => {
    fleet = await toolServer({
      before: ({ tool }) => {
        called.push(tool);
        return true;
      },
      result: ({ tool }) =>
        tool === 'simulate_rollout'
          ? {
              affected_assets: 2,
              estimated_duration_minutes: 1,
              predicted_risk: 'low',
              health_check_points: [],
              details: null,
            }
          : { metrics: { error_rate: 0 } },
    });
    const port = await serverPort();
    toolPort = await serverPort();
    url = `http://localhost:${String(port)}`;
    const allowedPrivateHosts = [new URL(fleet.url).host, `127.0.0.1:${String(toolPort)}`];
    api = await testApi({ config: { allowedPrivateHosts, publicUrl: url } });
    await api.app.listen(port, 'localhost');
    worker = await workerOf(api);
    const tenant = await api.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    const executor = { kind: 'http', url: `${fleet.url}/tools` };
    expectStatus(await admin.put('/v1/environments/staging/executors/fleet', executor), 200);
    const autonomy = 'autonomy:\n  mode: plan_only\n  environments:\n    staging: { mode: full_auto }\n';
    expectStatus(await admin.put('/v1/autonomy', autonomy), 200);
    token = (await api.agent(tenant, await api.person(tenant))).token;
    writeFileSync(file, blocks('docs/agents.md', 'js').join('\n'));
  }, 120_000);

  afterAll(async () => {
    rmSync(file, { force: true });
    await worker.stop();
    await api.close();
    await fleet.close();
  });

  it('of agents: a script goes from a task to a completed run', async () => {
    const script = spawn(process.execPath, [file], {
      env: { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([text(script.stdout), text(script.stderr), once(script, 'exit')]);
    expect([err, code]).toEqual(['', 0]);
    expect(out).toContain('plan validated\nsimulation succeeded\n');
    expect(out).toMatch(/run completed\n$/);
    expect(called).toEqual(['simulate_rollout', 'execute_rollout_nonprod', 'query_alerts']);
  }, 60_000);

  it('of agents: routes that exist', async () => {
    const { paths } = expectStatus(await api.http(token).get('/v1/openapi.json'), 200).body as {
      paths: Record<string, Record<string, unknown>>;
    };
    const shapes = new Set(
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`),
      ),
    );
    const named = [...readFileSync('docs/agents.md', 'utf8').matchAll(/`(GET|POST) (\/v1\/[^`\s]+)`/g)].map(
      ([, method = '', path = '']) => `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`,
    );
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((route) => !shapes.has(route))).toEqual([]);
  });

  it('of getting started: from a tool of one’s own to its evidence, checked with the approver’s key', async () => {
    const tenant = await api.tenant();
    const sam = await api.person(tenant, 'SRELead');
    const passkey = await enrolPasskey(api, sam, { origin: url, rpId: 'localhost' });
    const guide = new GuideFolder({ COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN_FILE: 'ada.token' });
    const mine: Record<string, string> = { TENANT: tenant.id };
    const example = `${resolve('examples/first-tool')}/.`;
    try {
      guide.write('ada.token', await api.token(tenant.admin, 'read', 'audit', 'admin'));
      guide.write('agent.token', (await api.agent(tenant, tenant.admin)).token);
      for (const { language, name, code } of blocksOf('docs/get-started.md')) {
        if (language !== 'sh') expect(readFileSync(join('examples/first-tool', name), 'utf8')).toContain(code);
        for (const line of language === 'sh'
          ? code
              .trim()
              .split('\n')
              .filter((each) => !ELSEWHERE.has(each))
          : []) {
          const run = line
            .replace('http://localhost:8420', url)
            .replaceAll(/\b[A-Z]{4,6}\b(?!_)/g, (word) => mine[word] ?? word);
          if (line.startsWith('cp -r ')) {
            await guide.run(run.replaceAll('../first-tool', '.').replace('examples/first-tool', example));
            await guide.run(`sed -i 's/:9100/:${String(toolPort)}/' config/executors.yaml`);
            continue;
          }
          if (line.startsWith('npm install ')) {
            await guide.run(`mkdir node_modules && ln -s '${compiledPackage()}' node_modules/countersign`);
            continue;
          }
          if (line.includes('node server.mjs')) {
            await guide.serve(`PORT=${String(toolPort)} ${run}`);
            continue;
          }
          const said = await guide.run(run);
          if (line.includes('whoami')) expect(said).toMatch(new RegExp(`^ *tenant +${tenant.id}$`, 'm'));
          const [, task] = /task (\S+) is created/.exec(said) ?? [];
          if (task !== undefined) mine.TASK = task;
          if (line.includes('submit plan')) {
            const request = /approval request (\S+) is open/.exec(said)?.[1] ?? '';
            await approve(sam, passkey, request);
            mine.PLAN = /plan (\S+), revision/.exec(said)?.[1] ?? '';
            guide.write('approvers.txt', await approverKeyOf(sam));
          }
          if (line.includes(' verify ')) expect(said).toContain('checked against the key that you kept');
        }
      }
    } finally {
      await guide.close();
    }
  }, 120_000);

  async function approve(sam: TestPerson, passkey: SoftwareAuthenticator, id: string): Promise<void> {
    const http = api.http(sam.token);
    const { subject } = expectStatus(await http.get(`/v1/approval-requests/${id}`), 200).body as {
      subject: { id: string; digest: string };
    };
    const { id: plan, digest: subject_digest } = subject;
    const about = { verdict: 'approve', subject_digest };
    const step_up_id = await signed(http, passkey, { kind: 'review', request_id: id, ...about });
    expectStatus(await http.post(`/v1/approval-requests/${id}/reviews`, { ...about, step_up_id }), 201);
    const deadline = performance.now() + 60_000;
    while ((await http.get(`/v1/plans/${plan}`)).body.status !== 'executed') {
      if (performance.now() > deadline) throw new Error('the plan was not executed in time');
      await delay(50);
    }
  }

  async function approverKeyOf(sam: TestPerson): Promise<string> {
    const { body } = expectStatus(await api.http(sam.token).get('/v1/approver-keys'), 200);
    return (body as ApproverKeyListView).items[0]?.line ?? '';
  }
});

describe('the guide to tools', () => {
  it('shows the server of the example', () => {
    expect(blocks('docs/tools.md', 'js').join('\n')).toBe(readFileSync('examples/first-tool/server.mjs', 'utf8'));
  });
});

describe('the guide for approvers', () => {
  it('shows autonomy documents that are read', () => {
    const documents = blocks('docs/approvers.md', 'yaml autonomy');
    expect(documents).toHaveLength(2);
    for (const document of documents)
      expect(autonomyDocumentSchema.safeParse(parse(document))).toMatchObject({ success: true });
  });
});
