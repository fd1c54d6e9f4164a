import type { TenantId } from '#lib/kernel';
import type { TenantDirectory } from './sign-in.ports.js';

/** Finds the tenant that an address names by its slug. */
export class FindTenant {
  constructor(private readonly tenants: TenantDirectory) {}

  /** Null if there is none. A stranger must see no difference, since it would tell them which tenants there are. */
  execute(slug: string): Promise<TenantId | null> {
    return this.tenants.bySlug(slug);
  }
}
