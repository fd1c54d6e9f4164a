import type { JsonObject } from '#lib/canonical';
import { actorOf, type Actor, type AuditSink, type Principal, type TenantId, type Tx } from '#lib/kernel';
import { inAutomation, inAutomationRun, type Automation, type AutomationRun } from '../domain/automation.js';

/** Countersign itself, as it carries out automations. */
export const automationWorker = (tenantId: TenantId): Principal => ({
  ...{ kind: 'system', tenantId, name: 'automation' },
});

type AutomationAction =
  | 'automation.proposed'
  | 'automation.withdrawn'
  | 'automation.changed'
  | 'automation.enabled'
  | 'automation.disabled'
  | 'automation.secret_rotated'
  | 'automation.paused'
  | 'automation.missed';

type RunAction =
  | 'automation_run.queued'
  | 'automation_run.skipped'
  | 'automation_run.started'
  | 'automation_run.step_called'
  | 'automation_run.step_ended'
  | 'automation_run.step_blocked'
  | 'automation_run.completed'
  | 'automation_run.failed';

/** Records automations and the course of their runs. */
export class AutomationJournal {
  constructor(private readonly audit: AuditSink) {}

  record(tx: Tx, automation: Automation, action: AutomationAction, by: Actor, data: JsonObject = {}): Promise<void> {
    const { id, name, environment, state, revision, identity } = automation;
    return this.audit.record(tx, {
      action,
      actor: by,
      level: 'full',
      subject: { type: 'automation', id },
      within: inAutomation(automation),
      payload: {
        ...{ name, environment: environment.name, state, revision: revision.number },
        source_sha256: revision.sha256,
        owner_id: identity?.ownerId ?? null,
        agent_id: identity?.agentId ?? null,
        ...data,
      },
    });
  }

  recordRun(
    tx: Tx,
    run: AutomationRun,
    action: RunAction,
    data: JsonObject = {},
    by: Principal = automationWorker(tx.tenantId),
  ): Promise<void> {
    return this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'full',
      subject: { type: 'automation_run', id: run.id },
      within: inAutomationRun(run),
      payload: {
        ...{ state: run.state, revision: run.revision, occurrence: run.occurrence },
        ...(run.fault === null ? {} : { error: { ...run.fault } }),
        ...data,
      },
    });
  }
}
