import type { Json } from '#lib/canonical';
import type { SealedRow, Tx } from '#lib/kernel';
import { incidentOf, requestOf, type Run } from '../domain/run.js';

/** The columns of a run that name its plan and its authority. Progress changes with every step, and is left out. */
export const sealedRun = (tx: Tx, run: Run): SealedRow => ({
  table: 'run',
  tenantId: tx.tenantId,
  id: run.id,
  columns: {
    task_id: run.taskId,
    plan_id: run.planId,
    plan_digest: run.planDigest,
    environment_id: run.environmentId,
    approval_request_id: requestOf(run),
    incident_id: incidentOf(run),
    decision_id: run.decisionId,
    // As a column of JSON gives it back.
    approved_terms: JSON.parse(JSON.stringify(run.approvedTerms)) as Json,
    phases: run.phases,
    // The same.
    started_by: JSON.parse(JSON.stringify(run.startedBy)) as Json,
  },
});
