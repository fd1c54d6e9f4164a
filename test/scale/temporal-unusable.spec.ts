import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTemporal, type TemporalServer } from '../support/temporal-server.js';
import { temporalWorld, type TemporalWorld } from '../support/temporal-world.js';
import { BUILT_WITHIN_MS } from '../support/through-temporal.js';
import { until } from '../support/until.js';

const WITHIN_MS = 15_000;

let temporal: TemporalServer;
let at: TemporalWorld;
let silent: Server;
const sockets: Socket[] = [];

beforeAll(async () => {
  temporal = await startTemporal();
  at = await temporalWorld(temporal);
  silent = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
}, BUILT_WITHIN_MS);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await temporal.stop();
  await at.close();
});

describe('a worker that cannot use Temporal', () => {
  it.each([
    [
      'its namespace is missing',
      'dispatcher.temporal_namespace_missing',
      'no namespace \\"countersign-tset\\"',
      () => ({ COUNTERSIGN_TEMPORAL_NAMESPACE: 'countersign-tset' }),
    ],
    [
      'the address answers nothing',
      'dispatcher.temporal_silent',
      'did not answer within 10 seconds',
      () => ({ COUNTERSIGN_TEMPORAL_ADDRESS: `127.0.0.1:${String((silent.address() as AddressInfo).port)}` }),
    ],
  ] as const)(
    'says so within seconds if %s, and ends when asked to',
    async (_words, code, message, settings) => {
      const begun = performance.now();
      const worker = await at.work('temporal', settings());
      await until(() => worker.written().includes(code));
      expect(worker.written()).toContain(message);
      expect(performance.now() - begun).toBeLessThan(WITHIN_MS);
      const asked = performance.now();
      expect(await worker.terminate()).toBe(0);
      expect(performance.now() - asked).toBeLessThan(WITHIN_MS);
    },
    120_000,
  );
});
