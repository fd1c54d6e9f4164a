import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { compiledPackage } from '../support/compiled-package.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { serverPort } from '../support/server-port.js';

const DEADLINE_MS = 30_000;

let db: TestDatabase;
let data: string;
let collector: Server;
let exported = '';
let api: ChildProcess;
let output = '';
let [port, metricsPort] = [0, 0];

const get = async (path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> => {
  const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers });
  return { status: response.status, text: await response.text() };
};

async function untilReady(): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const ready = await get('/health/ready').catch(() => null);
    if (ready?.status === 200) return;
    if (Date.now() > deadline || api.exitCode !== null) throw new Error(`the API did not become ready: ${output}`);
    await delay(50);
  }
}

async function untilLogged(text: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!output.includes(text)) {
    if (Date.now() > deadline) throw new Error(`${text} was not logged: ${output}`);
    await delay(20);
  }
}

beforeAll(async () => {
  db = await testDatabase();
  data = await mkdtemp(join(tmpdir(), 'countersign-api-'));
  collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (exported += chunk.toString('latin1')));
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  [port, metricsPort] = [await serverPort(), await serverPort()];
  api = spawn(process.execPath, ['dist/programs/api/main.js'], {
    cwd: compiledPackage(),
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: db.url,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  api.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  api.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await untilReady();
}, 60_000);

afterAll(async () => {
  if (api.exitCode === null) api.kill('SIGKILL');
  collector.close();
  await db.close();
  await rm(data, { recursive: true, force: true });
});

describe('the API as a process', () => {
  it('is live, ready, and describes itself', async () => {
    expect(await get('/health/live')).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect((await get('/v1/openapi.json')).status).toBe(200);
  });

  it('keeps a caller’s request id, and answers with security headers', async () => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/v1/me`, {
      headers: { 'x-request-id': 'request-of-mine' },
    });
    expect(response.headers.get('x-request-id')).toBe('request-of-mine');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    await untilLogged('"request_id":"request-of-mine"');
    const forged = await fetch(`http://127.0.0.1:${String(port)}/v1/me`, { headers: { 'x-request-id': 'a "b"' } });
    expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('serves its metrics on an address of their own', async () => {
    expect((await get('/metrics')).status).toBe(404);
    const text = await (await fetch(`http://127.0.0.1:${String(metricsPort)}/metrics`)).text();
    expect(text).toMatch(
      /countersign_http_request_seconds_count\{method="GET",route="\/health\/ready",status="200"\} [1-9]/,
    );
    expect(text).toContain('countersign_process_cpu_seconds_total');
  });

  it('goes on when its database connections are cut', async () => {
    const superuser = new Client({ connectionString: db.adminUrl });
    await superuser.connect();
    const cut = await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'countersign-api'`,
    );
    await superuser.end();
    expect(cut.rows.length).toBeGreaterThan(0);
    await untilReady();
    expect((await get('/health/live')).status).toBe(200);
  });

  describe('beside which another is started', () => {
    /** `countersign start` until it has ended by itself, or is ended by the signal that `meanwhile` sends it. */
    async function start(
      options: readonly string[],
      settings: Record<string, string>,
      meanwhile?: (started: ChildProcess) => Promise<void>,
      command: readonly string[] = ['dist/programs/cli/main.js', 'start'],
    ): Promise<{ code: number | null; said: string }> {
      const started = spawn(process.execPath, [...command, ...options], {
        cwd: compiledPackage(),
        env: { PATH: process.env.PATH, DATABASE_URL: db.url, COUNTERSIGN_DATA: data, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 20_000,
        killSignal: 'SIGKILL',
      });
      let said = '';
      started.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
      started.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
      const ended = once(started, 'close');
      await meanwhile?.(started);
      const [code] = (await ended) as [number | null];
      return { code, said };
    }

    /** Ends five seconds after its signal. It waits while the other tests run. */
    let withoutAnswer: ReturnType<typeof start>;
    beforeAll(async () => {
      const silent = createTcpServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const address = `postgres://countersign_app@127.0.0.1:${String((silent.address() as AddressInfo).port)}/x`;
      const connected = once(silent, 'connection');
      withoutAnswer = start([], { DATABASE_URL: address }, async (started) => {
        await connected;
        started.kill('SIGTERM');
      }).finally(() => silent.close());
      await Promise.race([connected, withoutAnswer]);
    });

    it.each([
      ['its port', [], 'COUNTERSIGN_PORT', () => port],
      ['the port of its metrics', ['--api-only'], 'COUNTERSIGN_METRICS_PORT', () => metricsPort],
    ])('leaves it %s: the other says which setting to change, and ends', async (_what, options, setting, taken) => {
      const free = {
        COUNTERSIGN_PORT: String(await serverPort()),
        COUNTERSIGN_METRICS_PORT: String(await serverPort()),
      };
      const { code, said } = await start(options, { ...free, [setting]: String(taken()) });
      expect(said).toContain(`127.0.0.1:${String(taken())} (${setting})`);
      expect(said).toContain('(start.address_in_use)');
      expect(said).toContain(`set ${setting} to a free port`);
      expect(said).not.toMatch(/^error: .*EADDRINUSE/m);
      expect(code).toBe(4);
      expect((await get('/health/ready')).status).toBe(200);
    });

    it.each([
      ['api', 'COUNTERSIGN_PORT'],
      ['worker', 'COUNTERSIGN_WORKER_PORT'],
    ])('leaves it its port, also if the %s is started by its main.js: two lines say so', async (app, setting) => {
      const settings = { COUNTERSIGN_METRICS_PORT: String(await serverPort()), [setting]: String(port) };
      const { code, said } = await start([], settings, undefined, [`dist/programs/${app}/main.js`]);
      expect(said).toMatch(/^Something listens on 127\.0\.0\.1:\d+ .*\(start\.address_in_use\)\n {2}\S/m);
      expect(said).toContain(`set ${setting} to a free port`);
      expect(said).not.toMatch(/^ +at /m);
      expect(code).toBe(4);
    });

    it('says in three lines that its keyring is not there', async () => {
      const free = {
        COUNTERSIGN_PORT: String(await serverPort()),
        COUNTERSIGN_METRICS_PORT: String(await serverPort()),
      };
      const { code, said } = await start(['--api-only'], { ...free, COUNTERSIGN_KEYRING: join(data, 'none.json') });
      expect(said).toMatch(/^error: There is no keyring at .*none\.json.* \(start\.wrong_setting\)\n {2}Correct it/);
      expect(said.trimEnd().split('\n').length).toBeLessThan(4);
      expect(code).toBe(4);
    });

    it('ends if it is told to while it starts, though its database never answers', async () => {
      expect((await withoutAnswer).code).toBe(4);
    });
  });

  it('answers the requests under way and ends by itself after SIGTERM, its traces exported', async () => {
    await get('/v1/me', { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    const ended = once(api, 'exit');
    api.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    expect(code).toBe(0);
    expect(exported).toContain('GET /v1/me');
    expect(exported).toContain('a'.repeat(32));
    expect(exported).toContain('countersign-api');
  });
});
