import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { testServer } from '../../../../../test/support/database.js';
import { cellMapContract } from '../application/cell-map.contract.js';
import { openCellMap, type OpenCellMap } from '../create-cell-map.js';

describe('the map in PostgreSQL', () => {
  const name = `map_${randomBytes(6).toString('hex')}`;
  let server: Pool;
  let map: OpenCellMap;

  beforeEach(async () => {
    const { adminUrl } = await testServer();
    server = new Pool({ connectionString: adminUrl, max: 1 });
    await server.query(`create database ${name}`);
    const { href } = Object.assign(new URL(adminUrl), { pathname: `/${name}` });
    map = await openCellMap({ url: href }, (error) => {
      throw error;
    });
    await map.putCell('eu1', 'https://eu1.internal');
    await map.putCell('us1', 'https://us1.internal');
  });
  afterEach(async () => {
    await map.close();
    await server.query(`drop database ${name}`);
    await server.end();
  });

  cellMapContract(() => Promise.resolve(map));
});
