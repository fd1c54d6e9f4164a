import { unlessNotAuthentic, type SessionId, type SystemPrincipal, type TenantId, type UnitOfWork } from '#lib/kernel';
import { isLive, isOpen } from '../domain/session.js';
import type { SessionEnding } from './end-session.js';
import type { CallsInFlight, SessionRepository } from './session.ports.js';

/**
 * Ends sessions that rested too long. No call waits for it: each looks at the clock itself. A session with a call in flight is in use,
 * so that its rest begins anew.
 */
export class EndIdleSessions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly sessions: Pick<SessionRepository, 'lock' | 'touch'>,
    private readonly calls: CallsInFlight,
    private readonly ending: SessionEnding,
  ) {}

  /** @returns whether it ended the session now. */
  execute(tenantId: TenantId, id: SessionId): Promise<boolean> {
    const principal: SystemPrincipal = { kind: 'system', tenantId, name: 'session-rest' };
    const work = this.uow.run(tenantId, async (tx) => {
      const session = await this.sessions.lock(tx, id);
      const now = await tx.now();
      if (session === null || !isOpen(session) || isLive(session, now)) return false;
      if (await this.calls.anyInFlight(tx, id)) {
        await this.sessions.touch(tx, id);
        return false;
      }
      await this.ending.end(tx, session, 'rest', principal, now);
      return true;
    });
    return unlessNotAuthentic(work, () => false);
  }
}
