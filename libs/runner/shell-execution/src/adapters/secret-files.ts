import { readdir, realpath, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { isSecretPath } from '#lib/shell-safety';
import { isOfTheSystem } from '#lib/workspace';
import { Stop } from '../domain/stop.js';

/**
 * The files of a workspace that may hold secrets, by their names. They are absolute real paths, which links may lead
 * out of the workspace.
 */
export interface SecretFiles {
  readonly paths: readonly string[];
  /** The settings of repositories, which git has to read. */
  readonly ofGit: readonly string[];
  /** False if a bound left out files, or a name that is not UTF-8. */
  readonly complete: boolean;
}

interface Bounds {
  /** Files and folders that are looked at. */
  readonly entries: number;
  /** Files that are found: a sandbox takes time for each. */
  readonly files: number;
}

const BOUNDS: Bounds = { entries: 50_000, files: 500 };

/** Packages of others hold no secrets of the workspace, and most of its files. */
const PACKAGES = 'node_modules';

/** Folders of a repository that hold no settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'lfs']);
const SETTINGS: ReadonlySet<string> = new Set(['config', 'config.worktree']);

/** A folder of the walk. */
interface Step {
  readonly path: string;
  /** The path from the root, as the line names it. */
  readonly below: string;
  /** `secret` is a folder all of whose files count; `git` a folder of a repository. */
  readonly kind: 'plain' | 'secret' | 'git';
}

/**
 * Looks for files by the verdict's list of secret paths, at any depth, with folders near the root first. Follows
 * symbolic links, but not to files of the system, which programs need.
 *
 * @param root an absolute real path
 * @throws Stop `shell.too_many_secrets`, and the reason of the signal
 */
export async function secretFiles(root: string, signal: AbortSignal, bounds: Bounds = BOUNDS): Promise<SecretFiles> {
  const walk = new Walk(bounds, root);
  for (const step of walk.steps) {
    signal.throwIfAborted();
    // A folder that is closed to the runner is closed to its programs, too.
    const entries = await readdir(step.path, { withFileTypes: true }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) walk.complete = false;
      return [];
    });
    for (const entry of entries) {
      if (!walk.counts()) return walk.found();
      await walk.look(entry, step);
    }
  }
  return walk.found();
}

class Walk {
  complete = true;
  /** Grows while it is walked. */
  readonly steps: Step[];
  /** Links may lead around in a circle. */
  readonly #visits: Set<string>;
  readonly #paths = new Set<string>();
  readonly #ofGit = new Set<string>();
  #seen = 0;

  constructor(
    private readonly bounds: Bounds,
    root: string,
  ) {
    this.steps = [{ path: root, below: '', kind: 'plain' }];
    this.#visits = new Set([`plain ${root}`]);
  }

  found(): SecretFiles {
    return { paths: [...this.#paths], ofGit: [...this.#ofGit], complete: this.complete };
  }

  /** Counts an entry. False beyond the bound. */
  counts(): boolean {
    this.#seen += 1;
    if (this.#seen > this.bounds.entries) this.complete = false;
    return this.#seen <= this.bounds.entries;
  }

  async look(entry: Dirent, { path, below, kind }: Step): Promise<void> {
    const { name } = entry;
    // Node gives the sign for a character that cannot be read in the place of bytes that are no UTF-8.
    if (name.includes('\uFFFD')) this.complete = false;
    const step = { path: join(path, name), below: below === '' ? name : `${below}/${name}`, kind };
    if (entry.isSymbolicLink()) await this.#follow(step, name);
    else if (entry.isDirectory()) this.#enter(step, name);
    else this.#note(step);
  }

  /** A folder counts by the name of the link, too: `.aws -> settings`. */
  async #follow({ path, below, kind }: Step, name: string): Promise<void> {
    let real: string;
    let isFolder: boolean;
    try {
      real = await realpath(path);
      isFolder = (await stat(real)).isDirectory();
    } catch {
      // It leads to nothing.
      return;
    }
    if (isOfTheSystem(real)) return;
    if (isFolder) this.#enter({ path: real, below, kind: isSecretPath(below) ? 'secret' : kind }, name);
    else this.#note({ path: real, below, kind });
  }

  #enter(step: Step, name: string): void {
    const isLeftOut = step.kind === 'git' ? NO_SETTINGS.has(name) : name === PACKAGES;
    const kind = name === '.git' ? 'git' : step.kind;
    const visit = `${kind} ${step.path}`;
    if (isLeftOut || this.#visits.has(visit)) return;
    this.#visits.add(visit);
    this.steps.push({ ...step, kind });
  }

  #note({ path, below, kind }: Step): void {
    if (kind === 'git') {
      if (SETTINGS.has(path.slice(path.lastIndexOf('/') + 1))) this.#ofGit.add(path);
    } else if (kind === 'secret' || isSecretPath(below)) this.#paths.add(path);
    if (this.#paths.size + this.#ofGit.size > this.bounds.files) throw tooMany(this.bounds.files);
  }
}

const tooMany = (most: number): Stop =>
  new Stop(
    'shell.too_many_secrets',
    `The workspace has more than ${String(most)} files that may hold secrets, and the sandbox hides no more. Have a person approve this line, in a session that asks about every call.`,
  );
