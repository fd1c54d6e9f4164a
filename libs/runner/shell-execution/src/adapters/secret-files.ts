import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSecretPath } from '#lib/shell-safety';

/** The files of a workspace that may hold secrets, by their names. */
export interface SecretFiles {
  /** Absolute real paths, which a symbolic link may lead out of the workspace. */
  readonly paths: readonly string[];
  /** False if a bound left out files. */
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
const NOT_ENTERED = 'node_modules';

/**
 * Looks for files by the list of secret paths that the verdict has, at any depth.
 *
 * @param root an absolute path
 * @param forGit true for a line that calls git, which has to read `.git/config`
 */
export async function secretFiles(root: string, forGit: boolean, bounds: Bounds = BOUNDS): Promise<SecretFiles> {
  const paths = new Set<string>();
  const folders = [''];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // A folder that is closed to the runner is closed to its programs, too.
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      if ((seen += 1) > bounds.entries || paths.size >= bounds.files) return { paths: [...paths], complete: false };
      const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git') {
        // Objects are compressed, and a verdict asks about a read of the folder.
        if (!forGit) await add(paths, join(root, below, 'config'));
      } else if (entry.isDirectory()) {
        if (entry.name !== NOT_ENTERED) folders.push(below);
      } else if (isSecretPath(below)) await add(paths, join(root, below));
    }
  }
  return { paths: [...paths], complete: true };
}

/** Adds the file that a path leads to, if there is one. */
async function add(paths: Set<string>, path: string): Promise<void> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isFile()) paths.add(real);
  } catch {
    // It is gone, or a link to nothing.
  }
}
