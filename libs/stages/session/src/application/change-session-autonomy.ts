import type { AutonomyReader } from '#lib/autonomy';
import {
  actorOf,
  actsInPerson,
  err,
  ok,
  type AuditLevel,
  type DecisionId,
  type Failure,
  type Principal,
  type Result,
  type SessionId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { budgetTooLarge, callBudgets } from '../domain/call-budgets.js';
import { sameAutonomy, type Session, type SessionAutonomy } from '../domain/session.js';
import { sessionEnded } from '../domain/session-transitions.js';
import { changedByToken, raisedByToken, refusedBy, type JudgeSessionChange } from './judge-session-change.js';
import type { SessionAccess } from './session-access.js';
import { settingsPayload, type SessionJournal } from './session-journal.js';
import type { SessionRepository, SessionTrustRepository } from './session.ports.js';

/** The ports of the use case. */
export interface ChangeSessionPorts {
  readonly uow: UnitOfWork;
  readonly sessions: Pick<SessionRepository, 'saveSettings'>;
  readonly trusts: Pick<SessionTrustRepository, 'inForce' | 'saveRevoked'>;
  readonly autonomy: AutonomyReader;
  readonly access: SessionAccess;
  readonly judge: JudgeSessionChange;
  readonly journal: SessionJournal;
}

/** The members of a session that change while it is open. */
export type SessionChange = Partial<SessionAutonomy & Pick<Session, 'callBudget'>>;

/** How a change was weighed. */
interface Weighed {
  readonly refused: Failure | null;
  readonly level: AuditLevel;
  readonly decisionId?: DecisionId;
}

/**
 * Changes preset, level, mode or budget of a session; the next call is decided by them. Policy decides whether preset,
 * level and mode are looser anywhere. Everybody who takes part tightens and lowers the budget. A person does the
 * opposite in a browser or in Slack (T55). Each "always" was said under the preset, level and mode before, so their
 * change takes it back.
 *
 * Failures: `resource.not_found`, `session.not_yours`, `session.ended`, `session.budget_too_large`; `session.loosened_by_token` and
 * `policy.denied`, both recorded.
 */
export class ChangeSessionAutonomy {
  constructor(private readonly ports: ChangeSessionPorts) {}

  execute(by: Principal, id: SessionId, change: SessionChange): Promise<Result<Session>> {
    const { uow, access, sessions, journal } = this.ports;
    return uow.run(by.tenantId, async (tx) => {
      const found = await access.toChange(tx, by, id);
      if (!found.ok) return found;
      const session = found.value;
      if (session.state !== 'open') return err(sessionEnded);
      const { callBudget = session.callBudget, ...settings } = change;
      const autonomy = { ...session.autonomy, ...settings };
      const isSame = sameAutonomy(session.autonomy, autonomy);
      if (isSame && callBudget === session.callBudget) return ok(session);
      const budgets = callBudgets((await this.ports.autonomy.current(tx))?.document ?? null);
      if (callBudget > session.callBudget && callBudget > budgets.most) return err(budgetTooLarge(budgets));
      const changed: Session = { ...session, autonomy, callBudget, revision: session.revision + 1 };
      const { refused, ...entry } = await this.#weigh(tx, by, session, changed);
      const payload = { before: settingsPayload(session), after: settingsPayload(changed) };
      if (refused !== null) {
        await journal.record(tx, 'session.change_refused', session, by, { ...entry, payload });
        return err(refused);
      }
      await sessions.saveSettings(tx, changed);
      await journal.record(tx, 'session.changed', changed, by, { ...entry, payload });
      if (!isSame) await this.#takeTrustsBack(tx, by, changed);
      return ok(changed);
    });
  }

  async #weigh(tx: Tx, by: Principal, before: Session, after: Session): Promise<Weighed> {
    const raises = after.callBudget > before.callBudget;
    if (raises && !actsInPerson(by)) return { refused: raisedByToken, level: 'full' };
    if (sameAutonomy(before.autonomy, after.autonomy)) return { refused: null, level: raises ? 'full' : 'detailed' };
    const settings = { before: before.autonomy, after: after.autonomy };
    const { id: decisionId, decision } = await this.ports.judge.execute(tx, by, before, settings);
    const refused = decision.outcome === 'allow' ? null : refusedBy(decision, changedByToken);
    return { refused, level: decision.obligations.audit_level, decisionId };
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
