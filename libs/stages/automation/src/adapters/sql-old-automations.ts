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
      `select old.id from automation_run old
        where old.tenant_id = $1 and old.finished_at < $2
          and exists (select from automation_run newer
                       where newer.tenant_id = $1 and newer.automation_id = old.automation_id
                         and (newer.created_at, newer.id) > (old.created_at, old.id))
        order by old.finished_at limit ${String(BATCH)} for update skip locked`,
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
      `select old.id from automation old
        where old.tenant_id = $1 and old.state = 'disabled' and old.agent_id is null and old.proposed_at < $2
          and not exists (select from automation_run run where run.tenant_id = $1 and run.automation_id = old.id)
        order by old.proposed_at limit ${String(BATCH)} for update skip locked`,
      [tx.tenantId, before],
    );
    if (old.length === 0) return 0;
    const ids = Any(old.map(({ id }) => id));
    await rowsOf(tx, automationSecretEntity).delete({ automationId: ids });
    return rowsOf(tx, automationEntity).delete({ id: ids });
  },
};
