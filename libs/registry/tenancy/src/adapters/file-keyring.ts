import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '#lib/folders';
import { errorCode, wrongSetting } from '#lib/kernel';
import type { Keyring, MasterKeys, MovedKey } from '../application/tenancy.ports.js';

const KEY_BYTES = 32;

const keyringFile = z.strictObject({
  current: z.string().min(1).max(64),
  /** 32 bytes each, base64. */
  keys: z.record(z.string().min(1).max(64), z.base64()),
  /** Keys that came with tenants from other installations. */
  moved: z
    .array(z.strictObject({ purpose: z.string().min(1).max(100), id: z.string().min(1).max(64), key: z.base64() }))
    .optional(),
});
type KeyringFile = z.infer<typeof keyringFile>;

/**
 * The master keys in a file that only its owner may read. It is read at each use, so that a rotation needs no restart.
 * Losing it loses every secret: back it up apart from the database.
 */
export class FileKeyring implements Keyring {
  constructor(private readonly file: string) {}

  async current(): Promise<{ readonly id: string; readonly key: Uint8Array }> {
    const content = await this.#read();
    return { id: content.current, key: keyOf(content, content.current) };
  }

  async byId(id: string): Promise<Uint8Array | null> {
    const content = await this.#read();
    return Object.hasOwn(content.keys, id) ? keyOf(content, id) : null;
  }

  async ring(): Promise<MasterKeys> {
    const content = await this.#read();
    const keys = Object.keys(content.keys).map((id) => [id, keyOf(content, id)] as const);
    const moved = content.moved?.map((kept) => ({ ...kept, key: Buffer.from(kept.key, 'base64') }));
    return { current: content.current, keys: new Map(keys), ...(moved === undefined ? {} : { moved }) };
  }

  /** Keeps keys that come with a tenant; one that is there already is not kept twice. */
  async addMoved(keys: readonly MovedKey[]): Promise<void> {
    const content = await this.#read();
    const moved = [...(content.moved ?? [])];
    for (const { purpose, id, key } of keys) {
      const text = Buffer.from(key).toString('base64');
      if (!moved.some((kept) => kept.purpose === purpose && kept.id === id && kept.key === text))
        moved.push({ purpose, id, key: text });
    }
    await replaceFile(this.file, { ...content, moved });
  }

  /** Makes a new current key; the old ones stay. @returns its id. */
  async addKey(): Promise<string> {
    const content = await this.#read();
    const id = newKeyId();
    await replaceFile(this.file, { ...content, current: id, keys: { ...content.keys, [id]: newKey() } });
    return id;
  }

  async #read(): Promise<KeyringFile> {
    const { mode } = await stat(this.file).catch((cause: unknown) => {
      throw new Error(`There is no keyring at ${this.file}: COUNTERSIGN_KEYRING names it.`, { cause });
    });
    if ((mode & 0o077) !== 0) {
      throw new Error(
        `The keyring ${this.file} can be read by others: chmod 600 it, and rotate its keys if they may have been.`,
      );
    }
    let parsed: KeyringFile;
    try {
      parsed = keyringFile.parse(JSON.parse(await readFile(this.file, 'utf8')));
      for (const id of [parsed.current, ...Object.keys(parsed.keys)]) keyOf(parsed, id);
    } catch {
      // The cause is left out: it could quote a key.
      throw new Error(`The keyring ${this.file} is not one: {"current": "id", "keys": {"id": "32 bytes in base64"}}.`);
    }
    return parsed;
  }
}

/**
 * The keyring that `COUNTERSIGN_KEYRING` names, which must be there, since several machines share it. Without the
 * variable the one in the data directory, which is made at the first start.
 *
 * @throws {FailureError} `start.wrong_setting`.
 */
export async function openKeyring(
  environment: Readonly<Record<string, string | undefined>>,
  dataDirectory: string,
): Promise<FileKeyring> {
  const named = environment.COUNTERSIGN_KEYRING;
  // A keyring of this machine's own would be made in its place.
  if (named === '') throw wrongSetting('COUNTERSIGN_KEYRING is empty. Name the file, or do not set it.');
  const keyring = new FileKeyring(named ?? join(dataDirectory, 'keyring.json'));
  if (named === undefined) await createMissing(join(dataDirectory, 'keyring.json'));
  // Refused now rather than at the first secret.
  await keyring.current().catch((error: unknown) => {
    throw wrongSetting(error instanceof Error ? error.message : String(error));
  });
  return keyring;
}

/** Complete or not at all: processes that start together must not read one another's half-written keyring. */
async function createMissing(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const id = newKeyId();
  const content: KeyringFile = { current: id, keys: { [id]: newKey() } };
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(aside, JSON.stringify(content), { mode: 0o600, flag: 'wx', flush: true });
    await link(aside, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function replaceFile(file: string, content: KeyringFile): Promise<void> {
  // Not the process id: in containers that share a volume every process has the same.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(aside, JSON.stringify(content), { mode: 0o600, flush: true });
    await chmod(aside, 0o600);
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}

function keyOf(content: KeyringFile, id: string): Uint8Array {
  const key = Buffer.from(content.keys[id] ?? '', 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`The key "${id}" is not 32 bytes.`);
  return key;
}

const newKeyId = (): string => `k${randomBytes(6).toString('hex')}`;
const newKey = (): string => randomBytes(KEY_BYTES).toString('base64');
