import { databaseConfigFrom, openDatabase, packageRoot } from '#lib/database';
import { Metrics, startTracing } from '#lib/operation';
import { startWorker } from './start-worker.js';
import { workerConfigFrom } from './worker-config.js';

const root = packageRoot();
const config = workerConfigFrom(process.env, root);
const report = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};
const stopTracing = await startTracing('worker', process.env);
const database = await openDatabase(databaseConfigFrom(process.env, root), {
  applicationName: 'countersign-worker',
  works: true,
  poolSize: config.databasePoolSize,
  onError: report,
  onJobFailure: (_name, error) => {
    report(error);
  },
});
const worker = await startWorker(config, { database, metrics: new Metrics({ collectProcess: true }), serve: true });
await new Promise<void>((resolve) => {
  process.once('SIGTERM', () => {
    resolve();
  });
  process.once('SIGINT', () => {
    resolve();
  });
});
await worker.stop();
await database.close();
await stopTracing();
