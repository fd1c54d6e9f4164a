import { actorOf, err, ok, type Principal, type Result, type SessionId, type Tx, type UnitOfWork } from '#lib/kernel';
import { isOpen, type EndedSession, type OpenSession, type Session } from '../domain/session.js';
import { END_OF, sessionEnded, type SessionEvent } from '../domain/session-transitions.js';
import type { SessionAccess } from './session-access.js';
import type { SessionJournal } from './session-journal.js';
import type { SessionEndedListener, SessionRepository } from './session.ports.js';

/** Ends sessions that are locked, and tells those who have to know. */
export class SessionEnding {
  constructor(
    private readonly sessions: Pick<SessionRepository, 'saveEnded'>,
    private readonly journal: SessionJournal,
    private readonly listeners: readonly SessionEndedListener[],
  ) {}

  async end(
    tx: Tx,
    session: OpenSession,
    event: SessionEvent,
    principal: Principal,
    at: number,
  ): Promise<EndedSession> {
    const ended: EndedSession = { ...session, state: 'ended', endedReason: END_OF[event], endedAt: at };
    await this.sessions.saveEnded(tx, ended);
    for (const listener of this.listeners)
      await listener.sessionEnded(tx, { session: ended, principal, actor: actorOf(principal), at });
    // The listeners hold the calls by now. An answer or a dispatch that came first is recorded before the end, and none
    // comes after.
    await this.journal.record(tx, 'session.ended', ended, principal, {
      level: 'detailed',
      payload: { reason: END_OF[event] },
    });
    return ended;
  }
}

/**
 * Ends a session by the wish of somebody who takes part. Its pending calls are denied with it, also if it is only closed.
 *
 * Failures: `resource.not_found`, `session.not_yours`, `session.ended`.
 */
export class EndSession {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly access: SessionAccess,
    private readonly ending: SessionEnding,
  ) {}

  execute(by: Principal, id: SessionId, event: Extract<SessionEvent, 'close' | 'cancel'>): Promise<Result<Session>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const session = await this.access.toChange(tx, by, id);
      if (!session.ok) return session;
      if (!isOpen(session.value)) return err(sessionEnded);
      return ok(await this.ending.end(tx, session.value, event, by, await tx.now()));
    });
  }
}
