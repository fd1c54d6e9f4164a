import { actorOf, unlessNotAuthentic, type AutomationId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { defaultInputs } from '../domain/automation-inputs.js';
import { dueOccurrences, nextOccurrence, schedulesOf } from '../domain/occurrences.js';
import { readAutomation, unreadable } from '../domain/read-automation.js';
import { automationWorker, type AutomationJournal } from './automation-journal.js';
import type { AutomationRepository } from './automation.ports.js';
import type { PauseAutomation } from './pause-automation.js';
import type { StartAutomationRun } from './start-automation-run.js';

/**
 * Starts the runs that are due by the schedules of an automation. Its row is locked, and each occurrence is a key of its runs: of
 * several workers one starts it, and once, also if that worker is killed. An automation whose source this version cannot read is paused.
 */
export class TriggerAutomation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: AutomationRepository,
    private readonly starting: StartAutomationRun,
    private readonly journal: AutomationJournal,
    private readonly pausing: PauseAutomation,
  ) {}

  /** @returns whether the automation was due. */
  execute(tenantId: TenantId, id: AutomationId): Promise<boolean> {
    return unlessNotAuthentic(this.uow.run(tenantId, (tx) => this.#trigger(tx, id)));
  }

  async #trigger(tx: Tx, id: AutomationId): Promise<boolean> {
    const automation = await this.automations.lock(tx, id);
    const now = await tx.now();
    if (automation?.state !== 'enabled' || automation.nextAt === null || automation.nextAt > now) return false;
    const read = readAutomation(automation.revision.source, now);
    if (!read.ok) {
      await this.pausing.execute(tx, automation, unreadable(read.error));
      return true;
    }
    const schedules = schedulesOf(read.value);
    const { starts, missed } = dueOccurrences(schedules, { from: automation.lookedUntil ?? now, now });
    await this.automations.saveCourse(tx, { ...automation, lookedUntil: now, nextAt: nextOccurrence(schedules, now) });
    const inputs = defaultInputs(read.value.inputs);
    for (const dueAt of starts) {
      const occurrence = `cron:${new Date(dueAt).toISOString()}`;
      await this.starting.execute(tx, automation, read.value, { occurrence, dueAt, now, inputs });
    }
    const by = actorOf(automationWorker(tx.tenantId));
    for (const at of missed)
      await this.journal.record(tx, automation, 'automation.missed', by, { latest: new Date(at).toISOString() });
    return true;
  }
}
