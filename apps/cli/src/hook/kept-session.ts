import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '#lib/canonical';
import { makeFolder } from '#lib/folders';
import { uuidSchema } from '#lib/formats';

/** The host's own name of one of its sessions. */
interface HostSessionName {
  readonly host: string;
  readonly hostSession: string;
}

/** Keeps the name of Countersign's session of a host session, for the hook that ends it. Without it the session ends by its rest. */
export async function keepSession(folder: string, name: HostSessionName, id: string): Promise<void> {
  await makeFolder(folder)
    .then(() => writeFile(fileOf(folder, name), id, { mode: 0o600 }))
    .catch(() => undefined);
}

/** The session of this name, which is kept no longer; null if none is. */
export async function takeSession(folder: string, name: HostSessionName): Promise<string | null> {
  const file = fileOf(folder, name);
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(file, { force: true });
  return uuidSchema.safeParse(text).data ?? null;
}

function fileOf(folder: string, { host, hostSession }: HostSessionName): string {
  const name = canonicalJson({ host, hostSession });
  return join(folder, `session-${createHash('sha256').update(name).digest('hex')}`);
}
