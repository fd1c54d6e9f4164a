import { ToolRefusal } from '../domain/tool-refusal.js';
import { said } from '../domain/workspace-path.js';
import { atEntry, inFolder } from '../files/locate.js';
import { utf8Of, type Folder } from '../files/folder.js';
import { walkFolder } from '../files/walk-folder.js';
import type { ManifestEntry } from './manifest.js';

/** Keeps a content for the snapshot. */
export type KeepContent = (content: Buffer) => Promise<string>;

const MAX_FOLDER_ENTRIES = 1_000_000;
const MAX_DEPTH = 64;

/**
 * Records the entries at these paths with all that is below them, and the way to each. An empty path records the whole root.
 *
 * @param names the names on the way to each path
 */
export async function recordTree(
  root: Folder,
  paths: readonly (readonly string[])[],
  most: number,
  keep: KeepContent,
  signal: AbortSignal,
): Promise<ManifestEntry[]> {
  const recorded = new Map<string, ManifestEntry>();
  const recording = new Recording(recorded, most, keep, signal);
  for (const names of paths) {
    if (names.length === 0) {
      recorded.set('', { path: '', kind: 'folder', mode: await root.mode(), whole: true });
      await recording.below(root, '');
    } else if (await recording.way(root, names)) {
      await atEntry(root, names, (folder, name) => recording.entry(folder, name, names.join('/')));
    }
  }
  return [...recorded.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

class Recording {
  #bytes = 0;

  constructor(
    private readonly recorded: Map<string, ManifestEntry>,
    private readonly most: number,
    private readonly keep: KeepContent,
    private readonly signal: AbortSignal,
  ) {}

  /** Records the folders on the way. False if one is missing: then the entry is recorded as absent. */
  async way(root: Folder, names: readonly string[]): Promise<boolean> {
    if (!this.recorded.has('')) this.#add({ path: '', kind: 'folder', mode: await root.mode(), whole: false });
    for (let depth = 1; depth < names.length; depth++) {
      const above = names.slice(0, depth);
      const path = above.join('/');
      const stat = await atEntry(root, above, (folder, name) => folder.stat(name));
      if (stat === null) {
        for (let missing = depth; missing < names.length; missing++) {
          const way = names.slice(0, missing).join('/');
          if (!this.recorded.has(way)) this.#add({ path: way, kind: 'absent_way' });
        }
        this.#add({ path: names.join('/'), kind: 'absent' });
        return false;
      }
      // Enters it, so that anything but a folder is refused.
      await inFolder(root, above, () => Promise.resolve());
      if (!this.recorded.has(path)) this.#add({ path, kind: 'folder', mode: stat.mode, whole: false });
    }
    return true;
  }

  async entry(folder: Folder, name: string, path: string): Promise<void> {
    this.signal.throwIfAborted();
    const stat = await folder.stat(name);
    if (stat?.kind === 'folder') {
      this.#add({ path, kind: 'folder', mode: stat.mode, whole: true });
      const inner = await folder.enter(name);
      try {
        await this.below(inner, path);
      } finally {
        await inner.close();
      }
    } else await this.#leaf(folder, name, path);
  }

  async below(folder: Folder, above: string): Promise<void> {
    const walk = walkFolder(
      folder,
      { depth: MAX_DEPTH, entries: MAX_FOLDER_ENTRIES, enters: () => true, onIncomplete: incomplete },
      above,
    );
    for await (const { folder: parent, name, path, stat } of walk) {
      this.signal.throwIfAborted();
      if (stat.kind === 'folder') this.#add({ path, kind: 'folder', mode: stat.mode, whole: true });
      else await this.#leaf(parent, name, path);
    }
  }

  async #leaf(folder: Folder, name: string, path: string): Promise<void> {
    this.#add(await this.#leafEntry(folder, name, path));
  }

  async #leafEntry(folder: Folder, name: string, path: string): Promise<ManifestEntry> {
    const stat = await folder.stat(name);
    if (stat === null) return { path, kind: 'absent' };
    if (stat.kind === 'symlink') {
      const target = utf8Of(await folder.readSymlink(name));
      return target === null ? incomplete(path) : { path, kind: 'symlink', target };
    }
    if (stat.kind !== 'file') return incomplete(path);
    // A hard link is kept by its content: a rollback gives the name a file of its own.
    const { content, mode } = await folder.read(name, this.most - this.#bytes, { linked: true });
    this.#bytes += content.length;
    return { path, kind: 'file', mode, digest: await this.keep(content), size: content.length };
  }

  #add(entry: ManifestEntry): void {
    this.recorded.set(entry.path, entry);
  }
}

/** A rollback could not bring the entry back: a pipe, a socket, or a symbolic link with a non-UTF-8 target. */
function incomplete(path: string): never {
  throw new ToolRefusal(
    'workspace.snapshot_incomplete',
    `The snapshot cannot hold ${said(path)}. Nothing was changed.`,
  );
}

const depthOf = (path: string): number => (path === '' ? 0 : path.split('/').length);
