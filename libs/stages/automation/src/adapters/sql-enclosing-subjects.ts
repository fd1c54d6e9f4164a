import { sqlOf } from '#lib/database';
import type { SubjectRef, ToolCallId, Tx } from '#lib/kernel';
import type { EnclosingSubjects } from '#lib/tool-call';
import { inAutomationRun } from '../domain/automation.js';
import { automationRunEntity, automationStepRunEntity } from './automation.entity.js';

const RUN = automationRunEntity.as('run');
const STEP = automationStepRunEntity.as('step');

const RUN_ROW = automationRunEntity.pick('id', 'automationId');

/** The runs of automations that made calls, in PostgreSQL. */
export class SqlEnclosingSubjects implements EnclosingSubjects {
  async of(tx: Tx, id: ToolCallId): Promise<readonly SubjectRef[]> {
    const [run] = await sqlOf(tx).query<object>(
      `select ${RUN_ROW.columns('run')} from automation_step_run step
         join automation_run run on run.tenant_id = step.tenant_id and ${RUN.id} = ${STEP.runId}
        where step.tenant_id = $1 and ${STEP.callId} = $2 limit 1`,
      [tx.tenantId, id],
    );
    return run === undefined ? [] : inAutomationRun(RUN_ROW.row(run));
  }
}
