import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '#lib/folders';
import type { TenantId } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import { sameBytes, type NoteKey, type NoteSigner } from '#lib/verifier';
import type { SigningKeyStore } from '../application/audit.ports.js';
import { isFileError } from './file-error.js';

/** The content of a key's file: PKCS #8 in PEM, encrypted under the master key `key_id`. */
const wrappedKeyFile = z.strictObject({ key_id: z.string(), nonce: z.base64(), ciphertext: z.base64() });

/**
 * Private keys as files `<directory>/<tenant>/<last part of the name>.key`, of mode 0600 in folders of mode 0700. They
 * are encrypted under the installation's master key and bound to their name. Every process that sequences needs the
 * same directory.
 */
export class FileSigningKeyStore implements SigningKeyStore {
  readonly #loaded = new Map<string, KeyObject>();

  constructor(
    private readonly directory: string,
    private readonly wrapping: KeyWrapping,
  ) {}

  async create(tenantId: TenantId, name: string): Promise<NoteKey> {
    const { privateKey } = generateKeyPairSync('ed25519');
    const path = this.#pathOf(tenantId, name);
    await makeFolder(join(this.directory, tenantId));
    await this.#keep(path, name, Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    this.#loaded.set(path, privateKey);
    return { name, publicKey: rawPublicKey(privateKey) };
  }

  async signer(tenantId: TenantId, key: NoteKey): Promise<NoteSigner | null> {
    const path = this.#pathOf(tenantId, key.name);
    const privateKey = this.#loaded.get(path) ?? (await this.#load(path, key.name));
    if (privateKey === null || !sameBytes(rawPublicKey(privateKey), key.publicKey)) return null;
    return { ...key, sign: (message) => Uint8Array.from(sign(null, message, privateKey)) };
  }

  /** The private half, for an installation to which the tenant moves. @throws if it is not here. */
  async handOver(tenantId: TenantId, name: string): Promise<Uint8Array> {
    const kept = await this.#opened(tenantId, name);
    if (kept === null) throw new Error(`The private half of the audit key "${name}" is not in ${this.directory}.`);
    return kept;
  }

  /** Keeps a private half that came with a tenant. One that is there already stays. */
  async takeOver(tenantId: TenantId, name: string, pem: Uint8Array): Promise<void> {
    await makeFolder(join(this.directory, tenantId));
    if ((await this.#opened(tenantId, name)) === null) await this.#keep(this.#pathOf(tenantId, name), name, pem);
  }

  /** Removes the private halves of a tenant that moved away. */
  async forget(tenantId: TenantId): Promise<void> {
    if (!/^[a-f0-9-]+$/.test(tenantId)) throw new Error('This is no id of a tenant.');
    await rm(join(this.directory, tenantId), { recursive: true, force: true });
  }

  async #load(path: string, name: string): Promise<KeyObject | null> {
    const pem = await this.#openedAt(path, name);
    if (pem === null) return null;
    const privateKey = createPrivateKey(Buffer.from(pem));
    this.#loaded.set(path, privateKey);
    return privateKey;
  }

  #opened(tenantId: TenantId, name: string): Promise<Uint8Array | null> {
    return this.#openedAt(this.#pathOf(tenantId, name), name);
  }

  async #openedAt(path: string, name: string): Promise<Uint8Array | null> {
    const kept = await readIfThere(`${path}.key`);
    if (kept === null) return null;
    const file = parseKeyFile(kept);
    if (file === null) throw new Error(`The audit key ${path}.key is damaged: restore it from its backup.`);
    return this.wrapping.unwrap(purposeOf(name), {
      keyId: file.key_id,
      nonce: Buffer.from(file.nonce, 'base64'),
      ciphertext: Buffer.from(file.ciphertext, 'base64'),
    });
  }

  /** Writes the file completely or not at all, and never over another (EEXIST). */
  async #keep(path: string, name: string, pem: Uint8Array): Promise<void> {
    const { keyId, nonce, ciphertext } = await this.wrapping.wrap(purposeOf(name), pem);
    const content = { key_id: keyId, nonce: base64(nonce), ciphertext: base64(ciphertext) };
    const aside = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(aside, JSON.stringify(content), { mode: 0o600, flag: 'wx', flush: true });
      await link(aside, `${path}.key`);
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** Without the ending. */
  #pathOf(tenantId: TenantId, name: string): string {
    const file = name.split('/').at(-1) ?? '';
    if (!/^[a-z0-9-]+$/.test(file) || !/^[a-f0-9-]+$/.test(tenantId))
      throw new Error('An audit key has a name that is no file name.');
    return join(this.directory, tenantId, file);
  }
}

/** The name carries the tenant: a file that is moved to another key's place does not open. */
const purposeOf = (name: string): string => `audit-key:${name}`;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null;
    throw error;
  }
}

function parseKeyFile(content: Buffer): z.infer<typeof wrappedKeyFile> | null {
  try {
    return wrappedKeyFile.parse(JSON.parse(content.toString()));
  } catch {
    return null;
  }
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Uint8Array.from(Buffer.from(x, 'base64url'));
}
