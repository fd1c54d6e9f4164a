import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { autonomyDocumentSchema } from '#lib/contracts';
import { expectStatus, testApi, type TestApi } from '../support/api.js';
import { compiledPackage } from '../support/compiled-package.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const blocks = (file: string, kind: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```(.+)\n([^]*?)^```$/gm)].flatMap(([, info, code = '']) =>
    info === kind ? [code] : [],
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the guide for agents', () => {
  const file = join(compiledPackage(), `agent-${String(process.pid)}.mjs`);
  let api: TestApi;
  let fleet: ToolServer;
  let worker: { stop(): Promise<void> };
  let url: string;
  let token: string;
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
    const port = await freePort();
    url = `http://127.0.0.1:${String(port)}`;
    api = await testApi({ config: { allowedPrivateHosts: [new URL(fleet.url).host] } });
    await api.app.listen(port, '127.0.0.1');
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

  it('shows a script that goes from a task to a completed run', async () => {
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

  it('names routes that exist', async () => {
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
});

describe('the guide for approvers', () => {
  it('shows autonomy documents that are read', () => {
    const documents = blocks('docs/approvers.md', 'yaml autonomy');
    expect(documents).toHaveLength(2);
    for (const document of documents)
      expect(autonomyDocumentSchema.safeParse(parse(document))).toMatchObject({ success: true });
  });
});
