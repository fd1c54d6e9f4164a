import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.js';

const NOBODY = 65_534;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-remove-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs as a user without the rights of root, since file modes do not stop root. */
async function asUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('removes a folder although programs took the rights from folders in it, and nothing that links lead to', async () => {
  const [home, kept] = [join(folder, 'home'), join(folder, 'kept')];
  const inner = join(home, 'inner');
  for (const each of [home, inner, kept]) mkdirSync(each);
  for (const each of [inner, kept]) writeFileSync(join(each, 'file'), '');
  symlinkSync(kept, join(inner, 'link'));
  if (process.geteuid?.() === 0) for (const each of [folder, home, inner]) chownSync(each, NOBODY, NOBODY);
  chmodSync(inner, 0o555);
  await asUser(() => removeFolder(home));
  expect([existsSync(home), existsSync(join(kept, 'file'))]).toEqual([false, true]);
});

it('has nothing to do if nothing is there', async () => {
  await expect(removeFolder(join(folder, 'none'))).resolves.toBeUndefined();
});
