import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson, type JsonObject } from '#lib/canonical';
import { makeFolder } from '#lib/folders';
import type { Io } from '../io.js';

const keptSchema = z.strictObject({ id: z.uuid(), arguments_digest: z.string() });

/** A call that its host makes. Countersign awaits its outcome. */
export type KeptCall = z.infer<typeof keptSchema>;

/** The hosts' names of a call, of which one is enough. */
export interface CallNames {
  readonly host: string;
  readonly hostSession: string;
  /** Null if the host gives none. */
  readonly id: string | null;
  /** Tool and arguments, which name a call without an id; null if they cannot be told any more. */
  readonly content: JsonObject | null;
}

const DAY_MS = 86_400_000;

/**
 * Files in the person's own folder that lead from the host's name of a call to Countersign's. The hook that reports an outcome is
 * another process than the one that asked. The files hold no secret, and a day later they are removed.
 */
export const folderOfCalls = (environment: Io['environment']): string =>
  join(environment.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'countersign', 'hooks');

export async function keepCall(folder: string, names: CallNames, call: KeptCall): Promise<void> {
  await makeFolder(folder);
  const [file = ''] = filesOf(folder, names);
  await writeFile(file, JSON.stringify(call), { mode: 0o600 });
  await forgetOld(folder);
}

/** The call of these names, which is kept no longer; null if none is. */
export async function takeCall(folder: string, names: CallNames): Promise<KeptCall | null> {
  for (const file of filesOf(folder, names)) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) continue;
    await rm(file, { force: true });
    return keptSchema.parse(JSON.parse(text));
  }
  return null;
}

/** By its id first: the same arguments may stand in two calls. */
function filesOf(folder: string, { host, hostSession, id, content }: CallNames): readonly string[] {
  const file = (name: JsonObject): string =>
    join(folder, `${createHash('sha256').update(canonicalJson(name)).digest('hex')}.json`);
  return [
    ...(id === null ? [] : [file({ host, hostSession, id })]),
    ...(content === null ? [] : [file({ host, hostSession, content })]),
  ];
}

async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > DAY_MS) await rm(file, { force: true });
  }
}
