import { dataDirectory, databaseConfigFrom, embeddedEnded, openDatabase, packageRoot } from '#lib/database';
import { guardLogs } from '#lib/audit';
import { checkpointDestinationsFrom, compose, ENTITIES, openCheckpointDestinations } from '#lib/installation';
import {
  makeServerData,
  measureDatabase,
  Metrics,
  report,
  reportUnknownSettings,
  runProcess,
  startTracing,
} from '#lib/operation';
import { startWorker } from './start-worker.js';
import { workerConfigFrom } from './worker-config.js';

void runProcess(async (stops) => {
  const root = packageRoot();
  reportUnknownSettings(process.env);
  const config = workerConfigFrom(process.env, root);
  makeServerData(process.env, dataDirectory(process.env, root));
  stops.push(await startTracing('worker', process.env));
  const opened = await openDatabase(databaseConfigFrom(process.env, root), {
    applicationName: 'countersign-worker',
    entities: ENTITIES,
    poolSize: config.databasePoolSize,
    onError: report,
  });
  stops.push(() => opened.close());
  const database = guardLogs(opened, openCheckpointDestinations(checkpointDestinationsFrom(process.env)), report);
  const installation = await compose(config, database);
  const metrics = new Metrics({ collectProcess: true });
  measureDatabase(metrics, database);
  const worker = await startWorker(config, { installation, database, metrics, serve: true });
  stops.push(() => worker.stop());
  return { signal: database.gone, why: embeddedEnded };
});
