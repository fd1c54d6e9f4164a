import { actorOf, err, ok, type Principal, type Result, type SessionId, type Tx, type UnitOfWork } from '#lib/kernel';
import { sameAutonomy, type Session, type SessionAutonomy } from '../domain/session.js';
import { sessionEnded } from '../domain/session-transitions.js';
import { changedByToken, refusedBy, type JudgeSessionChange } from './judge-session-change.js';
import type { SessionAccess } from './session-access.js';
import { autonomyPayload, type SessionJournal } from './session-journal.js';
import type { SessionRepository, SessionTrustRepository } from './session.ports.js';

/** The ports of the use case. */
export interface ChangeSessionPorts {
  readonly uow: UnitOfWork;
  readonly sessions: Pick<SessionRepository, 'saveAutonomy'>;
  readonly trusts: Pick<SessionTrustRepository, 'inForce' | 'saveRevoked'>;
  readonly access: SessionAccess;
  readonly judge: JudgeSessionChange;
  readonly journal: SessionJournal;
}

/**
 * Changes preset, level or mode of a session; the next call is decided by them. Policy decides whether the change is looser
 * anywhere: everybody who takes part tightens, and a person loosens in a browser or in Slack (T55). Each "always" was said under the
 * settings before, so the change takes it back.
 *
 * Failures: `resource.not_found`, `session.not_yours`, `session.ended`; `session.loosened_by_token` and `policy.denied`, both
 * recorded.
 */
export class ChangeSessionAutonomy {
  constructor(private readonly ports: ChangeSessionPorts) {}

  execute(by: Principal, id: SessionId, change: Partial<SessionAutonomy>): Promise<Result<Session>> {
    const { uow, access, sessions, judge, journal } = this.ports;
    return uow.run(by.tenantId, async (tx) => {
      const found = await access.toChange(tx, by, id);
      if (!found.ok) return found;
      const session = found.value;
      if (session.state !== 'open') return err(sessionEnded);
      const autonomy = { ...session.autonomy, ...change };
      if (sameAutonomy(session.autonomy, autonomy)) return ok(session);
      const decided = await judge.execute(tx, by, session, { before: session.autonomy, after: autonomy });
      const entry = {
        level: decided.decision.obligations.audit_level,
        decisionId: decided.id,
        payload: { before: autonomyPayload(session.autonomy), after: autonomyPayload(autonomy) },
      };
      if (decided.decision.outcome !== 'allow') {
        await journal.record(tx, 'session.change_refused', session, by, entry);
        return err(refusedBy(decided.decision, changedByToken));
      }
      const changed: Session = { ...session, autonomy, revision: session.revision + 1 };
      await sessions.saveAutonomy(tx, changed);
      await journal.record(tx, 'session.changed', changed, by, entry);
      await this.#takeTrustsBack(tx, by, changed);
      return ok(changed);
    });
  }

  async #takeTrustsBack(tx: Tx, by: Principal, session: Session): Promise<void> {
    const { trusts, journal } = this.ports;
    const revoked = { at: await tx.now(), by: actorOf(by) };
    for (const trust of await trusts.inForce(tx, session.id)) {
      await trusts.saveRevoked(tx, { ...trust, revoked });
      await journal.record(tx, 'session.trust_revoked', session, by, {
        level: 'full',
        payload: { trust_id: trust.id, tool: trust.tool, shape: trust.shape },
      });
    }
  }
}
