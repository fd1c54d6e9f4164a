import type { Tx } from '#lib/kernel';
import type { GrantRepository, GrantRevoker, GrantSelector } from './grant.ports.js';

/** Revokes live grants in the transaction of the halt that wants it. */
export class RevokeGrants implements GrantRevoker {
  constructor(private readonly grants: GrantRepository) {}

  async revoke(tx: Tx, selector: GrantSelector, reason: string): Promise<number> {
    return this.grants.revokeLive(tx, selector, reason, await tx.now());
  }
}
