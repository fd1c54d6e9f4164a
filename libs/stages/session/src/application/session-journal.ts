import type { Json } from '#lib/canonical';
import { actorOf, type AuditLevel, type AuditSink, type DecisionId, type Principal, type Tx } from '#lib/kernel';
import type { Session, SessionAutonomy } from '../domain/session.js';

/** Further members of an entry about a session. */
interface SessionEntry {
  readonly level: AuditLevel;
  readonly decisionId?: DecisionId;
  readonly payload: Json;
}

/** Writes the audit entries of sessions: each is found by its session. */
export class SessionJournal {
  constructor(private readonly audit: AuditSink) {}

  record(tx: Tx, action: string, session: Session, principal: Principal, entry: SessionEntry): Promise<void> {
    const subject = { type: 'session', id: session.id };
    return this.audit.record(tx, { action, actor: actorOf(principal), subject, within: [subject], ...entry });
  }
}

/** The settings as entries and policies spell them. */
export const autonomyPayload = ({ preset, level, mode }: SessionAutonomy) => ({ preset, level, mode });

/** The members that change while a session is open. */
export const settingsPayload = ({ autonomy, callBudget }: Pick<Session, 'autonomy' | 'callBudget'>) => ({
  ...autonomyPayload(autonomy),
  call_budget: callBudget,
});
