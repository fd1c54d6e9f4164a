import { ToolRefusal } from '../domain/tool-refusal.js';
import { TEMPORARY, utf8Of, type Folder } from '../files/folder.js';
import { said } from '../domain/workspace-path.js';
import { atEntry, inFolder } from '../files/locate.js';
import { digestOf } from './blob-folder.js';
import type { ManifestEntry } from './manifest.js';

const MAX_FOLDER_ENTRIES = 1_000_000;
const WRITABLE = 0o700;

type Entry<Kind extends ManifestEntry['kind']> = Extract<ManifestEntry, { readonly kind: Kind }>;

/**
 * Makes every recorded entry as the snapshot has it. Each step looks at the present state first. So a second
 * restoration goes on from an interrupted one, and changes nothing after a complete one.
 *
 * @returns the number of entries that were changed
 */
export async function restoreTree(
  root: Folder,
  entries: readonly ManifestEntry[],
  read: (digest: string) => Promise<Buffer>,
): Promise<number> {
  const known = new Set(entries.map(({ path }) => path));
  let changed = 0;
  const step = async (change: Promise<boolean>): Promise<void> => {
    if (await change) changed += 1;
  };
  const modes = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind === 'folder') await step(restoreFolder(root, entry, known, modes));
    else if (entry.kind === 'file') await step(restoreFile(root, entry, read));
    else if (entry.kind === 'symlink') await step(restoreSymlink(root, entry));
    else if (entry.kind === 'absent') await step(removeIfThere(root, namesIn(entry.path)));
  }
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'absent_way') await step(removeEmptyFolder(root, namesIn(entry.path)));
    // Last and from below: a folder may be closed to its owner.
    if (entry.kind === 'folder') await step(restoreMode(root, entry, modes.get(entry.path)));
  }
  return changed;
}

async function restoreFolder(
  root: Folder,
  entry: Entry<'folder'>,
  known: ReadonlySet<string>,
  modes: Map<string, number>,
): Promise<boolean> {
  const names = namesIn(entry.path);
  const made = names.length > 0 && (await atEntry(root, names, makeFolder));
  return await inFolder(root, names, async (folder) => {
    const mode = await folder.mode();
    modes.set(entry.path, mode);
    if ((mode & WRITABLE) !== WRITABLE) await folder.setMode(mode | WRITABLE);
    const removed = await removeUnknown(folder, entry, known);
    return made || removed > 0;
  });
}

async function makeFolder(folder: Folder, name: string): Promise<boolean> {
  const kind = (await folder.stat(name))?.kind;
  if (kind === 'folder') return false;
  if (kind !== undefined) await folder.remove(name);
  await folder.makeFolder(name, WRITABLE);
  return true;
}

/** Removes entries that the snapshot has not, and files that an interrupted write left. */
async function removeUnknown(
  folder: Folder,
  { path, whole }: Entry<'folder'>,
  known: ReadonlySet<string>,
): Promise<number> {
  const { names, unreadable } = await folder.list(MAX_FOLDER_ENTRIES);
  if (whole && unreadable > 0) throw foreignName(path);
  let removed = 0;
  for (const name of names) {
    const inner = path === '' ? name : `${path}/${name}`;
    if (known.has(inner) || !(whole || name.startsWith(TEMPORARY))) continue;
    await removeTree(folder, name);
    removed += 1;
  }
  return removed;
}

async function restoreFile(
  root: Folder,
  { path, mode, digest, size }: Entry<'file'>,
  read: (digest: string) => Promise<Buffer>,
): Promise<boolean> {
  return await atEntry(root, namesIn(path), async (folder, name) => {
    const stat = await folder.stat(name);
    if (stat?.kind === 'file' && stat.size === size && stat.mode === mode) {
      const { content } = await folder.read(name, size, { linked: true });
      if (digestOf(content) === digest) return false;
    }
    if (stat?.kind === 'folder') await removeTree(folder, name);
    await folder.write(name, await read(digest), mode);
    return true;
  });
}

async function restoreSymlink(root: Folder, { path, target }: Entry<'symlink'>): Promise<boolean> {
  return await atEntry(root, namesIn(path), async (folder, name) => {
    const kind = (await folder.stat(name))?.kind;
    if (kind === 'symlink' && utf8Of(await folder.readSymlink(name)) === target) return false;
    if (kind === 'folder') await removeTree(folder, name);
    await folder.writeSymlink(name, target);
    return true;
  });
}

/** @param before the mode that the folder had before the restoration opened it */
async function restoreMode(
  root: Folder,
  { path, mode }: Entry<'folder'>,
  before: number | undefined,
): Promise<boolean> {
  return await inFolder(root, namesIn(path), async (folder) => {
    if ((await folder.mode()) !== mode) await folder.setMode(mode);
    return before !== mode;
  });
}

async function removeIfThere(root: Folder, names: readonly string[]): Promise<boolean> {
  return await orFalse(['workspace.not_found', 'workspace.not_a_folder', 'workspace.symlink'], () =>
    atEntry(root, names, async (folder, name) => {
      if ((await folder.stat(name)) === null) return false;
      await removeTree(folder, name);
      return true;
    }),
  );
}

async function removeEmptyFolder(root: Folder, names: readonly string[]): Promise<boolean> {
  return await orFalse(
    ['workspace.not_found', 'workspace.not_a_folder', 'workspace.symlink', 'workspace.not_empty'],
    () =>
      atEntry(root, names, async (folder, name) => {
        await inFolder(folder, [name], (inner) =>
          removeUnknown(inner, { path: '', kind: 'folder', mode: 0, whole: false }, new Set()),
        );
        await folder.removeFolder(name);
        return true;
      }),
  );
}

async function orFalse(codes: readonly string[], change: () => Promise<boolean>): Promise<boolean> {
  try {
    return await change();
  } catch (problem) {
    if (problem instanceof ToolRefusal && codes.includes(problem.code)) return false;
    throw problem;
  }
}

/** Removes an entry with all that is below it. */
export async function removeTree(folder: Folder, name: string): Promise<void> {
  if ((await folder.stat(name))?.kind !== 'folder') {
    await folder.remove(name);
    return;
  }
  const inner = await folder.enter(name);
  try {
    await inner.setMode((await inner.mode()) | WRITABLE);
    const { names, unreadable } = await inner.list(MAX_FOLDER_ENTRIES);
    if (unreadable > 0) throw foreignName(name);
    for (const child of names) await removeTree(inner, child);
  } finally {
    await inner.close();
  }
  await folder.removeFolder(name);
}

const foreignName = (path: string): ToolRefusal =>
  new ToolRefusal(
    'workspace.name_not_utf8',
    `${said(path)} holds a name that is not UTF-8. Remove it on the machine, then roll back again.`,
    'unknown',
  );

const namesIn = (path: string): string[] => (path === '' ? [] : path.split('/'));
