import { unlessNotAuthentic, type AutomationRunId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { MAX_EXECUTING, type Automation, type AutomationFault, type AutomationRun } from '../domain/automation.js';
import { readAutomation, unreadable } from '../domain/read-automation.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRepository, AutomationRunRepository, CallEnds } from './automation.ports.js';
import type { CarryOutStep, Course, Next } from './carry-out-step.js';
import type { EndAutomationRun } from './end-automation-run.js';
import type { NoteCallEnd } from './note-call-end.js';

export interface AdvanceAutomationRunDeps {
  readonly uow: UnitOfWork;
  readonly automations: AutomationRepository;
  readonly runs: AutomationRunRepository;
  readonly callEnds: CallEnds;
  readonly noting: NoteCallEnd;
  readonly steps: CarryOutStep;
  readonly ending: EndAutomationRun;
  readonly journal: AutomationJournal;
}

/**
 * Carries a run on until it waits for a call or ends. It is one transaction, under the locks of its automation and
 * itself. The policies are asked at every call. A call leaves by its own job; its row says that the run is due again.
 * So a worker may die at any moment, and no step starts twice.
 */
export class AdvanceAutomationRun {
  constructor(private readonly deps: AdvanceAutomationRunDeps) {}

  /** @returns whether there was something to do. */
  execute(tenantId: TenantId, id: AutomationRunId): Promise<boolean> {
    const { uow } = this.deps;
    return unlessNotAuthentic(
      uow.run(tenantId, (tx) => this.#advance(tx, id)),
      () => uow.run(tenantId, (tx) => this.#passBy(tx, id)),
    );
  }

  async #advance(tx: Tx, id: AutomationRunId): Promise<boolean> {
    const found = await this.deps.runs.find(tx, id);
    const automation = found && (await this.deps.automations.lock(tx, found.automationId));
    const locked = automation && (await this.deps.runs.lock(tx, id));
    if (automation === null || locked === null || !(await this.#isDue(tx, locked))) return false;
    const now = await tx.now();
    const course = await this.#begin(tx, automation, locked, now);
    if (course === null) return true;
    let next: Next = { kind: 'on', run: course.run };
    while (next.kind === 'on') next = await this.deps.steps.execute(tx, course, next.run);
    return true;
  }

  /** A row that Countersign did not write keeps no true run from its turn. */
  async #passBy(tx: Tx, id: AutomationRunId): Promise<boolean> {
    const automationId = await this.deps.runs.automationOf(tx, id);
    if (automationId !== null) await this.deps.ending.next(tx, automationId, id);
    return false;
  }

  /** A run waits for its call, for the run before it, or for room among the runs of its tenant. */
  async #isDue(tx: Tx, run: AutomationRun): Promise<boolean> {
    if (run.state === 'executing') return run.callId === null || (await this.deps.callEnds.of(tx, run.callId)) !== null;
    if (run.state !== 'queued') return false;
    const [first] = await this.deps.runs.open(tx, run.automationId);
    return first?.id === run.id && (await this.deps.runs.countExecuting(tx)) < MAX_EXECUTING;
  }

  /** Null if the run ends here. */
  async #begin(
    tx: Tx,
    automation: Automation,
    found: AutomationRun,
    now: number,
  ): Promise<(Course & { readonly run: AutomationRun }) | null> {
    const fault = stopped(automation, found);
    if (fault !== null) {
      await this.#stop(tx, automation, found, fault, now);
      return null;
    }
    const read = readAutomation(automation.revision.source, now);
    if (!read.ok) {
      await this.deps.noting.execute(tx, found, now);
      await this.deps.ending.unreadable(tx, { automation, run: found, now }, unreadable(read.error));
      return null;
    }
    const run: AutomationRun = { ...found, state: 'executing' };
    if (found.state === 'queued') {
      await this.deps.runs.save(tx, run);
      await this.deps.journal.recordRun(tx, run, 'automation_run.started');
    }
    return { automation, document: read.value, now, run };
  }

  /** Ends a run that goes no further, with the steps of the source that it carried out. */
  async #stop(tx: Tx, { id }: Automation, run: AutomationRun, fault: AutomationFault, now: number): Promise<void> {
    const source = await this.deps.automations.source(tx, id, run.revision);
    const read = source === null ? null : readAutomation(source, now);
    const called = (await this.deps.noting.execute(tx, run, now)) !== null;
    const left = called ? { ...run, position: run.position + 1, callId: null } : run;
    await this.deps.ending.stopped(tx, { document: read?.ok === true ? read.value : null, run: left, now }, fault);
  }
}

/**
 * The reason why a run goes no further. The automation was stopped since, even if it is enabled again, or its source
 * was replaced.
 */
function stopped({ state, version, revision }: Automation, run: AutomationRun): AutomationFault | null {
  if (state !== 'enabled')
    return { code: 'automation.not_enabled', message: `The automation is ${stateInWords(state)}` };
  if (version === run.version) return null;
  if (revision.number !== run.revision)
    return { code: 'automation.changed', message: 'The automation was changed before the run ended' };
  return {
    code: 'automation.not_enabled',
    message: 'The automation was stopped, and enabled again, before the run ended',
  };
}
