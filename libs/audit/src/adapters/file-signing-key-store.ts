import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantId } from '#lib/kernel';
import { sameBytes, type NoteKey, type NoteSigner } from '#lib/verifier';
import type { SigningKeyStore } from '../application/audit.ports.js';
import { isFileError } from './file-error.js';

/**
 * Private keys as files `<directory>/<tenant>/<last part of the name>.pem` (PKCS #8), of mode 0600 in folders of mode
 * 0700. Every process that sequences needs the same directory; back it up apart from the database.
 */
export class FileSigningKeyStore implements SigningKeyStore {
  private readonly loaded = new Map<string, KeyObject>();

  constructor(private readonly directory: string) {}

  async create(tenantId: TenantId, name: string): Promise<NoteKey> {
    const { privateKey } = generateKeyPairSync('ed25519');
    const path = this.pathOf(tenantId, name);
    await mkdir(join(this.directory, tenantId), { recursive: true, mode: 0o700 });
    // "wx": a private key is never overwritten.
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      await file.sync();
    } finally {
      await file.close();
    }
    this.loaded.set(path, privateKey);
    return { name, publicKey: rawPublicKey(privateKey) };
  }

  async signer(tenantId: TenantId, key: NoteKey): Promise<NoteSigner | null> {
    const path = this.pathOf(tenantId, key.name);
    const privateKey = this.loaded.get(path) ?? (await this.load(path));
    if (privateKey === null || !sameBytes(rawPublicKey(privateKey), key.publicKey)) return null;
    return { ...key, sign: (message) => Uint8Array.from(sign(null, message, privateKey)) };
  }

  private async load(path: string): Promise<KeyObject | null> {
    let pem: string;
    try {
      pem = await readFile(path, 'utf8');
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return null;
      throw error;
    }
    const privateKey = createPrivateKey(pem);
    this.loaded.set(path, privateKey);
    return privateKey;
  }

  private pathOf(tenantId: TenantId, name: string): string {
    const file = name.split('/').at(-1) ?? '';
    if (!/^[a-z0-9-]+$/.test(file) || !/^[a-f0-9-]+$/.test(tenantId))
      throw new Error('An audit key has a name that is no file name.');
    return join(this.directory, tenantId, `${file}.pem`);
  }
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Uint8Array.from(Buffer.from(x, 'base64url'));
}
