import { stopPgvector } from '../support/on-pgvector.js';
import '../../libs/evidence/precedent/src/adapters/sql-precedent-vectors.db.spec.js';
import '../../libs/evidence/precedent/src/adapters/judged-meanings.db.spec.js';
import '../e2e/embedder.spec.js';
import { makeTenant } from '../database/arrange.js';
import { testDatabase } from '../support/database.js';
import { giveVectors } from '../support/local-meanings.js';
import { keepPrecedent } from '../support/precedent-rows.js';

afterAll(stopPgvector);

it('points are of the type of pgvector where the server has it, and cube is not asked for', async () => {
  const db = await testDatabase();
  try {
    const tenant = await makeTenant(db.uow, 'points');
    const id = await db.uow.run(tenant, (tx) =>
      keepPrecedent(tx, { goal: 'Draining the broker', tools: ['run_playbook'], environment: 'production' }),
    );
    await giveVectors(db.uow, tenant);
    const { rows } = await db.owner.query(
      `select precedent_id as id, pg_typeof(point)::text as type, vector_dims(point) as dimensions,
              exists (select from pg_extension where extname = 'cube') as cube
         from precedent_vector`,
    );
    expect(rows).toEqual([{ id, type: 'vector', dimensions: 96, cube: false }]);
  } finally {
    await db.close();
  }
});
