import { asPooler } from '../../../../../test/support/as-pooler.js';
import { testDatabase, testServer } from '../../../../../test/support/database.js';
import { asOwner } from './as-owner.js';
import { migrateDatabase } from './migrate-database.js';
import { operatorClient } from './operator-client.js';

describe('the client of an operator', () => {
  const adminUrl = async (): Promise<string> => (await testServer()).adminUrl;

  it('goes to the host that writes, among several', async () => {
    const { host, username } = new URL(await adminUrl());
    const client = await operatorClient((await adminUrl()).replace(host, `127.0.0.1:9,${host}`), 'operator-test');
    const { rows } = await client.query('select current_user as login');
    await client.end();
    expect(rows).toEqual([{ login: username }]);
  });

  it('reports a refused statement as it is, and not as a refused login', async () => {
    const db = await testDatabase();
    try {
      const config = { kind: 'external', url: db.url, migrateUrl: db.adminUrl } as const;
      const oneTooMany = asOwner(config, (client) => client.query('select $1::int', [1, 2]));
      await expect(oneTooMany).rejects.toMatchObject({ code: '08P01' });
    } finally {
      await db.close();
    }
  });

  it('is refused at a pooler, which would keep its role for others; so are migrations and work on the schema', async () => {
    const { url, close } = await asPooler(await adminUrl());
    try {
      const refused = {
        failure: { code: 'database.pooled', action: expect.stringContaining('COUNTERSIGN_MIGRATE_URL') },
      };
      await expect(operatorClient(url, 'operator-test')).rejects.toMatchObject(refused);
      await expect(migrateDatabase({ adminUrl: url })).rejects.toMatchObject(refused);
      const config = { kind: 'external', url, migrateUrl: url } as const;
      await expect(asOwner(config, () => Promise.resolve())).rejects.toMatchObject(refused);
    } finally {
      await close();
    }
  });
});
