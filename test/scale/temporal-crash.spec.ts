import { crashSuite, KILLS, SEED } from '../support/crash-suite.js';
import { packageWithTemporal, startTemporal, type TemporalServer } from '../support/temporal-server.js';

/** The first time, the server is built. */
const BUILT_WITHIN_MS = 1_800_000;

let temporal: TemporalServer;
beforeAll(async () => {
  temporal = await startTemporal();
}, BUILT_WITHIN_MS);
afterAll(() => temporal.stop());

describe(`T27: a worker killed ${String(KILLS)} times at step boundaries, through Temporal (seed ${String(SEED)})`, () => {
  crashSuite(() => ({ settings: temporal.settings, folder: packageWithTemporal(temporal) }));
});
