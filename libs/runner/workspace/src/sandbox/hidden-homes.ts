import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** The homes that a sandbox covers, and the folders below them that programs need. All are real paths. */
export interface HiddenHomes {
  /** Empty in the sandbox, but for `kept` and the writable folders: they hold keys, tokens, sockets and profiles. */
  readonly homes: readonly string[];
  /** Read-only in the sandbox. */
  readonly kept: readonly string[];
}

/** Folders of the system: programs and their libraries lie there, and homes of service users. */
const OF_THE_SYSTEM = /^\/(?:$|(?:usr|bin|sbin|lib|lib32|lib64|etc|dev|proc|sys)(?:\/|$))/;

/**
 * Looks at the homes of the runner's user. A folder of programs below one is kept with its installation. So is the
 * installation that a program elsewhere is a symbolic link to.
 *
 * @param candidates paths that need not exist
 * @param programFolders the folders that programs are looked for in
 */
export async function hiddenHomes(
  candidates: readonly string[],
  programFolders: readonly string[],
): Promise<HiddenHomes> {
  const homes = new Set<string>();
  for (const candidate of candidates) {
    const home = await realFolder(candidate);
    if (home !== null && !isOfTheSystem(home)) homes.add(home);
  }
  const kept = new Set<string>();
  for (const home of homes) {
    for (const folder of await foldersWithPrograms(programFolders)) {
      if (!isBelow(folder, home)) continue;
      for (const part of await installationOf(folder, home)) kept.add(part);
    }
  }
  return { homes: [...homes], kept: [...kept].sort() };
}

/** The folders themselves, and those that their symbolic links lead to. */
async function foldersWithPrograms(programFolders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const programFolder of programFolders) {
    const folder = await realFolder(programFolder);
    if (folder === null) continue;
    found.add(folder);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isSymbolicLink()) continue;
      const target = await realpath(join(folder, entry.name)).catch(() => null);
      if (target !== null) found.add(dirname(target));
    }
  }
  return found;
}

/**
 * `~/.nvm/versions/node/v20` for its `bin`. Directly below the home, `~/.local` and `~/.cargo` hold more than programs: only `bin` and `lib`
 * are kept of them.
 */
async function installationOf(folder: string, home: string): Promise<readonly string[]> {
  const above = dirname(folder);
  if (basename(folder) === 'bin' && relative(home, above).split(sep).length > 1) return [above];
  const library = await realFolder(join(above, 'lib'));
  return library === null || !isBelow(library, home) ? [folder] : [folder, library];
}

/** True if programs cannot do without the files below a path. */
export const isOfTheSystem = (path: string): boolean => OF_THE_SYSTEM.test(path);

const isBelow = (path: string, home: string): boolean => path.startsWith(`${home}/`);

async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
