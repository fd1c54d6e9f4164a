import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type TenantId } from '#lib/kernel';
import { OcsfFile } from './ocsf-file.js';

let folder: string;
const tenantId = newId<TenantId>();
const path = (): string => join(folder, 'ocsf.ndjson');
const write = (...lines: readonly string[]): Promise<void> => new OcsfFile(path()).write(tenantId, lines);
const text = (): Promise<string> => readFile(path(), 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ocsf-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the file of OCSF lines', () => {
  it('is appended to, in order, and others cannot read it', async () => {
    await write('{"n":1}', '{"n":2}');
    await write('{"n":3}');
    expect(await text()).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
    expect((await stat(path())).mode & 0o007).toBe(0);
  });

  it('begins anew after it was rotated', async () => {
    await write('{"n":1}');
    await rename(path(), `${path()}.1`);
    await write('{"n":2}');
    expect(await text()).toBe('{"n":2}\n');
  });

  it('keeps a line apart from one that a process left unfinished', async () => {
    await writeFile(path(), '{"n":1}\n{"n":');
    await write('{"n":2}');
    expect(await text()).toBe('{"n":1}\n{"n":\n{"n":2}\n');
  });

  it('says that its folder is not there', async () => {
    const missing = new OcsfFile(join(folder, 'none', 'ocsf.ndjson'));
    await expect(missing.write(tenantId, ['{}'])).rejects.toThrow('ENOENT');
  });

  it('takes the lines of several processes whole', async () => {
    const line = JSON.stringify({ text: 'x'.repeat(5_000) });
    await Promise.all(Array.from({ length: 20 }, () => write(line, line)));
    const lines = (await text()).trimEnd().split('\n');
    expect([lines.length, new Set(lines)]).toEqual([40, new Set([line])]);
  });
});
