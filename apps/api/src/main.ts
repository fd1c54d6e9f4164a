import { dataDirectory, databaseConfigFrom, embeddedEnded, openDatabase, packageRoot } from '#lib/database';
import { guardLogs } from '#lib/audit';
import { checkpointDestinationsFrom, compose, ENTITIES, openCheckpointDestinations } from '#lib/installation';
import {
  listening,
  makeServerData,
  measureDatabase,
  Metrics,
  report,
  reportUnknownSettings,
  runProcess,
  serveMetrics,
  startTracing,
} from '#lib/operation';
import { apiConfigFrom, metricsAddressFrom } from './api-config.js';
import { createApi } from './create-api.js';

// At its end the process answers requests under way, gives new ones 503, and closes the database last.
void runProcess(async (stops) => {
  const root = packageRoot();
  reportUnknownSettings(process.env);
  const config = apiConfigFrom(process.env, root);
  makeServerData(process.env, dataDirectory(process.env, root));
  stops.push(await startTracing('api', process.env));
  const opened = await openDatabase(databaseConfigFrom(process.env, root), {
    applicationName: 'countersign-api',
    entities: ENTITIES,
    poolSize: config.databasePoolSize,
    onError: report,
  });
  stops.push(() => opened.close());
  const database = guardLogs(opened, openCheckpointDestinations(checkpointDestinationsFrom(process.env)), report);
  const metrics = new Metrics({ collectProcess: true });
  measureDatabase(metrics, database);
  const metricsServer = await serveMetrics(metrics, metricsAddressFrom(process.env));
  stops.push(() => metricsServer.close());
  const installation = await compose(config, database);
  const app = await createApi(config, { installation, database, metrics });
  stops.push(() => app.close());
  await listening({ host: config.host, port: config.port, setting: 'COUNTERSIGN_PORT' }, () =>
    app.listen(config.port, config.host),
  );
  return { signal: database.gone, why: embeddedEnded };
});
