import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { keepPrecedents, loadPrecedents } from '../../../../../test/support/precedent-rows.js';
import { describePrecedents } from '../application/precedents.contract.js';
import { SqlPrecedents } from './sql-precedents.js';

describePrecedents('SqlPrecedents', async () => ({
  world: await postgresWorld(),
  precedents: new SqlPrecedents(),
  keep: keepPrecedents,
  load: loadPrecedents,
}));
