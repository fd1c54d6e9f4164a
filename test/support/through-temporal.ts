import { packageWithTemporal, startTemporal, type TemporalServer } from './temporal-server.js';
import { WORKERS_OF_FILE, type WorkersOfFile } from './worker-process.js';

/** The first time, the server is built. */
export const BUILT_WITHIN_MS = 1_800_000;

/** Has all workers of the suites beside it advance runs through a Temporal server of their own. */
export function throughTemporal(): void {
  let temporal: TemporalServer;

  beforeAll(async () => {
    temporal = await startTemporal();
    const workers: WorkersOfFile = { settings: temporal.settings, folder: packageWithTemporal(temporal) };
    process.env[WORKERS_OF_FILE] = JSON.stringify(workers);
  }, BUILT_WITHIN_MS);

  afterAll(() => temporal.stop());
}
