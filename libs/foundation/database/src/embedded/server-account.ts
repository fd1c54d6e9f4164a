import { createHash } from 'node:crypto';
import { lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The account that the server runs under; undefined means the account of this process. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Numbers that neither people's accounts nor the system's nor systemd's usually have, and that a user namespace maps. */
const FIRST_OWN_ID = 40_000;
const OWN_IDS = 20_000;

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of its data. Data not yet made, or still of `nobody`, gets a
 * number of its own as its owner. No account, group or process has that number, so no other one may touch those files.
 */
export async function serverAccount(dataFolder: string): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const data = await stat(dataFolder).catch(() => undefined);
  const { uid: nobody } = await nobodyAccount();
  if (data !== undefined && data.uid !== 0 && data.uid !== nobody) return { uid: data.uid, gid: data.gid };
  const id = unusedId(dataFolder, await idsInUse());
  return { uid: id, gid: id };
}

/** The account for initdb, which asks the system for its name: a number without a name fails there. */
export async function nobodyAccount(): Promise<ServerAccount> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  return { uid: Number(nobody?.[1] ?? 65_534), gid: Number(nobody?.[2] ?? 65_534) };
}

export async function belongsTo(folder: string, { uid, gid }: ServerAccount): Promise<boolean> {
  const found = await stat(folder);
  return found.uid === uid && found.gid === gid;
}

/** Gives a folder and everything in it to an account; the folder last, so that a crash half way is made good next time. */
export async function giveTo(folder: string, { uid, gid }: ServerAccount): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid);
  await lchown(folder, uid, gid);
}

/** The first free number after one that the folder's path gives: the same at every try. */
export function unusedId(folder: string, inUse: ReadonlySet<number>): number {
  const start = createHash('sha256').update(folder).digest().readUInt32BE() % OWN_IDS;
  for (let step = 0; step < OWN_IDS; step += 1) {
    const id = FIRST_OWN_ID + ((start + step) % OWN_IDS);
    if (!inUse.has(id)) return id;
  }
  throw new Error(`Every account number from ${String(FIRST_OWN_ID)} on is in use.`);
}

/** Of accounts, groups and running processes. */
async function idsInUse(): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for (const file of ['/etc/passwd', '/etc/group']) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    for (const line of lines) for (const field of line.split(':').slice(2, 4)) ids.add(Number(field));
  }
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const found = await stat(join('/proc', name)).catch(() => undefined);
    if (found !== undefined) ids.add(found.uid).add(found.gid);
  }
  return ids;
}

/** Whether any account may pass through `path` and every folder above it. */
export async function isTraversable(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
