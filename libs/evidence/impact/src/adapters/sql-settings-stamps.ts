import { automationSafeToolEntity } from '#lib/automation';
import { autonomyHeadEntity } from '#lib/autonomy';
import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import { toolEntity } from '#lib/tool';
import type { SettingsStamps } from '../application/impact.ports.js';

const AUTONOMY_HEAD = autonomyHeadEntity.as('autonomy_head');
const TOOL = toolEntity.as('tool');
const ENVIRONMENT = environmentEntity.as('environment');
const AUTOMATION_SAFE_TOOL = automationSafeToolEntity.as('automation_safe_tool');

/** Versions only grow, rows of history only come: so no two states of the settings have one stamp. */
export class SqlSettingsStamps implements SettingsStamps {
  async present(tx: Tx): Promise<string> {
    const [row] = await sqlOf(tx).query<{ readonly stamp: string }>(
      `select concat_ws(' ',
         (select 'autonomy ' || ${AUTONOMY_HEAD.revisionId} from autonomy_head where tenant_id = $1),
         (select concat_ws(' ', 'tools', count(*), sum(${TOOL.version}), count(*) filter (where ${TOOL.removed}), extract(epoch
           from max(${TOOL.updatedAt})))
            from tool where tenant_id = $1),
         (select concat_ws(' ', 'environments', count(*), sum(${ENVIRONMENT.version})) from environment where tenant_id = $1),
         (select concat_ws(' ', 'safe tools', count(*), count(${AUTOMATION_SAFE_TOOL.removedAt})) from automation_safe_tool
           where tenant_id = $1)
       ) as stamp`,
      [tx.tenantId],
    );
    return row?.stamp ?? '';
  }
}
