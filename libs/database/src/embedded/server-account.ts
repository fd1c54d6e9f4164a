import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Under whom the server runs; undefined means under whoever runs this process. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of its data, and data not yet made belongs to `nobody`.
 */
export async function serverAccount(dataFolder: string): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const data = await stat(dataFolder).catch(() => undefined);
  if (data !== undefined && data.uid !== 0) return { uid: data.uid, gid: data.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  return { uid: Number(nobody?.[1] ?? 65_534), gid: Number(nobody?.[2] ?? 65_534) };
}

/** Whether any account may pass through `path` and every folder above it. */
export async function isTraversable(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
