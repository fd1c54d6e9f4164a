import type { SystemQuery } from '#lib/database';
import type { TenantId } from '#lib/kernel';
import type { TenantDirectory } from '../application/sign-in.ports.js';

export class SqlTenantDirectory implements TenantDirectory {
  readonly #system: SystemQuery;

  constructor(system: SystemQuery) {
    this.#system = system;
  }

  async bySlug(slug: string): Promise<TenantId | null> {
    const [row] = await this.#system.call('tenant_by_slug', slug);
    return row?.tenantId ?? null;
  }

  async any(): Promise<boolean> {
    return (await this.#system.call('any_tenant')).length > 0;
  }

  async only(): Promise<TenantId | null> {
    const [row] = await this.#system.call('only_tenant');
    return row?.tenantId ?? null;
  }
}
