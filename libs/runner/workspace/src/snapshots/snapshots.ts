import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#lib/folders';
import type { ToolLimits } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { codeOf } from '../files/entry-stat.js';
import { realRoot, withRoot } from '../files/locate.js';
import { BlobFolder, namesIn, newId, readBlob, syncFolder, writeDurably } from './blob-folder.js';
import { KeptContents } from './kept-contents.js';
import { manifestSchema, type Manifest } from './manifest.js';
import { measureTree, type Measure } from './measure.js';
import { outdatedSnapshots, type StoredSnapshot } from './outdated-snapshots.js';
import { recordTree } from './record-tree.js';
import { restoreTree } from './restore-tree.js';

const MANIFEST = 'manifest.json';
const RESTORING = 'restoring';

/** The context of a snapshot: the part of a call's context that it needs. */
export interface SnapshotContext {
  readonly root: string;
  readonly limits: ToolLimits;
  readonly signal: AbortSignal;
}

/** A stored snapshot, or the size of a tree that is too large for one. The prompt then says "no way back". */
export type TakenSnapshot =
  | { readonly noWayBack: false; readonly id: string; readonly files: number; readonly bytes: number }
  | { readonly noWayBack: true; readonly bytes: number; readonly entries: number; readonly reason: string };

/**
 * Snapshots of files before a write, in a store outside the root. They are named by SHA-256, and on the disk before the
 * write begins.
 *
 * Each snapshot is a folder that is complete from the moment it has its name. One store serves several processes. After a crash,
 * {@link unfinished} names the rollbacks to repeat. Old snapshots, and those beyond a number, are let go after a new one and by
 * {@link sweep}.
 */
export class Snapshots {
  readonly #store: string;
  readonly #blobs: BlobFolder;

  /** @param store the absolute path of a folder that is on no root, and that this class alone writes */
  constructor(store: string) {
    this.#store = store;
    this.#blobs = new BlobFolder(join(store, 'blobs'));
  }

  /**
   * The size of the whole root, and whether {@link takeWhole} would have a way back. The prompt shows both before an
   * approval.
   */
  async measure({ root, limits, signal }: SnapshotContext): Promise<Measure> {
    return await withRoot(root, (folder) => measureTree(folder, limits, signal));
  }

  /** Takes a snapshot of the whole root: before an approved shell call, which may change any file. */
  async takeWhole(context: SnapshotContext): Promise<TakenSnapshot> {
    const { bytes, entries, obstacle } = await this.measure(context);
    if (obstacle !== null) return { noWayBack: true, bytes, entries, reason: obstacle };
    return await this.takePaths(context, [[]]);
  }

  /**
   * Takes a snapshot of the entries at these paths, absent ones included, with all that is below them.
   *
   * @throws {ToolRefusal} `workspace.file_too_large` beyond the limit of a snapshot, `workspace.no_snapshot` if the store cannot hold it, and
   *   those of the confined root.
   */
  async takePaths(
    { root, limits, signal }: SnapshotContext,
    paths: readonly (readonly string[])[],
  ): Promise<Extract<TakenSnapshot, { readonly noWayBack: false }>> {
    const real = await realRoot(root);
    if (`${this.#store}/`.startsWith(`${real}/`)) {
      throw new ToolRefusal('workspace.store_in_root', 'The store of snapshots is inside the workspace. Move it out.');
    }
    const id = newId();
    const building = join(this.#store, 'building', `${String(process.pid)}-${id}`);
    const kept = new KeptContents(this.#blobs, building);
    try {
      await makeFolder(building);
      const entries = await withRoot(root, (folder) =>
        recordTree(folder, paths, limits.snapshotBytes, (content) => kept.keep(content), signal),
      );
      await kept.written();
      const manifest: Manifest = { version: 1, root: real, entries };
      await writeDurably(join(building, MANIFEST), JSON.stringify(manifest));
      await syncFolder(building);
      await makeFolder(this.#folderOf());
      await rename(building, this.#folderOf(id));
      await syncFolder(this.#folderOf());
      // The new snapshot is there in any case, and the next one tries again.
      await this.#letGoOutdated().catch(() => undefined);
      const files = entries.filter((entry) => entry.kind === 'file');
      return { noWayBack: false, id, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
    } catch (problem) {
      await kept.settled();
      await rm(building, { recursive: true, force: true });
      // A full disk stays full otherwise: shared contents of the snapshot that is none are in no other one.
      await this.#blobs.collect().catch(() => undefined);
      throw refusalOfStore(problem);
    }
  }

  /**
   * Restores the root to the snapshot: contents, modes, absence, empty folders, symbolic links. It can be repeated, also after it
   * was interrupted.
   *
   * @returns the number of entries that it changed
   * @throws {ToolRefusal} `workspace.no_such_snapshot`, `workspace.snapshot_of_another_root`.
   */
  async rollback(root: string, id: string): Promise<number> {
    const folder = this.#folderOf(id);
    const manifest = await this.#read(id);
    if (manifest.root !== (await realRoot(root))) {
      throw new ToolRefusal('workspace.snapshot_of_another_root', `The snapshot ${id} is of another workspace.`);
    }
    const marker = join(folder, RESTORING);
    await writeDurably(marker, '').catch(() => undefined);
    await syncFolder(folder);
    const changed = await withRoot(root, (opened) =>
      restoreTree(opened, manifest.entries, (digest) => readBlob(folder, digest)),
    );
    await rm(marker, { force: true });
    return changed;
  }

  /** The rollbacks that were interrupted: the runner repeats them when it starts. */
  async unfinished(): Promise<readonly { readonly id: string; readonly root: string }[]> {
    const found: { id: string; root: string }[] = [];
    for (const id of await namesIn(this.#folderOf())) {
      if ((await namesIn(this.#folderOf(id))).includes(RESTORING))
        found.push({ id, root: (await this.#read(id)).root });
    }
    return found;
  }

  /** Lets a snapshot go, after the verification of the write, and collects contents that no snapshot holds. */
  async forget(id: string): Promise<void> {
    await this.#read(id);
    await this.#letGo(id);
    await this.#blobs.collect();
  }

  /** It stops being a snapshot at once, not file by file. */
  async #letGo(id: string): Promise<void> {
    const leaving = join(this.#store, 'building', `${String(process.pid)}-${newId()}`);
    await makeFolder(join(this.#store, 'building'));
    await rename(this.#folderOf(id), leaving);
    await rm(leaving, { recursive: true });
  }

  async #letGoOutdated(): Promise<void> {
    const outdated = outdatedSnapshots(await this.#stored(), Date.now());
    // Another process may have let it go in the meantime.
    for (const id of outdated) await this.#letGo(id).catch(() => undefined);
    if (outdated.length > 0) await this.#blobs.collect();
  }

  /** The snapshots that can be let go: an interrupted rollback still needs its own. */
  async #stored(): Promise<readonly StoredSnapshot[]> {
    const busy = new Set((await this.unfinished()).map(({ id }) => id));
    const stored: StoredSnapshot[] = [];
    for (const id of await this.ids()) {
      if (!busy.has(id)) stored.push({ id, changedAt: (await stat(this.#folderOf(id))).mtimeMs });
    }
    return stored;
  }

  /** Removes the parts that processes left that have ended, and the snapshots that are outdated. */
  async sweep(): Promise<void> {
    const building = join(this.#store, 'building');
    for (const name of await namesIn(building)) {
      if (!isAlive(Number(name.split('-')[0]))) await rm(join(building, name), { recursive: true, force: true });
    }
    await this.#letGoOutdated();
    await this.#blobs.collect();
  }

  async ids(): Promise<readonly string[]> {
    return await namesIn(this.#folderOf());
  }

  #folderOf(id = ''): string {
    return join(this.#store, 'snapshots', id);
  }

  async #read(id: string): Promise<Manifest> {
    if (!/^[0-9a-f]{32}$/.test(id) || !(await this.ids()).includes(id)) {
      throw new ToolRefusal(
        'workspace.no_such_snapshot',
        `There is no snapshot ${JSON.stringify(id.slice(0, 64))}. It was let go.`,
      );
    }
    return manifestSchema.parse(JSON.parse(await readFile(join(this.#folderOf(id), MANIFEST), 'utf8')));
  }
}

/** The refusal of a store that cannot hold a snapshot: its disk is full, say. Any other problem as it is. */
function refusalOfStore(problem: unknown): unknown {
  const code = codeOf(problem);
  if (problem instanceof ToolRefusal || !/^E[A-Z0-9]+$/.test(code)) return problem;
  return new ToolRefusal(
    'workspace.no_snapshot',
    `The runner could not store a snapshot (${code}), so nothing was changed. Make room in its data folder, then call again.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
