import { packageRoot, startEmbeddedPostgres } from '#lib/database';
import { databaseRestartSuite } from '../support/database-restart-suite.js';

describe('T27: the database is stopped and started in the middle of a run', () => {
  databaseRestartSuite(async (folder) => ({
    postgres: await startEmbeddedPostgres({ directory: folder, root: packageRoot(), port: 0 }),
    folder,
  }));
});
