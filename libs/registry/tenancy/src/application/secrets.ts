import {
  actorOf,
  err,
  ok,
  tightening,
  type AuditSink,
  type TwoPersonRule,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { bindingInWords, loosenedBinding, type SecretBinding } from '../domain/secret-binding.js';
import type { SecretReference } from '../domain/secret-reference.js';
import { outdateBindings, readBinding, spelt } from './bind-secret.js';
import type {
  EnvironmentRepository,
  Keyring,
  SealedElsewhere,
  SecretCipher,
  SecretMetadata,
  SecretRepository,
  SecretVault,
} from './tenancy.ports.js';

/**
 * Stores the next version of a secret. The record names the person and the version, never the value. The first version may
 * set the binding; a later one may narrow it, and never widens it.
 */
export class PutSecret {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: SecretVault,
    private readonly secrets: SecretRepository,
    private readonly environments: EnvironmentRepository,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  /**
   * Fails as the vault does, or with `secret.invalid_binding` or `secret.binding_widens`.
   *
   * @param secret without a binding, it keeps the present one.
   */
  execute(
    by: PersonPrincipal,
    secret: { readonly name: string; readonly value: string; readonly binding?: SecretBinding },
  ): Promise<Result<SecretMetadata>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const versions = await this.secrets.lockName(tx, secret.name);
      const standing = await this.secrets.binding(tx, secret.name);
      const wanted = await readBinding(tx, this.environments, secret.binding ?? standing);
      if (!wanted.ok) return wanted;
      const binding = wanted.value;
      // The author of the first value decides alone about its binding: it holds no other person's secret.
      const wider = versions === 0 ? [] : loosenedBinding(standing, binding);
      if (wider.length > 0) {
        return err({
          kind: 'conflict',
          code: 'secret.binding_widens',
          message: `The secret ${secret.name} is there, and would be sent further than now: ${wider.join('; ')}.`,
          action: `Leave the binding out to store the value alone. Widen the binding by itself (countersign secret bind ${secret.name}): it waits for a second person.`,
          details: { binding: standing === null ? 'nothing' : bindingInWords(standing) },
        });
      }
      const stored = await this.vault.put(tx, { ...secret, createdBy: by.personId });
      if (!stored.ok) return stored;
      const { name, version, keyId, createdAt } = stored.value;
      if (secret.binding !== undefined) {
        await this.secrets.saveBinding(tx, name, binding, by.personId, createdAt);
        await outdateBindings(this.twoPersonRule, tx, tightening(by), { name, binding });
      }
      await this.audit.record(tx, {
        action: 'secret.stored',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'secret', id: `${name}@${String(version)}` },
        payload: { name, version, key_id: keyId, binding: spelt(binding) },
      });
      return ok({ ...stored.value, binding });
    });
  }
}

/** The secrets of a tenant without their values. */
export class ListSecrets {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: SecretVault,
  ) {}

  execute(
    tenantId: TenantId,
    page: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]> {
    return this.uow.run(tenantId, (tx) => this.vault.list(tx, page));
  }
}

const BATCH = 100;

/** After a new master key, encrypts a tenant's secrets under it. It does some at a time, until none is left under an old one. */
export class RotateSecrets {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly secrets: SecretRepository,
    private readonly cipher: SecretCipher,
    private readonly keyring: Keyring,
    private readonly audit: AuditSink,
    private readonly elsewhere: readonly SealedElsewhere[],
  ) {}

  /** @returns how many were encrypted anew; a secret that can't be read stops the rotation with its failure. */
  async execute(by: PersonPrincipal): Promise<Result<number>> {
    const { id: keyId } = await this.keyring.current();
    for (let total = 0; ;) {
      const rotated = await this.#rotateSome(by, keyId);
      if (!rotated.ok) return rotated;
      total += rotated.value.done;
      if (!rotated.value.more) return { ok: true, value: total };
    }
  }

  #rotateSome(by: PersonPrincipal, keyId: string): Promise<Result<{ readonly done: number; readonly more: boolean }>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const stale = await this.secrets.lockStale(tx, keyId, BATCH);
      for (const secret of stale) {
        const context = { tenantId: tx.tenantId, name: secret.name, version: secret.version };
        const value = await this.cipher.open(context, secret);
        if (!value.ok) return value;
        await this.secrets.reseal(tx, secret.id, await this.cipher.seal(context, value.value));
      }
      const names = stale.map(({ name, version }) => `${name}@${String(version)}`);
      let more = stale.length === BATCH;
      for (const one of this.elsewhere) {
        const resealed = await one.resealStale(tx, keyId, BATCH);
        if (!resealed.ok) return resealed;
        names.push(...resealed.value);
        more ||= resealed.value.length === BATCH;
      }
      if (names.length > 0) {
        await this.audit.record(tx, {
          action: 'secret.rotated',
          actor: actorOf(by),
          level: 'full',
          subject: { type: 'tenant', id: tx.tenantId },
          payload: { key_id: keyId, secrets: names },
        });
      }
      return { ok: true, value: { done: names.length, more } };
    });
  }
}
