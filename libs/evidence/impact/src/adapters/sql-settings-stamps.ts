import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { SettingsStamps } from '../application/impact.ports.js';

/** Versions only grow, rows of history only come: so no two states of the settings have one stamp. */
export class SqlSettingsStamps implements SettingsStamps {
  async present(tx: Tx): Promise<string> {
    const [row] = await sqlOf(tx).query<{ readonly stamp: string }>(
      `select concat_ws(' ',
         (select 'autonomy ' || revision_id from autonomy_head where tenant_id = $1),
         (select concat_ws(' ', 'tools', count(*), sum(version), count(*) filter (where removed), extract(epoch from max(updated_at)))
            from tool where tenant_id = $1),
         (select concat_ws(' ', 'environments', count(*), sum(version)) from environment where tenant_id = $1),
         (select concat_ws(' ', 'safe tools', count(*), count(removed_at)) from automation_safe_tool where tenant_id = $1)
       ) as stamp`,
      [tx.tenantId],
    );
    return row?.stamp ?? '';
  }
}
