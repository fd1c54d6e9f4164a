import { startPgBouncer, type Pooler } from './pgbouncer.js';

let pooler: Pooler | undefined;

// Imported before suites: their own preparations come after this one.
beforeAll(async () => {
  pooler = await startPgBouncer();
}, 60_000);

/** For the end of the file, after the suites let go of their databases. */
export const stopPgBouncer = async (): Promise<void> => pooler?.stop();
