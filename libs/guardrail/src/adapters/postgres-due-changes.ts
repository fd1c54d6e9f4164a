import type { SystemQuery } from '#lib/database';
import type { ChangeRequestId } from '#lib/kernel';
import type { DueChanges } from '../application/guardrail.ports.js';

/** Due changes by the SECURITY DEFINER function of `migrations/0110_guardrail.sql`. */
export class PostgresDueChanges implements DueChanges {
  constructor(private readonly system: SystemQuery) {}

  async expired(limit: number): ReturnType<DueChanges['expired']> {
    const rows = await this.system.call('change_request_expired', limit);
    return rows.map(({ tenantId, id }) => ({ tenantId, id: id as ChangeRequestId }));
  }
}
