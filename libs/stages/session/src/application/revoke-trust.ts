import { actorOf, err, notFound, ok, type Principal, type Result, type SessionId, type UnitOfWork } from '#lib/kernel';
import type { SessionTrustId } from '../domain/ids.js';
import type { RevokedTrust, SessionTrust } from '../domain/session-trust.js';
import type { SessionAccess } from './session-access.js';
import type { SessionJournal } from './session-journal.js';
import type { SessionTrustRepository } from './session.ports.js';

/**
 * Takes an "always" back; the next call asks again. It only tightens, so everybody who takes part may, by any credential, and
 * the person who said it.
 */
export class RevokeTrust {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trusts: Pick<SessionTrustRepository, 'find' | 'saveRevoked'>,
    private readonly access: SessionAccess,
    private readonly journal: SessionJournal,
  ) {}

  /** @returns the trust, also one that was taken back before; `resource.not_found`, `session.not_yours`. */
  execute(by: Principal, sessionId: SessionId, id: SessionTrustId): Promise<Result<SessionTrust>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const locked = await this.access.locked(tx, sessionId);
      if (!locked.ok) return locked;
      const trust = await this.trusts.find(tx, sessionId, id);
      if (by.kind !== 'person' || trust?.madeBy !== by.personId) {
        const allowed = await this.access.partOf(tx, by, locked.value);
        if (!allowed.ok) return allowed;
      }
      if (trust === null) return err(notFound('trust'));
      if (trust.revoked !== null) return ok(trust);
      const revoked: RevokedTrust = { ...trust, revoked: { at: await tx.now(), by: actorOf(by) } };
      await this.trusts.saveRevoked(tx, revoked);
      await this.journal.record(tx, 'session.trust_revoked', locked.value, by, {
        level: 'full',
        payload: { trust_id: id, tool: trust.tool, shape: trust.shape },
      });
      return ok(revoked);
    });
  }
}
