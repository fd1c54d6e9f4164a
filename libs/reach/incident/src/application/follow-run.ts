import type { Tx } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { FINISHED_RUN_STATES, type RunMoved, type RunMovedListener } from '#lib/run';
import type { IncidentJournal } from './incident-journal.js';
import type { IncidentRepository } from './incident.ports.js';

/** Adds each move of a run to the timeline of its incident, in the transaction of the move. */
export class FollowRun implements RunMovedListener {
  constructor(
    private readonly incidents: IncidentRepository,
    private readonly journal: IncidentJournal,
  ) {}

  async runMoved(tx: Tx, { run, type, actor, at }: RunMoved): Promise<void> {
    if (run.authority.kind !== 'break_glass') return;
    const incident = await this.incidents.lock(tx, run.authority.incidentId);
    if (incident === null) throw new Error(`the incident of run ${run.id} is gone`);
    const reason = run.reason === null ? null : { code: run.reason.code, message: run.reason.message };
    const next = await this.journal.record(tx, incident, {
      kind: 'run',
      actor,
      text:
        reason === null
          ? `The run is ${stateInWords(run.state)}.`
          : `The run is ${stateInWords(run.state)}: ${reason.message}`,
      data: { run_id: run.id, event: type, state: run.state, reason },
      at,
      notice: NOTIFIED.has(run.state) ? type : null,
    });
    await this.incidents.save(tx, next);
  }
}

/** The states of a run that people are notified of. */
const NOTIFIED: ReadonlySet<string> = new Set([...FINISHED_RUN_STATES, 'paused', 'rolling_back']);
