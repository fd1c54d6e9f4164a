import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as HttpClient } from 'undici';
import { packageRoot, type EmbeddedPostgres } from '#lib/database';
import { benchAutonomy } from './bench-autonomy.js';
import { onBenchDatabase } from './bench-database.js';
import { bootstrapToken } from './bench-installation.js';
import { freePort, startServer } from './child-server.js';
import type { AsAdmin } from './unattended.js';

type Json = Readonly<Record<string, unknown>>;

const CATALOG = readFileSync(join(packageRoot(), 'catalog', 'adr-009.yaml'), 'utf8');
const ASKED = { tool: 'query_assets', environment: 'production', arguments: { role: 'web', drifted: true, limit: 50 } };

/** Our api, a process of its own, on a PostgreSQL that commits durably. Its tenant has a catalog and an agent. */
export interface DecidingServer {
  readonly postgres: EmbeddedPostgres;
  readonly databaseUrl: string;
  /** Its data folder, with its keys. */
  readonly data: string;
  /** The agent's token. */
  readonly token: string;
  /** The policy input of a call. */
  readonly input: unknown;
  /** One tool call, decided and audited; throws if the answer is not `allow`. */
  ask(token: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param setUp gives the tenant more than that. */
export const decidingServer = (
  setUp: (send: AsAdmin) => Promise<void> = () => Promise.resolve(),
): Promise<DecidingServer> =>
  onBenchDatabase(async ({ directory, postgres, url: databaseUrl, stop }, started) => {
    const data = join(directory, 'data');
    const api = await startApi(databaseUrl, data);
    started(api.stop);
    const client = new HttpClient(api.origin);
    started(() => client.close());
    const send = sendOver(client);
    const { token, admin } = await foundTenant(send, databaseUrl, data);
    await setUp((method, path, body, headers) => send(method, path, body, admin, headers));
    const ask = async (by: string): Promise<Json> => {
      const answer = await send('POST', '/v1/tool-calls', ASKED, by);
      if (answer.outcome !== 'allowed') throw new Error(`The answer is wrong: ${JSON.stringify(answer)}`);
      return answer;
    };
    const { decision_id: decision } = await ask(token);
    const { input } = await send('GET', `/v1/decisions/${String(decision)}`, undefined, admin);
    return {
      postgres,
      databaseUrl,
      data,
      token,
      input,
      ask: async (by) => {
        await ask(by);
      },
      stop,
    };
  });

async function startApi(databaseUrl: string, data: string): ReturnType<typeof startServer> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  return startServer(process.execPath, [join(packageRoot(), 'dist', 'programs', 'api', 'main.js')], {
    port,
    readyPath: '/health/ready',
    env: {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metricsPort),
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_REQUESTS_PER_MINUTE: '10000000',
      COUNTERSIGN_REQUEST_BURST: '1000000',
    },
  });
}

type Send = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  token?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Json>;

const sendOver =
  (client: HttpClient): Send =>
  async (method, path, body, token, headers) => {
    const response = await client.request({
      method,
      path,
      headers: {
        ...headers,
        ...(body === undefined
          ? {}
          : { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = (await response.body.json()) as Json;
    if (response.statusCode >= 300) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
    return answer;
  };

/**
 * Founds a tenant with a catalog, an autonomy document and an agent, all over HTTP. Returns the agent's token and the admin's.
 */
async function foundTenant(send: Send, databaseUrl: string, data: string): Promise<{ token: string; admin: string }> {
  const founded = await send('POST', '/v1/bootstrap', {
    bootstrap_token: await bootstrapToken(databaseUrl, data),
    tenant: { slug: 'bench', name: 'Bench' },
    admin: { email: 'admin@example.com', display_name: 'Admin' },
  });
  const { enrolment_token: enrolment } = founded.enrolment as { enrolment_token: string };
  const scopes = ['read', 'submit', 'run', 'audit', 'admin'];
  const enrolled = await send('POST', '/v1/enrolment', { enrolment_token: enrolment, name: 'bench', scopes });
  const admin = String(enrolled.token);
  await send('PUT', '/v1/tools', CATALOG, admin);
  for (const name of ['lead', 'second']) {
    const person = await send('POST', '/v1/people', { email: `${name}@example.com`, display_name: name }, admin);
    await send('POST', `/v1/people/${String(person.id)}/roles`, { role: 'SRELead' }, admin);
  }
  await send('PUT', '/v1/autonomy', benchAutonomy(), admin);
  const agent = await send('POST', '/v1/agents', { name: 'drift-bot', owner_id: founded.person_id }, admin);
  const minted = await send('POST', `/v1/agents/${String(agent.id)}/tokens`, { name: 'bench', scopes: ['run'] }, admin);
  return { token: String(minted.token), admin };
}
