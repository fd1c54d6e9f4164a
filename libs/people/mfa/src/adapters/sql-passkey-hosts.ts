import { sqlOf, type SystemQuery } from '#lib/database';
import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { relyingPartyOf } from '../domain/relying-party.js';

/** Passkeys work at the host name that they were made for, and at no other. Counts over every tenant of the installation. */
export class SqlPasskeyHosts {
  readonly #host: string;

  /** @param publicUrl where people reach Countersign now. */
  constructor(
    private readonly uow: UnitOfWork,
    private readonly system: SystemQuery,
    publicUrl: string,
  ) {
    this.#host = relyingPartyOf(publicUrl)?.id ?? '';
  }

  /** How many active passkeys do not work here, without those of which the operator has accepted it. */
  async lost(): Promise<number> {
    return (await this.system.call('passkeys_of_other_hosts', this.#host)).length;
  }

  /** From now on those that were made for another host until now are no longer counted. */
  async accept(): Promise<void> {
    // The table is global, and a transaction always belongs to a tenant: here to one without members.
    await this.uow.run(newId<TenantId>(), (tx) =>
      sqlOf(tx).execute('insert into accepted_host (host, accepted_at) values ($1, clock_timestamp())', [this.#host]),
    );
  }
}
