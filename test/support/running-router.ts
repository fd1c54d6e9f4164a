import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { CellMap } from '#lib/cell-map';
import { Metrics } from '#lib/operation';
import { createRouter } from '../../apps/router/src/create-router.js';
import { CurrentCells } from '../../apps/router/src/current-cells.js';
import { KeptMap } from '../../apps/router/src/kept-map.js';
import { RouterMetrics } from '../../apps/router/src/router-metrics.js';

/** A router that listens on this machine, in this process. */
export interface RunningRouter {
  readonly address: string;
  close(): Promise<void>;
}

/** @param port 0 takes any. */
export async function runningRouter(
  map: Pick<CellMap, 'read' | 'watch'>,
  { port = 0, ...config }: Partial<Parameters<typeof createRouter>[0]> & { readonly port?: number } = {},
): Promise<RunningRouter> {
  const data = await mkdtemp(join(tmpdir(), 'countersign-router-'));
  const { cells, stop } = await CurrentCells.open(map, {
    ...{ kept: new KeptMap(join(data, 'router-map.json')), mostAgeMs: 3_600_000 },
    ...{ now: Date.now, onError: () => undefined },
  });
  const router = createRouter(
    { trustedProxies: [], bodyBytes: 65_536, answerTimeoutMs: 30_000, ...config },
    {
      cells,
      metrics: new RouterMetrics(new Metrics({ collectProcess: false })),
      ...{ log: pino({ level: 'silent' }), now: Date.now },
    },
  );
  router.server.listen(port, '127.0.0.1');
  await once(router.server, 'listening');
  return {
    address: `http://127.0.0.1:${String((router.server.address() as AddressInfo).port)}`,
    close: async () => {
      await router.close();
      stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
