import { ok, type PageRequest, type Principal, type Result, type SessionId, type UnitOfWork } from '#lib/kernel';
import type { SessionTrust } from '../domain/session-trust.js';
import type { SessionAccess } from './session-access.js';
import type { SessionTrustRepository } from './session.ports.js';

/** Reads the trusts of a session, for everybody who may read the session. */
export class ListTrusts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trusts: Pick<SessionTrustRepository, 'list'>,
    private readonly access: SessionAccess,
  ) {}

  /** Newest first, with those taken back. @returns `resource.not_found`. */
  execute(by: Principal, sessionId: SessionId, page: PageRequest): Promise<Result<readonly SessionTrust[]>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const session = await this.access.toRead(tx, by, sessionId);
      return session.ok ? ok(await this.trusts.list(tx, sessionId, page)) : session;
    });
  }
}
