import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedAddress } from './embedded-address.js';
import { keptPassword, writeServerRecord } from './server-record.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-address-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const record = () => writeServerRecord(folder, { port: 5_433, owner: { pid: 1, started: '1' } });

it('is that of the superuser, at the port of the record', async () => {
  const password = await keptPassword(folder, 'postgres');
  await record();
  expect(await embeddedAddress(folder)).toBe(`postgres://postgres:${password}@127.0.0.1:5433/postgres`);
});

it.each([
  ['is empty', () => Promise.resolve()],
  ['has no password', record],
  ['has no record', () => keptPassword(folder, 'postgres')],
])('is refused for a folder that %s', async (_what, fill) => {
  await fill();
  await expect(embeddedAddress(folder)).rejects.toMatchObject({ failure: { code: 'database.no_embedded_server' } });
});
