import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { NativeBinaries } from './native-binaries.js';
import { giveTo, nobodyAccount, type ServerAccount } from './server-account.js';

/** How a server process under another account names its data: reached through the working directory it was given. */
export const DATA_THROUGH_WORKING_DIRECTORY = '/proc/self/cwd';

/** The superuser of the embedded server. */
export const SUPERUSER = 'postgres';

/**
 * Makes a new data directory, unless there is one. It is made under another name and renamed when complete. So a crash
 * half way leaves nothing that looks like data.
 *
 * @param durable whether it must survive a power cut from now on.
 */
export async function initialiseData(
  binaries: NativeBinaries,
  dataFolder: string,
  account: ServerAccount | undefined,
  password: string,
  durable: boolean,
): Promise<void> {
  if (await isFile(join(dataFolder, 'PG_VERSION'))) return;
  if (await holdsAnything(dataFolder)) {
    throw new Error(`${dataFolder} is not a PostgreSQL data directory and is not empty: move it away.`);
  }
  await removeUnfinished(dataFolder);
  const unfinished = `${dataFolder}.unfinished.${String(process.pid)}`;
  await mkdir(unfinished, { mode: 0o700 });
  const secrets = await mkdtemp(join(tmpdir(), 'countersign-initdb-'));
  try {
    const passwordFile = join(secrets, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    // initdb asks for its account's name, which the server's own number has none of.
    const maker = account === undefined ? undefined : await nobodyAccount();
    if (maker !== undefined) {
      await Promise.all([unfinished, secrets, passwordFile].map((path) => chown(path, maker.uid, maker.gid)));
    }
    await promisify(execFile)(
      binaries.initdb,
      [
        `--pgdata=${account === undefined ? unfinished : DATA_THROUGH_WORKING_DIRECTORY}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...maker, cwd: unfinished, env: serverEnvironment() },
    );
    if (account !== undefined) await giveTo(unfinished, account);
    await rm(dataFolder, { recursive: true, force: true });
    await rename(unfinished, dataFolder);
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not make its data directory ${dataFolder}: ${explain(cause)}`, { cause });
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}

/** Nothing of our own environment may reach the server: PGPORT, PGDATA and the like would change its behaviour. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

async function removeUnfinished(dataFolder: string): Promise<void> {
  const siblings = await readdir(dirname(dataFolder));
  const left = siblings.filter((name) => name.startsWith(`${basename(dataFolder)}.unfinished.`));
  await Promise.all(left.map((name) => rm(join(dirname(dataFolder), name), { recursive: true, force: true })));
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const holdsAnything = (path: string): Promise<boolean> =>
  readdir(path).then(
    (names) => names.length > 0,
    () => false,
  );

function explain(cause: unknown): string {
  if (cause instanceof Error && 'stderr' in cause && typeof cause.stderr === 'string') return cause.stderr.trim();
  return String(cause);
}
