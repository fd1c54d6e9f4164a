import { request as httpRequest, Agent as ConnectionPool } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { testApi, type TestApi } from '../support/api.js';

let api: TestApi;
let address: AddressInfo;
const connections = new ConnectionPool({ keepAlive: true, maxSockets: 128 });

async function serve(config: { readonly requestsPerMinute?: number; readonly requestBurst?: number }): Promise<void> {
  api = await testApi({ config });
  await api.app.listen(0, '127.0.0.1');
  address = api.app.getHttpServer().address() as AddressInfo;
}
afterEach(() => api.close());
afterAll(() => {
  connections.destroy();
});

/** One request over a socket. Resolves with `served`, or with the code of the refusal. */
function get(token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    httpRequest({ host: '127.0.0.1', port: address.port, path: '/v1/me', agent: connections, headers }, (response) => {
      text(response)
        .then((body) => {
          const { code } = JSON.parse(body) as { readonly code?: string };
          resolve(response.statusCode === 200 ? 'served' : `${String(response.statusCode)} ${String(code)}`);
        })
        .catch(reject);
    })
      .once('error', reject)
      .end();
  });
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
    let flooding = true;
    let served = 0;
    const flood = async (): Promise<void> => {
      while (flooding) {
        expect(await get(loud.admin.token)).toBe('served');
        served += 1;
      }
    };
    const flooders = Array.from({ length: FLOODERS }, flood);
    while (served === 0) await get(quiet.admin.token);

    const overtakenBy: number[] = [];
    for (let call = 0; call < 10; call += 1) {
      const before = served;
      expect(await get(quiet.admin.token)).toBe('served');
      overtakenBy.push(served - before);
    }
    flooding = false;
    await Promise.all(flooders);

    // In the order of arrival each call would come after all requests that waited before it.
    const [median = FLOODERS] = overtakenBy.sort((a, b) => a - b).slice(overtakenBy.length / 2);
    expect(median).toBeLessThan(FLOODERS / 2);
  }, 60_000);
});
