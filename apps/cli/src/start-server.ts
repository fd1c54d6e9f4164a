import { join } from 'node:path';
import { databaseConfigFrom, dataDirectory, openDatabase, packageRoot, type Database } from '#lib/database';
import { Metrics, serveMetrics, startTracing } from '#lib/operation';
import { apiConfigFrom, metricsAddressFrom } from '../../api/src/api-config.js';
import { createApi } from '../../api/src/create-api.js';
import { startWorker } from '../../worker/src/start-worker.js';
import { workerConfigFrom } from '../../worker/src/worker-config.js';

/** Which parts this process plays. */
export interface Roles {
  readonly api: boolean;
  readonly worker: boolean;
}

/** Something that was started; stopped in the opposite order. */
type Stop = () => Promise<unknown>;

const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

/**
 * Runs api, worker or both until SIGTERM or SIGINT, then stops gracefully: no new requests or turns, what is under way
 * ends, the embedded database last.
 *
 * @param atFirstStart answers where the bootstrap token lies while no tenant has been founded, and null afterwards.
 */
export async function startServer(
  roles: Roles,
  atFirstStart: (database: Database) => Promise<string | null>,
): Promise<void> {
  const root = packageRoot();
  const stops: Stop[] = [];
  const signal = firstSignal();
  try {
    stops.push(await startTracing(nameOf(roles), process.env));
    const database = await openDatabase(databaseConfigFrom(process.env, root), {
      applicationName: `countersign-${nameOf(roles)}`,
      works: roles.worker,
      poolSize: apiConfigFrom(process.env, root).databasePoolSize,
      onError: report,
      onJobFailure: (_name, error) => {
        report(error);
      },
    });
    stops.push(() => database.close());
    const metrics = new Metrics({ collectProcess: true });
    if (roles.worker) stops.push(await runWorker(root, database, metrics, !roles.api));
    if (roles.api) stops.push(...(await runApi(root, database, metrics)));
    const tokenFile = roles.api ? await atFirstStart(database) : null;
    announce(roles, database, tokenFile);
    await signal;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

function nameOf({ api, worker }: Roles): string {
  if (api) return worker ? 'server' : 'api';
  return 'worker';
}

async function runWorker(root: string, database: Database, metrics: Metrics, serve: boolean): Promise<Stop> {
  const config = workerConfigFrom(process.env, root);
  // Unless the operator publishes them somewhere better, checkpoints are at least files that can be copied away.
  const checkpointDirectory =
    config.checkpointUrl === null
      ? (config.checkpointDirectory ?? join(dataDirectory(process.env, root), 'checkpoints'))
      : null;
  const worker = await startWorker({ ...config, checkpointDirectory }, { database, metrics, serve });
  return () => worker.stop();
}

async function runApi(root: string, database: Database, metrics: Metrics): Promise<Stop[]> {
  const config = apiConfigFrom(process.env, root);
  const metricsServer = await serveMetrics(metrics, metricsAddressFrom(process.env));
  const app = await createApi(config, { database, metrics });
  await app.listen(config.port, config.host);
  return [() => metricsServer.close(), () => app.close()];
}

function announce(roles: Roles, database: Database, tokenFile: string | null): void {
  const { host, port } = apiConfigFrom(process.env, packageRoot());
  const lines = [
    `database  ${database.where.address}${database.where.embedded ? ' (embedded)' : ''}`,
    ...(roles.api ? [`api       http://${host}:${String(port)}/v1  (described at /docs)`] : []),
    ...(roles.worker ? ['worker    at work'] : []),
    ...(tokenFile === null
      ? []
      : [
          '',
          `Nobody has founded a tenant yet. A bootstrap token is in ${tokenFile}; use it with: countersign found --help`,
        ]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (): void => {
      resolve();
    };
    process.once('SIGTERM', onSignal);
    process.once('SIGINT', onSignal);
  });
}
