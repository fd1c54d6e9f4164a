import type { PageRequest, Principal, Result, SessionId, UnitOfWork } from '#lib/kernel';
import type { Session } from '../domain/session.js';
import type { SessionAccess } from './session-access.js';
import type { SessionFilter, SessionRepository } from './session.ports.js';

/** Reads sessions: an agent its own, people all of the tenant. */
export class ReadSessions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly sessions: Pick<SessionRepository, 'list'>,
    private readonly access: SessionAccess,
  ) {}

  get(by: Principal, id: SessionId): Promise<Result<Session>> {
    return this.uow.run(by.tenantId, (tx) => this.access.toRead(tx, by, id));
  }

  /** Newest first. */
  async list(by: Principal, filter: SessionFilter, page: PageRequest): Promise<readonly Session[]> {
    if (by.kind !== 'agent') return this.uow.run(by.tenantId, (tx) => this.sessions.list(tx, filter, page));
    if (filter.agentId !== null && filter.agentId !== by.agentId) return [];
    return this.uow.run(by.tenantId, (tx) => this.sessions.list(tx, { ...filter, agentId: by.agentId }, page));
  }
}
