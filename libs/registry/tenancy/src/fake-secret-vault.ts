import type { PersonId, Tx } from '#lib/kernel';
import type { FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { AesGcmSecretCipher } from './adapters/aes-gcm-secret-cipher.js';
import { EncryptedSecretVault } from './application/encrypted-secret-vault.js';
import { FakeKeyring } from './application/fake-keyring.js';
import { FakeSecretRepository } from './application/fake-secret.repository.js';
import type { SecretPurpose } from './domain/secret-binding.js';

/** The vault over secrets in memory. */
export class FakeSecretVault extends EncryptedSecretVault {
  readonly #secrets: FakeSecretRepository;

  constructor(database: FakeUnitOfWork) {
    const secrets = new FakeSecretRepository(database);
    super(secrets, new AesGcmSecretCipher(new FakeKeyring()));
    this.#secrets = secrets;
  }

  /** Stores the next version of a secret that names no executor. @returns its reference. */
  async keep(tx: Tx, name: string, value: string, purpose: SecretPurpose, by: PersonId): Promise<string> {
    const stored = await this.put(tx, { name, value, createdBy: by });
    if (!stored.ok) throw new Error(stored.error.code);
    await this.#secrets.saveBinding(tx, name, { purpose, executors: [], environments: [], tools: [] });
    return `${name}@${String(stored.value.version)}`;
  }
}
