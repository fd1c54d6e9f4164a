import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { TenantId, Tx } from '#lib/kernel';
import { sameBytes, type NoteKey, type NoteSigner } from '#lib/verifier';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AuditKey, AuditKeyHistory, SigningKeyStore } from './audit.ports.js';

/** Keeps the public keys of the log in memory. */
export class FakeAuditKeys implements AuditKeyHistory {
  readonly #keys: FakeTable<AuditKey>;

  constructor(database: FakeUnitOfWork) {
    this.#keys = new FakeTable(database);
  }

  async current(tx: Tx): Promise<AuditKey | null> {
    return (await this.list(tx)).find(({ validTo }) => validTo === null) ?? null;
  }

  list(tx: Tx): Promise<readonly AuditKey[]> {
    return Promise.resolve([...this.#keys.of(tx).values()].sort((one, other) => one.validFrom - other.validFrom));
  }

  async add(tx: Tx, { name, publicKey }: NoteKey, validFrom: number): Promise<void> {
    if ((await this.current(tx)) !== null || (await this.has(tx, name)))
      throw new FakeRefusal('23505', 'audit_signing_key');
    this.#keys.of(tx).set(name, { name, publicKey: Uint8Array.from(publicKey), validFrom, validTo: null });
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async retire(tx: Tx, name: string, validTo: number): Promise<void> {
    const key = this.#keys.of(tx).get(name);
    if (key === undefined) return;
    if (key.validTo !== null) throw new FakeRefusal('CS001', 'a key is retired once');
    if (validTo < key.validFrom) throw new FakeRefusal('23514', 'audit_signing_key_valid_to_check');
    this.#keys.of(tx).set(name, { ...key, validTo });
  }

  has(tx: Tx, name: string): Promise<boolean> {
    return Promise.resolve(this.#keys.of(tx).has(name));
  }
}

/** Keeps private keys in memory, outside every transaction. */
export class FakeSigningKeyStore implements SigningKeyStore {
  readonly #keys = new Map<string, KeyObject>();

  create(tenantId: TenantId, name: string): Promise<NoteKey> {
    const { privateKey } = generateKeyPairSync('ed25519');
    this.#keys.set(`${tenantId} ${name}`, privateKey);
    return Promise.resolve({ name, publicKey: publicKeyOf(privateKey) });
  }

  signer(tenantId: TenantId, key: NoteKey): Promise<NoteSigner | null> {
    const privateKey = this.#keys.get(`${tenantId} ${key.name}`);
    if (privateKey === undefined || !sameBytes(publicKeyOf(privateKey), key.publicKey)) return Promise.resolve(null);
    return Promise.resolve({ ...key, sign: (message) => Uint8Array.from(sign(null, message, privateKey)) });
  }

  /** The private halves are lost. */
  lose(): void {
    this.#keys.clear();
  }
}

function publicKeyOf(privateKey: KeyObject): Uint8Array {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Uint8Array.from(Buffer.from(x, 'base64url'));
}
