import type { PersonId, TenantId, UnitOfWork } from '#lib/kernel';
import { keptPasskey, type KeptPasskey } from '../domain/passkey-enrolment.js';
import type { FactorHolders, FactorRepository } from './mfa.ports.js';

interface NamedPasskey extends KeptPasskey {
  readonly personName: string;
}

/** Reads the passkeys that count, as lines for those who check approvals on their own. */
export class ReadApproverKeys {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly holders: FactorHolders,
    private readonly factors: FactorRepository,
  ) {}

  /** @param personId the owner; null: everybody of the tenant. The oldest first. */
  execute(tenantId: TenantId, personId: PersonId | null): Promise<readonly NamedPasskey[]> {
    return this.uow.run(tenantId, async (tx) => {
      const passkeys = await this.factors.passkeys(tx, personId);
      const kept = passkeys.map(keptPasskey).filter((one) => one !== null);
      const names = new Map<PersonId, string>();
      for (const id of new Set(kept.map((one) => one.personId)))
        names.set(id, (await this.holders.find(tx, id))?.displayName ?? '');
      return kept.map((one) => ({ ...one, personName: names.get(one.personId) ?? '' }));
    });
  }
}
