import {
  err,
  notFound,
  ok,
  type DecisionId,
  type PageRequest,
  type Result,
  type SubjectRef,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { DecisionLog, LoggedDecision } from './decision-log.js';

/** Reads recorded decisions. */
export class ReadDecisions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: DecisionLog,
  ) {}

  /** Fails with `resource.not_found`. */
  async get(tenantId: TenantId, id: DecisionId): Promise<Result<LoggedDecision>> {
    const found = await this.uow.run(tenantId, (tx) => this.log.find(tx, id));
    return found === null ? err(notFound('decision')) : ok(found);
  }

  /** Newest first: those that were taken within each of these things. */
  async list(tenantId: TenantId, within: readonly SubjectRef[], page: PageRequest): Promise<readonly LoggedDecision[]> {
    return this.uow.run(tenantId, (tx) => this.log.list(tx, within, page));
  }
}
