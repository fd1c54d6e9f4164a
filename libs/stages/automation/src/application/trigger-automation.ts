import {
  actorOf,
  newId,
  unlessNotAuthentic,
  type AutomationId,
  type AutomationRunId,
  type JobQueue,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { AutomationDocument } from '#lib/formats';
import { MAX_QUEUED, type Automation, type AutomationFault, type AutomationRun } from '../domain/automation.js';
import { dueOccurrences, nextOccurrence } from '../domain/occurrences.js';
import { readAutomation, unreadable } from '../domain/read-automation.js';
import { automationWorker, type AutomationJournal } from './automation-journal.js';
import type { AutomationRepository, AutomationRunRepository } from './automation.ports.js';
import type { PauseAutomation } from './pause-automation.js';

/**
 * Starts the runs that are due by the schedules of an automation. Its row is locked, and each occurrence is a key of its runs: of
 * several workers one starts it, and once, also if that worker is killed. An automation whose source this version cannot read is paused.
 */
export class TriggerAutomation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: AutomationRepository,
    private readonly runs: AutomationRunRepository,
    private readonly jobs: JobQueue,
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
    const { triggers } = read.value;
    const { starts, missed } = dueOccurrences(triggers, { from: automation.lookedUntil ?? now, now });
    await this.automations.saveCourse(tx, { ...automation, lookedUntil: now, nextAt: nextOccurrence(triggers, now) });
    for (const dueAt of starts) await this.#start(tx, automation, read.value, { dueAt, now });
    const by = actorOf(automationWorker(tx.tenantId));
    for (const at of missed)
      await this.journal.record(tx, automation, 'automation.missed', by, { latest: new Date(at).toISOString() });
    return true;
  }

  async #start(
    tx: Tx,
    automation: Automation,
    { overlap }: AutomationDocument,
    { dueAt, now }: { readonly dueAt: number; readonly now: number },
  ): Promise<void> {
    const open = await this.runs.open(tx, automation.id);
    const fault = overlapping(overlap, open);
    const run: AutomationRun = {
      id: newId<AutomationRunId>(),
      automationId: automation.id,
      version: automation.version,
      revision: automation.revision.number,
      occurrence: `cron:${new Date(dueAt).toISOString()}`,
      dueAt,
      state: fault === null ? 'queued' : 'skipped',
      position: 0,
      callId: null,
      fault,
      createdAt: now,
      finishedAt: fault === null ? null : now,
    };
    if (!(await this.runs.insert(tx, run))) return;
    await this.journal.recordRun(tx, run, fault === null ? 'automation_run.queued' : 'automation_run.skipped');
    if (fault === null && open.length === 0) await this.jobs.enqueue(tx, 'automation.advance', run.id);
  }
}

/** Why a run is left out because of those before it, or null. */
function overlapping(overlap: AutomationDocument['overlap'], open: readonly AutomationRun[]): AutomationFault | null {
  const [first] = open;
  if (first === undefined) return null;
  if (overlap === 'skip')
    return { code: 'automation.overlap', message: `The run ${first.id} had not ended when this one was due` };
  if (open.filter(({ state }) => state === 'queued').length < MAX_QUEUED) return null;
  return { code: 'automation.queue_full', message: `${String(MAX_QUEUED)} runs waited already when this one was due` };
}
