import type { Principal, SessionId, UnitOfWork } from '#lib/kernel';
import type { Session } from '#lib/session';
import type { ToolCallRepository } from './tool-call.port.js';

/** Counts the calls of sessions, beside their budgets. */
export class CountSessionCalls {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: Pick<ToolCallRepository, 'countMany'>,
  ) {}

  /** @param sessions that the principal may read. @returns a count for each session that has a call. */
  execute(by: Principal, sessions: readonly Pick<Session, 'id'>[]): Promise<ReadonlyMap<SessionId, number>> {
    const ids = sessions.map(({ id }) => id);
    return this.uow.run(by.tenantId, (tx) => this.calls.countMany(tx, ids));
  }
}
