import { startPgvector, type PgvectorServer } from './pgvector-server.js';

let server: PgvectorServer | undefined;

// Imported before suites: their own preparations come after this one.
beforeAll(async () => {
  server = await startPgvector();
}, 300_000);

/** For the end of the file, after the suites let go of their databases. */
export const stopPgvector = async (): Promise<void> => server?.stop();
