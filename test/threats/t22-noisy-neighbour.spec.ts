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

const ROUNDS = 40;

/** The median duration of requests one after the other, in milliseconds. */
async function medianOf(token: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    expect(await get(token)).toBe(200);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
}

describe('T22: a tenant that floods', () => {
  it('is refused beyond its budget, while another tenant is served as before', async () => {
    const [loud, quiet] = [await api.tenant(), await api.tenant()];
    // A fresh credential for each measurement, so that none of them spends what it may.
    const fresh = (): Promise<string> => api.token(quiet.admin, 'read');
    await medianOf(await fresh());

    const answers = new Map<number, number>();
    const ratios: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const [calm, beside] = [await fresh(), await fresh()];
      const alone = await medianOf(calm);
      let flooding = true;
      let refused = 0;
      const flood = async (): Promise<void> => {
        while (flooding) {
          const status = await get(loud.admin.token);
          answers.set(status, (answers.get(status) ?? 0) + 1);
          if (status === 429) refused += 1;
        }
      };
      const flooders = Array.from({ length: 32 }, flood);
      // What the budget allows is everybody's share; measured once it is spent.
      while (refused < 32) await get(loud.admin.token);
      ratios.push((await medianOf(beside)) / alone);
      flooding = false;
      await Promise.all(flooders);
    }

    expect([...answers.keys()].sort()).toEqual([200, 429]);
    expect(ratios.sort((a, b) => a - b)[2]).toBeLessThan(1.5);
  }, 60_000);
});
