import { sqlOf } from '#lib/database';
import type { SubjectRef, ToolCallId, Tx } from '#lib/kernel';
import type { EnclosingSubjects } from '#lib/tool-call';
import { inAutomationRun } from '../domain/automation.js';
import { automationRunEntity } from './automation.entity.js';

const RUN = automationRunEntity.pick('id', 'automationId');

/** The runs of automations that made calls, in PostgreSQL. */
export class SqlEnclosingSubjects implements EnclosingSubjects {
  async of(tx: Tx, id: ToolCallId): Promise<readonly SubjectRef[]> {
    const [run] = await sqlOf(tx).query<object>(
      `select ${RUN.columns('run')} from automation_step_run step
         join automation_run run on run.tenant_id = step.tenant_id and run.id = step.run_id
        where step.tenant_id = $1 and step.call_id = $2 limit 1`,
      [tx.tenantId, id],
    );
    return run === undefined ? [] : inAutomationRun(RUN.row(run));
  }
}
