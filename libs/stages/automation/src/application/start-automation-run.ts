import type { AutomationDocument } from '#lib/formats';
import { newId, type AutomationRunId, type JobQueue, type Principal, type Tx } from '#lib/kernel';
import { MAX_QUEUED, type Automation, type AutomationFault, type AutomationRun } from '../domain/automation.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRunRepository } from './automation.ports.js';

/** The occasion of a run. Times are epoch milliseconds. */
export interface Occurrence extends Pick<AutomationRun, 'occurrence' | 'inputs' | 'dueAt'> {
  readonly now: number;
  /** The reason why it is left out from the start. */
  readonly fault?: AutomationFault;
  /** The caller who asked for it. */
  readonly by?: Principal;
}

/** Makes the run of an occurrence of an automation that is enabled and locked. Of one occurrence there is one run. */
export class StartAutomationRun {
  constructor(
    private readonly runs: AutomationRunRepository,
    private readonly jobs: JobQueue,
    private readonly journal: AutomationJournal,
  ) {}

  /** @returns the run, left out on record if one before it goes on; null if the occurrence has one already. */
  async execute(
    tx: Tx,
    automation: Automation,
    { overlap }: Pick<AutomationDocument, 'overlap'>,
    { occurrence, inputs, dueAt, now, fault: wrong, by }: Occurrence,
  ): Promise<AutomationRun | null> {
    const open = await this.runs.open(tx, automation.id);
    const fault = wrong ?? overlapping(overlap, open);
    const run: AutomationRun = {
      id: newId<AutomationRunId>(),
      automationId: automation.id,
      version: automation.version,
      revision: automation.revision.number,
      occurrence,
      inputs,
      dueAt,
      state: fault === null ? 'queued' : 'skipped',
      position: 0,
      callId: null,
      fault,
      createdAt: now,
      finishedAt: fault === null ? null : now,
    };
    if (!(await this.runs.insert(tx, run))) return null;
    const action = fault === null ? 'automation_run.queued' : 'automation_run.skipped';
    await this.journal.recordRun(tx, run, action, { inputs }, by);
    if (fault === null && open.length === 0) await this.jobs.enqueue(tx, 'automation.advance', run.id);
    return run;
  }
}

/** The reason why a run is left out because of those before it, or null. */
function overlapping(overlap: AutomationDocument['overlap'], open: readonly AutomationRun[]): AutomationFault | null {
  const [first] = open;
  if (first === undefined) return null;
  if (overlap === 'skip')
    return { code: 'automation.overlap', message: `The run ${first.id} had not ended when this one was due` };
  if (open.filter(({ state }) => state === 'queued').length < MAX_QUEUED) return null;
  return { code: 'automation.queue_full', message: `${String(MAX_QUEUED)} runs waited already when this one was due` };
}
