import type { AutomationDocument } from '#lib/formats';
import { actorOf, type Tx } from '#lib/kernel';
import type { Automation } from '../domain/automation.js';
import { defaultInputs } from '../domain/automation-inputs.js';
import { missedTimes } from '../domain/missed-times.js';
import { dueOccurrences, nextOccurrence, schedulesOf } from '../domain/occurrences.js';
import { automationWorker, type AutomationJournal } from './automation-journal.js';
import type { AutomationRepository } from './automation.ports.js';
import type { StartAutomationRun } from './start-automation-run.js';

/** Starts the runs that are due by the schedules of an automation. For a series of missed times it keeps one run that was left out. */
export class SettleTimes {
  constructor(
    private readonly automations: Pick<AutomationRepository, 'saveCourse'>,
    private readonly starting: StartAutomationRun,
    private readonly journal: AutomationJournal,
  ) {}

  /** @param automation an enabled one, locked, with its document. */
  async execute(tx: Tx, automation: Automation, document: AutomationDocument, now: number): Promise<void> {
    const schedules = schedulesOf(document);
    const { starts, missed } = dueOccurrences(schedules, { from: automation.lookedUntil ?? now, now });
    await this.automations.saveCourse(tx, { ...automation, lookedUntil: now, nextAt: nextOccurrence(schedules, now) });
    const inputs = defaultInputs(document.inputs);
    const start = (dueAt: number, late = {}) =>
      this.starting.execute(tx, automation, document, { occurrence: occurrenceAt(dueAt), dueAt, now, inputs, ...late });
    const latest = missed.at(-1);
    if (latest !== undefined) {
      await start(latest, { fault: missedTimes(missed.length, latest) });
      const data = { latest: new Date(latest).toISOString(), times: missed.length };
      await this.journal.record(tx, automation, 'automation.missed', actorOf(automationWorker(tx.tenantId)), data);
    }
    for (const dueAt of starts) await start(dueAt);
  }
}

const occurrenceAt = (dueAt: number): string => `cron:${new Date(dueAt).toISOString()}`;
