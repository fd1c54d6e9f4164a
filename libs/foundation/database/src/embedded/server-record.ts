import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import type { ProcessIdentity } from './processes.js';

const identity = z.object({ pid: z.int().positive(), started: z.string() });
const record = z.object({ port: z.int().min(1).max(65_535), owner: identity });

/** The content of `server.json` beside the data: the port to use again, and which process stops the server. */
export type ServerRecord = z.infer<typeof record>;

const recordFile = (directory: string): string => join(directory, 'server.json');

export async function readServerRecord(directory: string): Promise<ServerRecord | undefined> {
  const text = await readFile(recordFile(directory), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : record.safeParse(parseOrUndefined(text)).data;
}

export async function writeServerRecord(directory: string, content: ServerRecord): Promise<void> {
  await replaceFile(recordFile(directory), JSON.stringify(content));
}

export function parseIdentity(text: string): ProcessIdentity | undefined {
  return identity.safeParse(parseOrUndefined(text)).data;
}

/** A password kept beside the data in a file that only its owner reads; made at the first call. */
export async function keptPassword(directory: string, role: string): Promise<string> {
  const file = join(directory, `${role}.password`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined && kept.trim() !== '') return kept.trim();
  const password = randomBytes(24).toString('base64url');
  await replaceFile(file, `${password}\n`);
  return password;
}

async function replaceFile(file: string, content: string): Promise<void> {
  const aside = `${file}.${String(process.pid)}`;
  await writeFile(aside, content, { mode: 0o600 });
  await rename(aside, file);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
