import { request as httpRequest, Agent as ConnectionPool } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testApi, type TestApi } from '../support/api.js';

let api: TestApi;
let address: AddressInfo;
const connections = new ConnectionPool({ keepAlive: true, maxSockets: 64 });

beforeAll(async () => {
  api = await testApi({ config: { requestsPerMinute: 600, requestBurst: 100 } });
  await api.app.listen(0, '127.0.0.1');
  address = api.app.getHttpServer().address() as AddressInfo;
});
afterAll(async () => {
  connections.destroy();
  await api.close();
});

/** One request over a socket; resolves with its status once the answer has been read. */
function get(token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    httpRequest({ host: '127.0.0.1', port: address.port, path: '/v1/me', agent: connections, headers }, (response) => {
      response.resume().once('end', () => {
        resolve(response.statusCode ?? 0);
      });
    })
      .once('error', reject)
      .end();
  });
}

const QUIET_REQUESTS = 40;

describe('T22: a tenant that floods', () => {
  it('is refused beyond its budget, while another tenant is served as before', async () => {
    const [loud, quiet] = [await api.tenant(), await api.tenant()];
    const answers = new Map<number, number>();
    let flooding = true;
    let refused = 0;
    const flood = async (): Promise<void> => {
      while (flooding) {
        const status = await get(loud.admin.token);
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (status === 429) refused += 1;
      }
    };
    const flooders = Array.from({ length: 16 }, flood);
    while (refused < 16) await get(loud.admin.token);

    const served: number[] = [];
    for (let request = 0; request < QUIET_REQUESTS; request += 1) served.push(await get(quiet.admin.token));
    flooding = false;
    await Promise.all(flooders);

    expect(served).toEqual(Array.from({ length: QUIET_REQUESTS }, () => 200));
    expect([...answers.keys()].sort()).toEqual([200, 429]);
  });
});
