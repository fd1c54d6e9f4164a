import type { AutomationDocument, AutomationStep } from '#lib/formats';
import type { AutomationRunId, JobQueue, Outbox, Tx } from '#lib/kernel';
import type { Automation, AutomationFault, AutomationRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRepository, AutomationRunRepository } from './automation.ports.js';
import type { PauseAutomation } from './pause-automation.js';

/** A run that ends before the step at its position. */
export interface EndingRun {
  readonly automation: Automation;
  readonly document: AutomationDocument;
  readonly run: AutomationRun;
  readonly now: number;
}

/** A run that people stopped, with the source that it carried out. Null if that source cannot be read any more. */
interface StoppedRun extends Pick<EndingRun, 'run' | 'now'> {
  readonly document: AutomationDocument | null;
}

/**
 * Ends runs, and lets the next one begin. After a failure the notify steps are still carried out, but not after people stopped the run.
 * An automation that fails as often in a row as its document allows is paused, and its owner is told. A full hour is no failure of its own.
 */
export class EndAutomationRun {
  constructor(
    private readonly automations: Pick<AutomationRepository, 'saveCourse'>,
    private readonly runs: AutomationRunRepository,
    private readonly jobs: JobQueue,
    private readonly outbox: Outbox,
    private readonly journal: AutomationJournal,
    private readonly pausing: PauseAutomation,
  ) {}

  async completed(tx: Tx, { automation, document, run, now }: EndingRun): Promise<void> {
    for (const [seq, step] of restOf(document, run)) await this.#skip(tx, run, seq, step, now);
    const ended: AutomationRun = { ...run, state: 'completed', callId: null, finishedAt: now };
    await this.runs.save(tx, ended);
    await this.automations.saveCourse(tx, { ...automation, failures: 0 });
    await this.journal.recordRun(tx, ended, 'automation_run.completed');
    await this.next(tx, run.automationId, run.id);
  }

  async failed(tx: Tx, { automation, document, run, now }: EndingRun, fault: AutomationFault): Promise<void> {
    for (const [seq, step] of restOf(document, run)) {
      if (step.type === 'notify') await this.#notify(tx, run, seq, step, now);
      else await this.#skip(tx, run, seq, step, now);
    }
    await this.#fail(tx, run, fault, now);
    if (isOfItsOwn(fault)) await this.#count(tx, automation, document, fault);
    await this.next(tx, run.automationId, run.id);
  }

  /** A source that this version cannot read: no run could succeed, so its automation is paused at once. */
  async unreadable(
    tx: Tx,
    { automation, run, now }: Omit<EndingRun, 'document'>,
    fault: AutomationFault,
  ): Promise<void> {
    await this.#fail(tx, run, fault, now);
    await this.pausing.execute(tx, { ...automation, failures: automation.failures + 1 }, fault);
    await this.next(tx, run.automationId, run.id);
  }

  /** That is no failure of the automation: none is counted, and its notify steps are left out. */
  async stopped(tx: Tx, { document, run, now }: StoppedRun, fault: AutomationFault): Promise<void> {
    for (const [seq, step] of document === null ? [] : restOf(document, run)) await this.#skip(tx, run, seq, step, now);
    await this.#fail(tx, run, fault, now);
    await this.next(tx, run.automationId, run.id);
  }

  /** Lets the first run that is open go on, which waited behind another one. */
  async next(tx: Tx, automationId: AutomationId, behind: AutomationRunId): Promise<void> {
    const [first] = await this.runs.open(tx, automationId);
    if (first !== undefined && first.id !== behind) await this.jobs.enqueue(tx, 'automation.advance', first.id);
  }

  async #fail(tx: Tx, run: AutomationRun, fault: AutomationFault, now: number): Promise<void> {
    const ended: AutomationRun = { ...run, state: 'failed', callId: null, fault, finishedAt: now };
    await this.runs.save(tx, ended);
    await this.journal.recordRun(tx, ended, 'automation_run.failed');
  }

  async #notify(tx: Tx, run: AutomationRun, seq: number, step: AutomationStep, now: number): Promise<void> {
    await this.outbox.write(tx, { topic: 'automation.notified', payload: { run_id: run.id, step: step.id } });
    await this.runs.insertStep(tx, { ...ended(run, seq, step, now), state: 'succeeded' });
  }

  async #count(
    tx: Tx,
    automation: Automation,
    { pause_after: most }: AutomationDocument,
    fault: AutomationFault,
  ): Promise<void> {
    const failures = automation.failures + 1;
    await this.automations.saveCourse(tx, { ...automation, failures });
    if (automation.state === 'enabled' && failures >= most)
      await this.pausing.execute(tx, { ...automation, failures }, fault);
  }

  #skip(tx: Tx, run: AutomationRun, seq: number, step: AutomationStep, now: number): Promise<void> {
    return this.runs.insertStep(tx, { ...ended(run, seq, step, now), state: 'skipped' });
  }
}

/** Faults of a full hour: a call was not made in time, or beyond a budget. Later the same automation may do well. */
const PASSING: ReadonlySet<string> = new Set(['tool_call.expired', 'tool_call.budget_spent', 'tool_call.turn_full']);

const isOfItsOwn = ({ code }: AutomationFault): boolean => !PASSING.has(code);

const restOf = ({ steps }: AutomationDocument, { position }: AutomationRun): [number, AutomationStep][] =>
  steps.slice(position).map((step, index) => [position + index, step]);

const ended = (run: AutomationRun, seq: number, { id, type }: AutomationStep, now: number) => ({
  ...{ runId: run.id, seq, step: id, type, fault: null, callId: null, startedAt: now, finishedAt: now },
});
