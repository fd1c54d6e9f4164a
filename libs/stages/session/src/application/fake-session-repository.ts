import type { AgentId, PageRequest, SessionId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { idleAt, isLive, TOUCH_MS, type EndedSession, type Session } from '../domain/session.js';
import { SESSION_TRANSITIONS } from '../domain/session-transitions.js';
import type { OpenSessions, SessionFilter, SessionRefusal, SessionRepository } from './session.ports.js';

/** Keeps sessions in memory. */
export class FakeSessionRepository implements SessionRepository {
  readonly #sessions: FakeTable<Session>;
  /** Until when an entry stands for refusals of the kind, epoch milliseconds. */
  readonly #refusals: FakeTable<number>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#sessions = new FakeTable(database);
    this.#refusals = new FakeTable(database);
  }

  insert(tx: Tx, session: Session): Promise<void> {
    requireTransition(SESSION_TRANSITIONS, '', session.state);
    if (this.#sessions.of(tx).has(session.id)) throw new FakeRefusal('23505', 'session_pk');
    this.#sessions.of(tx).set(session.id, session);
    return Promise.resolve();
  }

  find(tx: Tx, id: SessionId): Promise<Session | null> {
    return Promise.resolve(this.#sessions.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: SessionId): Promise<Session | null> {
    return this.find(tx, id);
  }

  share(tx: Tx, id: SessionId): Promise<Session | null> {
    return this.find(tx, id);
  }

  async touch(tx: Tx, id: SessionId): Promise<void> {
    const [session, now] = [await this.find(tx, id), await tx.now()];
    if (session?.state !== 'open' || now - session.lastUsedAt <= TOUCH_MS) return;
    this.#sessions.of(tx).set(id, { ...session, lastUsedAt: now });
  }

  async lockOpen(tx: Tx, agentIds: readonly AgentId[]): Promise<ReadonlyMap<AgentId, OpenSessions>> {
    const now = await tx.now();
    const live = [...this.#sessions.of(tx).values()].filter((session) => isLive(session, now));
    const open = agentIds.map((id) => [id, live.filter(({ agentIds: of }) => of.includes(id))] as const);
    return new Map(
      open
        .filter(([, own]) => own.length > 0)
        .map(([id, own]) => [id, { count: own.length, firstIdleAt: Math.min(...own.map(idleAt)) }]),
    );
  }

  openAmong(tx: Tx, ids: readonly SessionId[]): Promise<readonly SessionId[]> {
    return Promise.resolve(ids.filter((id) => this.#sessions.of(tx).get(id)?.state === 'open'));
  }

  firstRefusal(tx: Tx, { submitterId, agentId }: SessionRefusal, forMs: number): Promise<boolean> {
    const [key, refusals] = [`${submitterId}:${agentId}`, this.#refusals.of(tx)];
    if ((refusals.get(key) ?? 0) > this.database.now) return Promise.resolve(false);
    refusals.set(key, this.database.now + forMs);
    return Promise.resolve(true);
  }

  list(tx: Tx, { state, agentId }: SessionFilter, page: PageRequest): Promise<readonly Session[]> {
    const wanted = [...this.#sessions.of(tx).values()].filter(
      (session) =>
        (state === null || session.state === state) && (agentId === null || session.agentIds.includes(agentId)),
    );
    return Promise.resolve(fakePage(wanted, ({ openedAt }) => openedAt, page));
  }

  async saveSettings(tx: Tx, { id, autonomy, callBudget, revision }: Session): Promise<void> {
    const session = await this.find(tx, id);
    if (session === null) return;
    if (session.state !== 'open' || revision !== session.revision + 1)
      throw new FakeRefusal('CS001', 'settings change with the next revision alone, while the session is open');
    this.#sessions.of(tx).set(id, { ...session, autonomy, callBudget, revision });
  }

  async saveEnded(tx: Tx, { id, state, endedReason, endedAt }: EndedSession): Promise<void> {
    const session = await this.find(tx, id);
    if (session === null) return;
    if (session.state !== 'open') throw new FakeRefusal('CS001', 'an end is final');
    requireTransition(SESSION_TRANSITIONS, session.state, state);
    this.#sessions.of(tx).set(id, { ...session, state, endedReason, endedAt });
  }
}
