import { request as httpRequest, Agent as ConnectionPool } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { SocketClient } from '../support/session-socket.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';
import { workerBeside } from '../support/worker-process.js';

let api: TestApi;
let address: AddressInfo;
let endWorker: () => Promise<void>;
const connections = new ConnectionPool({ keepAlive: true, maxSockets: 128 });

async function serve(config: { readonly requestsPerMinute?: number; readonly requestBurst?: number }): Promise<void> {
  api = await testApi({ config });
  await api.app.listen(0, '127.0.0.1');
  address = api.app.getHttpServer().address() as AddressInfo;
  endWorker = await workerBeside(api);
}
afterEach(async () => {
  await endWorker();
  await api.close();
});
afterAll(() => {
  connections.destroy();
});

/** One request over a socket. Resolves with `served`, or with the code of the refusal. */
function asked(token: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const options = { host: '127.0.0.1', port: address.port, path, agent: connections };
    httpRequest({ ...options, method, headers }, (response) => {
      text(response)
        .then((answer) => {
          const { code } = JSON.parse(answer) as { readonly code?: string };
          const { statusCode = 0 } = response;
          resolve(statusCode < 300 ? 'served' : `${String(statusCode)} ${String(code)}`);
        })
        .catch(reject);
    })
      .once('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}
/** It waited for its turn as long as a request may. */
const BUSY = '429 request.tenant_busy';

const get = (token: string): Promise<string> => asked(token, '/v1/me');

/**
 * Of five calls of a flood, at most one may be refused. All flooders wait at the same time, each for ten seconds at most. A
 * tenant that is served four calls a second, instead of five, refuses every fifth. A loaded machine comes down to that through
 * Temporal. One standstill of ten seconds refuses each flooder once among the hundreds of calls of a test. The calls of a quiet
 * tenant are never refused.
 */
const MAX_REFUSED = 1 / 5;

/**
 * How often in a row the flooded tenant's own quiet session may call. If twice refused, it was passed over for twenty seconds.
 */
const MAX_ASKED = 3;

/** Counts the calls of a flood. */
class Flood {
  served = 0;
  #busy = 0;

  count(answer: string): void {
    expect(['served', BUSY]).toContain(answer);
    if (answer === 'served') this.served += 1;
    else this.#busy += 1;
  }

  /** It was a flood: each flooder called, and few calls were refused. */
  expectFewRefused(): void {
    const calls = this.served + this.#busy;
    expect(calls).toBeGreaterThanOrEqual(FLOODERS);
    expect(this.#busy / calls).toBeLessThanOrEqual(MAX_REFUSED);
  }
}

const QUIET_REQUESTS = 20;
const FLOODERS = 50;

describe('T22: a tenant that floods', () => {
  it('is refused beyond its budget, while another tenant is served as before', async () => {
    await serve({ requestsPerMinute: 60, requestBurst: 60 });
    const [loud, quiet] = [await api.tenant(), await api.tenant()];
    const answers = new Set<string>();
    let flooding = true;
    let refused = 0;
    const flood = async (): Promise<void> => {
      while (flooding) {
        const answer = await get(loud.admin.token);
        answers.add(answer);
        if (answer !== 'served') refused += 1;
      }
    };
    const flooders = Array.from({ length: 16 }, flood);
    while (refused < 16) await get(loud.admin.token);

    const served: string[] = [];
    for (let request = 0; request < QUIET_REQUESTS; request += 1) served.push(await get(quiet.admin.token));
    flooding = false;
    await Promise.all(flooders);

    expect(served).toEqual(Array.from({ length: QUIET_REQUESTS }, () => 'served'));
    expect(answers).toEqual(new Set(['served', '429 request.rate_limited']));
  }, 60_000);
  it('within its budget delays itself alone: a call of another tenant overtakes the requests that wait', async () => {
    await serve({});
    const [loud, quiet] = [await api.tenant(), await api.tenant()];
    const flood = new Flood();
    let flooding = true;
    const flooders = Array.from({ length: FLOODERS }, async () => {
      while (flooding) flood.count(await get(loud.admin.token));
    });
    while (flood.served === 0) await get(quiet.admin.token);

    const overtakenBy: number[] = [];
    for (let call = 0; call < 10; call += 1) {
      const before = flood.served;
      expect(await get(quiet.admin.token)).toBe('served');
      overtakenBy.push(flood.served - before);
    }
    flooding = false;
    await Promise.all(flooders);
    flood.expectFewRefused();

    // In the order of arrival each call would come after all requests that waited before it.
    const [median = FLOODERS] = overtakenBy.sort((a, b) => a - b).slice(overtakenBy.length / 2);
    expect(median).toBeLessThan(FLOODERS / 2);
  }, 60_000);
});

const AUTONOMY = `autonomy:
  mode: plan_only
  calls_per_hour: 10000
  calls_per_session: 10000
  environments:
    development:
      mode: full_auto
`;
const LOUD_SESSIONS = 10;
/** The median needs three: each of them costs a hundred calls of the flood. */
const QUIET_CALLS = 3;

describe('T22: sessions that flood', () => {
  /** An agent's token, and its requests. */
  interface Caller {
    readonly tenantId: string;
    readonly token: string;
    readonly http: HttpAs;
  }
  const tenantWithShell = async (): Promise<TestTenant> => {
    const tenant = await api.tenant();
    const admin = api.http(tenant.admin.token);
    expectStatus(await admin.put('/v1/tools', SHELL_CATALOG), 200);
    expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
    return tenant;
  };
  const agentOf = async (tenant: TestTenant): Promise<Caller> => {
    const { token } = await api.agent(tenant, await api.person(tenant));
    return { tenantId: tenant.id, token, http: api.http(token) };
  };
  /** A session with a socket that is told of its calls. */
  const listening = async ({ token, http }: Caller) => {
    const opened = await http.post('/v1/sessions', { environment: 'development' });
    const path = `/v1/sessions/${String(expectStatus(opened, 201).body.id)}`;
    const url = `http://127.0.0.1:${String(address.port)}${path}/ws`;
    const socket = await SocketClient.open(url, { authorization: `Bearer ${token}` });
    const call = () => asked(token, `${path}/tool-calls`, { tool: 'shell', arguments: { command: 'git status' } });
    return { socket, call };
  };

  /** How many calls of loud sessions are served between a quiet session's call and its entry on the quiet socket. */
  async function overtakenBy(loud: Caller, quiet: Caller): Promise<readonly number[]> {
    const still = await listening(quiet);
    const sessions = await Promise.all(Array.from({ length: LOUD_SESSIONS }, () => listening(loud)));
    const flood = new Flood();
    let flooding = true;
    const flooders = Array.from({ length: FLOODERS }, async (_, at) => {
      while (flooding) flood.count(String(await sessions[at % LOUD_SESSIONS]?.call()));
    });
    const counts: number[] = [];
    /** Of one tenant with the flood, it shares the refusals, too, and asks again. */
    const most = loud.tenantId === quiet.tenantId ? MAX_ASKED : 1;
    const ask = async (): Promise<void> => {
      let answer = await still.call();
      for (let asks = 1; asks < most && answer === BUSY; asks += 1) answer = await still.call();
      expect(answer).toBe('served');
      await still.socket.next('audit_entry');
    };
    await ask();
    for (let call = 0; call < QUIET_CALLS; call += 1) {
      const before = flood.served;
      await ask();
      counts.push(flood.served - before);
    }
    flooding = false;
    await Promise.all(flooders);
    flood.expectFewRefused();
    for (const { socket } of [still, ...sessions]) socket.close();
    return counts.sort((a, b) => a - b);
  }

  it('delay their own tenant alone: a call in a session of another one overtakes those that wait', async () => {
    await serve({});
    const [loud, quiet] = [await agentOf(await tenantWithShell()), await agentOf(await tenantWithShell())];
    const counts = await overtakenBy(loud, quiet);
    // In the order of arrival each call would come after all calls that waited before it.
    const [median = FLOODERS] = counts.slice(counts.length / 2);
    expect(median).toBeLessThan(FLOODERS / 2);
  }, 120_000);

  it('starve no session of their own tenant', async () => {
    await serve({});
    const tenant = await tenantWithShell();
    const [loud, quiet] = [await agentOf(tenant), await agentOf(tenant)];
    const counts = await overtakenBy(loud, quiet);
    // Within a tenant calls come in the order of arrival. A few rounds of all flooders go before, each with more than one
    // transaction.
    const [median = Infinity] = counts.slice(counts.length / 2);
    expect(median).toBeLessThan(4 * FLOODERS);
  }, 120_000);
});
