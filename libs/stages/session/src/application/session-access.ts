import type { AgentRepository } from '#lib/identity';
import { err, notFound, ok, type PersonId, type Principal, type Result, type SessionId, type Tx } from '#lib/kernel';
import { isLive, type Session } from '../domain/session.js';
import { mayRead, takesPart } from '../domain/session-access.js';
import { sessionEnded } from '../domain/session-transitions.js';
import type { CallsInFlight, SessionRepository } from './session.ports.js';

/** Finds a session for a principal, with the lock that their wish needs. */
export class SessionAccess {
  constructor(
    private readonly sessions: Pick<SessionRepository, 'find' | 'lock' | 'share' | 'touch'>,
    private readonly agents: Pick<AgentRepository, 'find'>,
    private readonly calls: CallsInFlight,
  ) {}

  /** @returns `resource.not_found`, also for an agent that is not in it. */
  async toRead(tx: Tx, by: Principal, id: SessionId): Promise<Result<Session>> {
    const session = await this.sessions.find(tx, id);
    if (session === null) return err(notFound('session'));
    const allowed = mayRead(by, session);
    return allowed.ok ? ok(session) : allowed;
  }

  /** Locked, for a change that the caller allows by {@link partOf} or by a rule of its own. @returns `resource.not_found`. */
  async locked(tx: Tx, id: SessionId): Promise<Result<Session>> {
    const session = await this.sessions.lock(tx, id);
    return session === null ? err(notFound('session')) : ok(session);
  }

  /**
   * Locked, for a change by somebody who takes part.
   *
   * @returns `resource.not_found`, `session.not_yours`.
   */
  async toChange(tx: Tx, by: Principal, id: SessionId): Promise<Result<Session>> {
    const session = await this.locked(tx, id);
    return session.ok ? this.partOf(tx, by, session.value) : session;
  }

  /**
   * Shared, for a call in it: the session neither changes nor ends before the transaction does. The use goes on record.
   *
   * @returns `resource.not_found`, `session.not_yours`; `session.ended`, also if it rested too long and no call of it is in flight.
   */
  async toUse(tx: Tx, by: Principal, id: SessionId): Promise<Result<Session>> {
    const before = await this.toRead(tx, by, id);
    if (!before.ok) return before;
    const allowed = await this.partOf(tx, by, before.value);
    if (!allowed.ok) return allowed;
    // A use that comes too late must not wake it.
    if (!(await this.#takesCalls(tx, before.value))) return err(sessionEnded);
    await this.sessions.touch(tx, id);
    const session = await this.sessions.share(tx, id);
    if (session === null) return err(notFound('session'));
    return (await this.#takesCalls(tx, session)) ? ok(session) : err(sessionEnded);
  }

  /** @returns the session, `resource.not_found` or `session.not_yours`. */
  async partOf(tx: Tx, by: Principal, session: Session): Promise<Result<Session>> {
    const owners: PersonId[] = [];
    if (by.kind === 'person')
      for (const agentId of session.agentIds) {
        const agent = await this.agents.find(tx, agentId);
        if (agent !== null) owners.push(agent.ownerId);
      }
    const allowed = takesPart(by, session, owners);
    return allowed.ok ? ok(session) : allowed;
  }

  /** It never rests while a call of it waits for a person or is made. So the answer finds it open. */
  async #takesCalls(tx: Tx, session: Session): Promise<boolean> {
    return (
      isLive(session, await tx.now()) || (session.state === 'open' && (await this.calls.anyInFlight(tx, session.id)))
    );
  }
}
