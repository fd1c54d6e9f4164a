import { databaseConfigFrom, openDatabase, packageRoot } from '#lib/database';
import { listening, Metrics, serveMetrics, startTracing } from '#lib/operation';
import { apiConfigFrom, metricsAddressFrom } from './api-config.js';
import { createApi } from './create-api.js';

const root = packageRoot();
const config = apiConfigFrom(process.env, root);
const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};
const stopTracing = await startTracing('api', process.env);
const database = await openDatabase(databaseConfigFrom(process.env, root), {
  applicationName: 'countersign-api',
  works: false,
  poolSize: config.databasePoolSize,
  onError: report,
  onJobFailure: () => undefined,
});
const metrics = new Metrics({ collectProcess: true });
const metricsServer = await serveMetrics(metrics, metricsAddressFrom(process.env));
const app = await createApi(config, { database, metrics });
const asked = new Promise<void>((resolve) => {
  process.once('SIGTERM', () => {
    resolve();
  });
  process.once('SIGINT', () => {
    resolve();
  });
});
await listening({ host: config.host, port: config.port, setting: 'COUNTERSIGN_PORT' }, () =>
  app.listen(config.port, config.host),
);
await asked;
// Requests under way are answered, new ones get 503; the database goes last.
await app.close();
await metricsServer.close();
await database.close();
await stopTracing();
