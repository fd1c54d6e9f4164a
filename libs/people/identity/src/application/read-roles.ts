import type { TenantId, Tx, UnitOfWork } from '#lib/kernel';
import { unusedRole, type KnownRole } from '../domain/known-roles.js';

export interface RoleDirectory {
  /** Every role that the tenant knows, by name. */
  known(tx: Tx): Promise<readonly KnownRole[]>;
}

/** The roles that a tenant knows, and those of a list that nothing names. */
export class ReadRoles {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly directory: RoleDirectory,
  ) {}

  known(tenantId: TenantId): Promise<readonly KnownRole[]> {
    return this.uow.run(tenantId, (tx) => this.directory.known(tx));
  }

  /** One sentence for each of these roles that nothing names. */
  async warnings(tenantId: TenantId, roles: readonly string[]): Promise<readonly string[]> {
    if (roles.length === 0) return [];
    const known = await this.known(tenantId);
    return [...new Set(roles)].flatMap((role) => unusedRole(role, known) ?? []);
  }
}
