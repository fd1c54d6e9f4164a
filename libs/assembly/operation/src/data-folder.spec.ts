import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailureError } from '#lib/kernel';
import { inDataFolder, makeDataFolder, makeServerData } from './data-folder.js';

const base = mkdtempSync(join(tmpdir(), 'countersign-data-'));
afterAll(() => {
  rmSync(base, { recursive: true });
});

const failureOf = (folder: string, setting: string): unknown => {
  try {
    makeDataFolder(folder, setting);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  return null;
};

describe('a data folder', () => {
  it('is made with the folders above it, for its account alone; again is no mistake', () => {
    const folder = join(base, 'a', 'b');
    makeDataFolder(folder, 'COUNTERSIGN_DATA');
    makeDataFolder(folder, 'COUNTERSIGN_DATA');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.each(['/proc/x', '/proc/x/y'])('is refused at once if it cannot be made: %s', (folder) => {
    expect(failureOf(folder, 'COUNTERSIGN_DATA')).toMatchObject({
      code: 'start.data_refused',
      message: expect.stringContaining(`The data folder ${folder} cannot be made (`) as string,
      action: expect.stringContaining('COUNTERSIGN_DATA') as string,
    });
  });

  it('is refused if a file has its name', () => {
    const file = join(base, 'file');
    writeFileSync(file, '');
    expect(failureOf(file, 'COUNTERSIGN_RUNNER_DATA')).toMatchObject({
      code: 'start.data_refused',
      message: `The data folder ${file} cannot be made (EEXIST).`,
    });
  });

  it('is not made for a server that keeps nothing there', () => {
    const folder = join(base, 'unused');
    const environment = { DATABASE_URL: 'postgres://db/countersign', COUNTERSIGN_KEYRING: '/etc/keyring.json' };
    makeServerData(environment, folder);
    expect(existsSync(folder)).toBe(false);
    makeServerData({ ...environment, COUNTERSIGN_KEYRING: undefined }, folder);
    expect(existsSync(folder)).toBe(true);
  });
});

describe('work that writes to a data folder', () => {
  const failing = (error: Error) =>
    inDataFolder('/var/lib/runner', 'COUNTERSIGN_RUNNER_DATA', () => Promise.reject(error));

  it.each([
    [{ code: 'ENOSPC' }, 'The disk is full: there is no room for /var/lib/runner (ENOSPC).'],
    [{ code: 'EDQUOT', path: '/srv/key.json' }, 'The disk is full: there is no room for /srv/key.json (EDQUOT).'],
  ])('tells that the disk is full, and where: %j', async (facts, message) => {
    await expect(failing(Object.assign(new Error('write'), facts))).rejects.toMatchObject({
      failure: {
        code: 'start.disk_full',
        message,
        action: expect.stringContaining('COUNTERSIGN_RUNNER_DATA') as string,
      },
    });
  });

  it('leaves any other error as it is', async () => {
    const error = Object.assign(new Error('no'), { code: 'EACCES' });
    await expect(failing(error)).rejects.toBe(error);
  });
});
