import { makeTenant } from '../../../../../test/database/arrange.js';
import { testDatabase } from '../../../../../test/support/database.js';
import { judgedSet } from '../../../../../test/support/judged-precedents.js';
import { keepPrecedents, loadPrecedents } from '../../../../../test/support/precedent-rows.js';
import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';

/** The rows of a tenant by table, without ids that are invented. A term brings its trigrams once, whichever precedent has it first. */
const ROWS = {
  precedent: `select to_jsonb(precedent) - '{tenant_id,subject_id,task_id,environment_id,terms}'::text[] as row,
                     array(select term from unnest(terms) as of_terms (term) order by term) as terms
                from precedent where tenant_id = $1 order by id`,
  term: "select to_jsonb(found) - 'tenant_id' as row from precedent_term found where tenant_id = $1 order by term, precedent_id",
  trait:
    "select to_jsonb(found) - 'tenant_id' as row from precedent_trait found where tenant_id = $1 order by kind, trait, precedent_id",
  gram: 'select gram, term from precedent_gram where tenant_id = $1 order by gram, term',
};

it('loads precedents with the rows that they get one by one', async () => {
  const db = await testDatabase();
  try {
    const { precedents } = judgedSet();
    const [first, later] = [precedents.slice(0, 30), precedents.slice(-10)];
    const rowsOf = async (
      slug: string,
      write: typeof loadPrecedents,
    ): Promise<Record<keyof typeof ROWS, unknown[]>> => {
      const tenant = await makeTenant(db.uow, slug);
      await db.uow.run(tenant, (tx) => write(tx, first));
      await db.uow.run(tenant, (tx) => write(tx, later));
      const read = (sql: string, tx: Tx) => sqlOf(tx).query(sql, [tenant]);
      return db.uow.run(tenant, async (tx) => ({
        precedent: await read(ROWS.precedent, tx),
        term: await read(ROWS.term, tx),
        trait: await read(ROWS.trait, tx),
        gram: await read(ROWS.gram, tx),
      }));
    };
    const loaded = await rowsOf('loaded', loadPrecedents);
    expect(loaded.precedent).toHaveLength(40);
    expect(loaded).toEqual(await rowsOf('kept', keepPrecedents));
  } finally {
    await db.close();
  }
}, 60_000);
