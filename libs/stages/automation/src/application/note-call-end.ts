import type { Tx } from '#lib/kernel';
import type { AutomationRun } from '../domain/automation.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRunRepository, CallEnd, CallEnds } from './automation.ports.js';

/** Notes the outcome of the call that a run waits for, in its step and in the audit log. */
export class NoteCallEnd {
  constructor(
    private readonly runs: Pick<AutomationRunRepository, 'steps' | 'saveStep'>,
    private readonly callEnds: CallEnds,
    private readonly journal: AutomationJournal,
  ) {}

  /** @returns null if there is no outcome yet, or no call. */
  async execute(tx: Tx, run: AutomationRun, now: number): Promise<CallEnd | null> {
    const end = run.callId === null ? null : await this.callEnds.of(tx, run.callId);
    if (end === null) return null;
    const fault = end.kind === 'failed' ? end.fault : null;
    const step = (await this.runs.steps(tx, run.id)).find(({ seq }) => seq === run.position);
    if (step === undefined) throw new Error(`the run ${run.id} waits for a call of no step`);
    await this.runs.saveStep(tx, { ...step, state: end.kind, fault, finishedAt: now });
    const data = { step: step.step, tool_call_id: run.callId, step_state: end.kind };
    await this.journal.recordRun(tx, run, 'automation_run.step_ended', {
      ...data,
      ...(fault && { error: { ...fault } }),
    });
    return end;
  }
}
