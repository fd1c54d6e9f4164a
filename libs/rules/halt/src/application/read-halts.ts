import {
  err,
  notFound,
  ok,
  type HaltId,
  type PageRequest,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { Halt } from '../domain/halt.js';
import type { HaltRepository } from './halt.ports.js';

/** Reads halts. Everybody in the tenant may: people can read why their work stopped. */
export class ReadHalts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly halts: HaltRepository,
  ) {}

  get(tenantId: TenantId, id: HaltId): Promise<Result<Halt>> {
    return this.uow.run(tenantId, async (tx) => {
      const halt = await this.halts.find(tx, id);
      return halt === null ? err(notFound('halt')) : ok(halt);
    });
  }

  /** Newest first; `active` null takes all. */
  list(tenantId: TenantId, page: PageRequest & { readonly active: boolean | null }): Promise<readonly Halt[]> {
    return this.uow.run(tenantId, (tx) => this.halts.list(tx, page));
  }
}
