import { actorOf, type Outbox, type Tx } from '#lib/kernel';
import type { Automation, AutomationFault } from '../domain/automation.js';
import { automationWorker, type AutomationJournal } from './automation-journal.js';
import type { AutomationRepository } from './automation.ports.js';

/** Pauses an automation, and tells the person who answers for it why. */
export class PauseAutomation {
  constructor(
    private readonly automations: Pick<AutomationRepository, 'save' | 'saveCourse'>,
    private readonly outbox: Outbox,
    private readonly journal: AutomationJournal,
  ) {}

  /** @param automation an enabled one, locked. */
  async execute(tx: Tx, automation: Automation, fault: AutomationFault): Promise<void> {
    const still = { state: 'paused', lookedUntil: null, nextAt: null, listensFrom: null } as const;
    const paused: Automation = { ...automation, ...still, version: automation.version + 1 };
    await this.automations.save(tx, paused);
    await this.automations.saveCourse(tx, paused);
    const by = actorOf(automationWorker(tx.tenantId));
    const data = { failures: automation.failures, error: { code: fault.code, message: fault.message } };
    await this.journal.record(tx, paused, 'automation.paused', by, data);
    const payload = { automation_id: automation.id, why: fault.message };
    await this.outbox.write(tx, { topic: 'automation.paused', payload });
  }
}
