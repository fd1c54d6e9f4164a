import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { makeFolder, makeFolderSync } from './make-folder.js';

const base = mkdtempSync(join(tmpdir(), 'countersign-folders-'));
const file = join(base, 'file');
writeFileSync(file, '');
afterAll(() => {
  rmSync(base, { recursive: true });
});

const modeOf = (folder: string): number => statSync(folder).mode & 0o777;

describe.each([
  ['makeFolder', makeFolder],
  [
    'makeFolderSync',
    // A promise's executor turns what it throws into a rejection.
    (folder: string, mode?: number) =>
      new Promise<void>((resolve) => {
        makeFolderSync(folder, mode);
        resolve();
      }),
  ],
])('%s', (name, make) => {
  it('makes a folder with those above it, for its account alone; again is no mistake', async () => {
    const folder = join(base, name, 'a', 'b');
    await make(folder);
    await make(folder);
    expect([modeOf(join(base, name)), modeOf(folder)]).toEqual([0o700, 0o700]);
  });

  it('makes one with another mode, and leaves that of a folder that is there', async () => {
    const folder = join(base, `${name}-open`);
    await make(folder, 0o755);
    await make(join(folder, 'private'));
    expect([modeOf(folder), modeOf(join(folder, 'private'))]).toEqual([0o755, 0o700]);
  });

  it('takes a relative path', async () => {
    await make(relative(process.cwd(), join(base, `${name}-relative`)));
    expect(modeOf(join(base, `${name}-relative`))).toBe(0o700);
  });

  it('makes one that several make at the same time', async () => {
    const folder = join(base, `${name}-together`, 'a');
    await expect(Promise.all([make(folder), make(folder), make(folder)])).resolves.toHaveLength(3);
  });

  // Node's own recursive call would never return from these.
  it.each(['/proc/x', '/proc/x/y', '/proc/self/x/y'])('refuses %s at once', async (folder) => {
    await expect(make(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['in the place of a file', file, 'EEXIST'],
    ['within a file', join(file, 'a'), 'EEXIST'],
  ])('refuses one %s', async (_where, folder, code) => {
    await expect(make(folder)).rejects.toMatchObject({ code });
  });
});
