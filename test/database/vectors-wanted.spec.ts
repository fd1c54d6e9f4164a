import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { SqlPrecedentVectors } from '../../libs/evidence/precedent/src/adapters/sql-precedent-vectors.js';
import { describeVectorsWanted } from '../../libs/reach/embedder/src/application/vectors-wanted.contract.js';
import { postgresWorld } from '../support/postgres-world.js';
import { keepPrecedent } from '../support/precedent-rows.js';

describeVectorsWanted('SqlPrecedentVectors', async () => {
  const world = await postgresWorld();
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
  return {
    ...{ world, wanted: new SqlPrecedentVectors() },
    add: (goal) => atHome((tx) => keepPrecedent(tx, { goal, tools: ['run_playbook'], environment: 'production' })),
    change: async (id, goal) => {
      await atHome((tx) =>
        sqlOf(tx).execute('update precedent set goal = $3 where tenant_id = $1 and id = $2', [tx.tenantId, id, goal]),
      );
    },
  };
});
