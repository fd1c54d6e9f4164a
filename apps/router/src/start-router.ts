import type { Server } from 'node:http';
import { pino } from 'pino';
import { openCellMap } from '#lib/cell-map';
import { dataDirectory, packageRoot } from '#lib/database';
import { listening, loggerOptions, Metrics, reportUnknownSettings, serveMetrics } from '#lib/operation';
import { createRouter } from './create-router.js';
import { CurrentCells } from './current-cells.js';
import { KeptMap } from './kept-map.js';
import { routerConfigFrom } from './router-config.js';
import { RouterMetrics } from './router-metrics.js';

/** Starts the router as the environment says, and leaves in `stops` how to stop its parts. Nothing but a signal ends it. */
export async function startRouter(stops: (() => Promise<unknown>)[]): Promise<null> {
  reportUnknownSettings(process.env);
  const config = routerConfigFrom(process.env, dataDirectory(process.env, packageRoot()));
  const log = pino(loggerOptions('router', config.logLevel));
  const warn = (error: unknown): void => {
    log.warn({ err: error }, 'the map cannot be read, or not be kept; the last reading stands');
  };
  const map = await openCellMap(config.map, warn);
  stops.push(() => map.close());
  const { cells, stop } = await CurrentCells.open(map, {
    ...{ kept: new KeptMap(config.keptMap), mostAgeMs: config.mapAgeMs },
    ...{ now: Date.now, onError: warn },
  });
  stops.push(() => {
    stop();
    return Promise.resolve();
  });
  const metrics = new Metrics({ collectProcess: true });
  metrics.gauge({
    name: 'countersign_router_map_age_seconds',
    help: 'How long ago the map was read; it grows while its database is away',
    collect: (gauge) => {
      gauge.set(cells.ageMs / 1_000);
      return Promise.resolve();
    },
  });
  const metricsServer = await serveMetrics(metrics, config.metrics);
  stops.push(() => metricsServer.close());
  const router = createRouter(config, { cells, metrics: new RouterMetrics(metrics), log, now: Date.now });
  stops.push(() => router.close());
  await listening({ host: config.host, port: config.port, setting: 'COUNTERSIGN_ROUTER_PORT' }, () =>
    listen(router.server, config),
  );
  log.info({ host: config.host, port: config.port, cells: cells.all.length }, 'the router is at work');
  return null;
}

const listen = (server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
