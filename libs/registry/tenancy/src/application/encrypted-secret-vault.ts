import { err, newId, ok, type Result, type Tx } from '#lib/kernel';
import {
  checkSecret,
  formatSecretReference,
  parseSecretReference,
  type SecretReference,
} from '../domain/secret-reference.js';
import { isBoundTo, type SecretUse, useInWords } from '../domain/secret-binding.js';
import type { SecretCipher, SecretMetadata, SecretRepository, SecretVault } from './tenancy.ports.js';

/** Secrets in the database, encrypted there. */
export class EncryptedSecretVault implements SecretVault {
  constructor(
    private readonly secrets: SecretRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async put(
    tx: Tx,
    secret: { readonly name: string; readonly value: string; readonly createdBy: string },
  ): Promise<Result<Omit<SecretMetadata, 'binding'>>> {
    const checked = checkSecret(secret.name, secret.value);
    if (!checked.ok) return checked;
    const version = (await this.secrets.lockName(tx, secret.name)) + 1;
    const createdAt = await tx.now();
    const sealed = await this.cipher.seal({ tenantId: tx.tenantId, name: secret.name, version }, secret.value);
    const { name, createdBy } = secret;
    await this.secrets.insert(tx, { ...sealed, id: newId(), name, version, createdAt, createdBy });
    return ok({ name, version, keyId: sealed.keyId, createdAt, createdBy });
  }

  async resolve(tx: Tx, reference: string, use: SecretUse): Promise<Result<string>> {
    const parsed = parseSecretReference(reference);
    if (!parsed.ok) return parsed;
    const stored = await this.secrets.find(tx, parsed.value);
    if (stored === null) {
      return err({
        kind: 'unprocessable',
        code: 'secret.unknown',
        message: `There is no secret ${formatSecretReference(parsed.value)}.`,
        action: 'Store it, or name a version that the list of secrets shows.',
      });
    }
    const { name } = parsed.value;
    if (!isBoundTo(await this.secrets.binding(tx, name), use)) {
      return err({
        kind: 'unprocessable',
        code: 'secret.not_bound',
        message: `The secret ${name} is not for ${useInWords(use)}.`,
        action: `Bind it (countersign secret bind ${name}), or name a secret that is for this.`,
      });
    }
    return this.cipher.open({ tenantId: tx.tenantId, ...parsed.value }, stored);
  }

  list(
    tx: Tx,
    page: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]> {
    return this.secrets.list(tx, page);
  }
}
