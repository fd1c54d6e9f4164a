import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeSubmitterStanding } from '../application/submitter-standing.contract.js';
import { SqlSubmitterStanding } from './sql-submitter-standing.js';

describeSubmitterStanding('SqlSubmitterStanding', async () => {
  const world = await postgresWorld();
  return {
    world,
    standing: new SqlSubmitterStanding(),
    disable: async (id, disabled) => {
      for (const table of ['agent', 'person'])
        await world.db.owner.query(
          `update ${table} set disabled_at = case when $2::boolean then clock_timestamp() end where id = $1`,
          [id, disabled],
        );
    },
  };
});
