import type { SessionState } from '#lib/formats';
import type { Actor, AgentId, PageRequest, Principal, SessionId, Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { SessionTrustId } from '../domain/ids.js';
import type { EndedSession, Session } from '../domain/session.js';
import type { RevokedTrust, SessionTrust, TrustedCall } from '../domain/session-trust.js';

/** Which sessions a list holds; null does not filter. */
export interface SessionFilter {
  readonly state: SessionState | null;
  readonly agentId: AgentId | null;
}

/** The open sessions of an agent. */
export interface OpenSessions {
  readonly count: number;
  /** When the first of them ends unless somebody uses it before, epoch milliseconds. */
  readonly firstIdleAt: number;
}

/** A session that is not opened, because an agent has too many. */
export interface SessionRefusal {
  /** The agent or person who asked. */
  readonly submitterId: Submitter['id'];
  readonly agentId: AgentId;
}

/**
 * Sessions of the transaction's tenant. A row that Countersign did not seal decides nothing (`record.not_authentic`), and stands
 * in no list.
 */
export interface SessionRepository {
  insert(tx: Tx, session: Session): Promise<void>;
  find(tx: Tx, id: SessionId): Promise<Session | null>;
  /** The same, and no other transaction changes, shares or ends the session until this one ends. Before its calls. */
  lock(tx: Tx, id: SessionId): Promise<Session | null>;
  /** The same for a call: others may share it, and none changes or ends it until this transaction ends. */
  share(tx: Tx, id: SessionId): Promise<Session | null>;
  /**
   * Writes that the open session is used now, if the last use on record is older than ten seconds. Waits for no lock. Call it
   * before {@link share}: the share of another call would keep it from writing.
   */
  touch(tx: Tx, id: SessionId): Promise<void>;
  /**
   * The open sessions of each of these agents that rest no longer than they may. An agent without any is absent. Until the transaction ends
   * no other one counts those of the same agent.
   *
   * @param agentIds in order, so that two transactions wait for each other in one direction.
   */
  lockOpen(tx: Tx, agentIds: readonly AgentId[]): Promise<ReadonlyMap<AgentId, OpenSessions>>;
  /** Those of these sessions that are open. No seal is read: the answer gives no right. */
  openAmong(tx: Tx, ids: readonly SessionId[]): Promise<readonly SessionId[]>;
  /** Whether this is the first refusal of its kind for so long, which is `forMs`. It counts from now on. */
  firstRefusal(tx: Tx, refusal: SessionRefusal, forMs: number): Promise<boolean>;
  list(tx: Tx, filter: SessionFilter, page: PageRequest): Promise<readonly Session[]>;
  /** Saves `autonomy` and `callBudget` under the next revision. */
  saveSettings(tx: Tx, session: Session): Promise<void>;
  /** Saves the end. */
  saveEnded(tx: Tx, session: EndedSession): Promise<void>;
}

/** The trusts of sessions, sealed as sessions are. A writer holds the session locked. */
export interface SessionTrustRepository {
  insert(tx: Tx, trust: SessionTrust): Promise<void>;
  /** The trusts in force that cover this very call, oldest first. */
  covering(tx: Tx, sessionId: SessionId, call: TrustedCall): Promise<readonly SessionTrust[]>;
  find(tx: Tx, sessionId: SessionId, id: SessionTrustId): Promise<SessionTrust | null>;
  /** Newest first, with those taken back. */
  list(tx: Tx, sessionId: SessionId, page: PageRequest): Promise<readonly SessionTrust[]>;
  /** Those that were not taken back, oldest first. */
  inForce(tx: Tx, sessionId: SessionId): Promise<readonly SessionTrust[]>;
  saveRevoked(tx: Tx, trust: RevokedTrust): Promise<void>;
}

/** Knows the calls of sessions, which a later library keeps. */
export interface CallsInFlight {
  /** Whether a call of the session waits for people, for its dispatch or for its outcome. No new one does while the session is locked. */
  anyInFlight(tx: Tx, sessionId: SessionId): Promise<boolean>;
}

/** Told within the transaction in which a session ends: its pending calls are denied with it. */
export interface SessionEndedListener {
  sessionEnded(tx: Tx, event: SessionEnded): Promise<void>;
}

export interface SessionEnded {
  readonly session: EndedSession;
  readonly principal: Principal;
  readonly actor: Actor;
  /** Epoch milliseconds. */
  readonly at: number;
}
