import { openDatabase } from '#lib/database';
import { compose, ENTITIES } from '#lib/installation';
import { startWorker } from '../../apps/worker/src/start-worker.js';
import { defaultWorkerConfig, type WorkerConfig } from '../../apps/worker/src/worker-config.js';
import type { TestApi } from './api.js';

const ignore = (): void => undefined;

/** A worker in this process, on the database and with the keys of an api; the waits of plans pass a thousand times as fast. */
export async function workerOf(
  api: Pick<TestApi, 'config' | 'db'>,
  config: Partial<WorkerConfig> = {},
): Promise<{ stop(): Promise<void> }> {
  const database = await openDatabase(
    { kind: 'external', url: api.db.url, ...(api.db.directUrl === undefined ? {} : { directUrl: api.db.directUrl }) },
    { applicationName: 'countersign-test-worker', entities: ENTITIES, poolSize: 10, onError: ignore },
  );
  const settings = { demoWaitScale: 0.001, logLevel: 'silent', lookMs: 100, port: 0, ...config } as const;
  const wanted = { ...defaultWorkerConfig, ...api.config, ...settings };
  const installation = await compose(wanted, database);
  const worker = await startWorker(wanted, { installation, database, serve: false });
  return {
    stop: async () => {
      await worker.stop();
      await database.close();
    },
  };
}
