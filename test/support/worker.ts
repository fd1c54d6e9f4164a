import { compose } from '#lib/installation';
import { startWorker } from '../../apps/worker/src/start-worker.js';
import { defaultWorkerConfig, type WorkerConfig } from '../../apps/worker/src/worker-config.js';
import type { TestApi } from './api.js';

/** Tests change the times of rows by hand, which no hint tells a worker. A look costs as much as a short request. */
const LOOK_MS = 300;

/** A worker in this process, on the database and with the keys of an api. The waits of plans pass a thousand times as fast. */
export async function workerOf(
  api: Pick<TestApi, 'config' | 'db'>,
  config: Partial<WorkerConfig> = {},
): Promise<{ stop(): Promise<void> }> {
  const database = await api.db.worker();
  const settings = { demoWaitScale: 0.001, logLevel: 'silent', lookMs: LOOK_MS, port: 0, ...config } as const;
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
