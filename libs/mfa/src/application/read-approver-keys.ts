import type { PersonId, TenantId, UnitOfWork } from '#lib/kernel';
import { keptPasskey, type KeptPasskey } from '../domain/passkey-enrolment.js';
import type { RelyingParty } from '../domain/relying-party.js';
import type { FactorRepository } from './mfa.ports.js';

/** Reads the passkeys that count, as lines for those who check approvals on their own. */
export class ReadApproverKeys {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly factors: FactorRepository,
    private readonly party: RelyingParty | null,
  ) {}

  /** @param personId whose; null: everybody's in the tenant. The oldest first. */
  execute(tenantId: TenantId, personId: PersonId | null): Promise<readonly KeptPasskey[]> {
    return this.uow.run(tenantId, async (tx) => {
      const passkeys = await this.factors.passkeys(tx, personId);
      return passkeys.map((passkey) => keptPasskey(passkey, this.party)).filter((kept) => kept !== null);
    });
  }
}
