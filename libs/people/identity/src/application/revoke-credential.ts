import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type CredentialId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { seenBy } from './credentials-seen.js';
import type { CredentialRepository } from './identity.ports.js';

/** Revokes a credential the caller may see; from its commit on it opens nothing. Revoking one twice changes nothing. */
export class RevokeCredential {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: PersonPrincipal, id: CredentialId): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const credential = await this.credentials.find(tx, id, seenBy(by));
      if (credential === null) return err(notFound('token'));
      if (credential.revokedAt !== null) return ok(undefined);
      await this.credentials.revoke(tx, id, await tx.now());
      await this.audit.record(tx, {
        action: 'credential.revoked',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'credential', id },
        payload: { kind: credential.holder.kind, name: credential.name },
      });
      return ok(undefined);
    });
  }
}
