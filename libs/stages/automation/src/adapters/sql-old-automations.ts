import { Any } from 'typeorm';
import { rowsOf, sqlOf, type OldRows } from '#lib/database';
import type { AutomationRunId } from '#lib/kernel';
import type { AutomationId } from '../domain/ids.js';
import {
  automationEntity,
  automationRunEntity,
  automationSecretEntity,
  automationStepRunEntity,
} from './automation.entity.js';

const OLD_AUTOMATION_RUN = automationRunEntity.as('old');
const NEWER = automationRunEntity.as('newer');
const OLD_AUTOMATION = automationEntity.as('old');
const RUN = automationRunEntity.as('run');

const DAY_MS = 24 * 3_600_000;
/** From the proposal on. */
const UNUSED_AGE_MS = 30 * DAY_MS;
const BATCH = 500;

/** Runs of automations that ended, with their steps. The newest run of an automation stays, and so do their calls and the audit log. */
export const oldAutomationRuns = (days: number): OldRows => ({
  name: 'automation-runs',
  tenants: 'automation_run_ended_tenants',
  ageMs: days * DAY_MS,
  drop: async (tx, before) => {
    const old = await sqlOf(tx).query<{ readonly id: AutomationRunId }>(
      `select ${OLD_AUTOMATION_RUN.id} from automation_run old
        where old.tenant_id = $1 and ${OLD_AUTOMATION_RUN.finishedAt} < $2
          and exists (select from automation_run newer
                       where newer.tenant_id = $1 and ${NEWER.automationId} = ${OLD_AUTOMATION_RUN.automationId}
                         and (${NEWER.createdAt}, ${NEWER.id}) > (${OLD_AUTOMATION_RUN.createdAt}, ${OLD_AUTOMATION_RUN.id}))
        order by ${OLD_AUTOMATION_RUN.finishedAt} limit ${String(BATCH)} for update skip locked`,
      [tx.tenantId, before],
    );
    if (old.length === 0) return 0;
    const ids = Any(old.map(({ id }) => id));
    await rowsOf(tx, automationStepRunEntity).delete({ runId: ids });
    return rowsOf(tx, automationRunEntity).delete({ id: ids });
  },
});

/**
 * Automations that were proposed, and withdrawn or rejected before they were ever enabled, with their sources and secrets. The audit log
 * stays.
 */
export const unusedAutomations: OldRows = {
  name: 'unused-automations',
  tenants: 'automation_unused_tenants',
  ageMs: UNUSED_AGE_MS,
  drop: async (tx, before) => {
    const old = await sqlOf(tx).query<{ readonly id: AutomationId }>(
      `select ${OLD_AUTOMATION.id} from automation old
        where old.tenant_id = $1 and ${OLD_AUTOMATION.state} = 'disabled' and ${OLD_AUTOMATION.agentId} is null
          and ${OLD_AUTOMATION.proposedAt} < $2
          and not exists (select from automation_run run where run.tenant_id = $1 and ${RUN.automationId} = ${OLD_AUTOMATION.id})
        order by ${OLD_AUTOMATION.proposedAt} limit ${String(BATCH)} for update skip locked`,
      [tx.tenantId, before],
    );
    if (old.length === 0) return 0;
    const ids = Any(old.map(({ id }) => id));
    await rowsOf(tx, automationSecretEntity).delete({ automationId: ids });
    return rowsOf(tx, automationEntity).delete({ id: ids });
  },
};
