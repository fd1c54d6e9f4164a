import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { sqlOf } from '#lib/database';

describe('the test database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });
  it('works', async () => {
    const id = newId<TenantId>();
    await db.uow.run(id, async (tx) => {
      const now = new Date(await tx.now());
      await sqlOf(tx).execute('insert into tenant (id, slug, name, created_at) values ($1,$2,$3,$4)', [
        id,
        'a',
        'A',
        now,
      ]);
    });
    expect((await db.owner.query('select * from tenant')).rows).toHaveLength(1);
    expect((await db.app.query('select * from tenant')).rows).toHaveLength(0);
  });
});
