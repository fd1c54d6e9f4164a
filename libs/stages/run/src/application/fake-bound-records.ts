import type { PlanSubjects } from '#lib/approval';
import type { HaltReader } from '#lib/halt';
import type { Tx } from '#lib/kernel';
import { invocationsOf } from '#lib/plan';
import type { Run } from '../domain/run.js';
import type { ActiveHalt, BoundRecords, LockedRecords } from './bound-records.port.js';
import { agentsOf } from './run.ports.js';
import type { RunRepository } from './run.repository.js';

/** Gathers the records of a run from the fakes of the earlier stages. */
export class FakeBoundRecords implements BoundRecords {
  constructor(
    private readonly subjects: PlanSubjects,
    private readonly runs: RunRepository,
    private readonly halts: Pick<HaltReader, 'active'>,
  ) {}

  async lock(tx: Tx, { id, planId, environmentId }: Run): Promise<LockedRecords | null> {
    const subject = (await this.subjects.hold(tx, planId))?.subject ?? null;
    const run = await this.runs.lock(tx, id);
    if (subject === null || run === null) return null;
    const attempts = await this.runs.attempts(tx, id);
    const steps = await this.runs.steps(tx, id);
    const tools = [...new Set(invocationsOf(subject.plan.expanded).map(({ tool }) => tool.name))];
    const halts = new Map<string, ActiveHalt>();
    for (const tool of tools) {
      const scope = { environmentId, agentIds: agentsOf({ subject }), tools: [tool] };
      for (const halt of await this.halts.active(tx, scope)) {
        halts.set(halt.id, { ...halt, tool: halt.kind === 'tool' ? tool : null });
      }
    }
    return {
      run,
      now: await tx.now(),
      subject,
      ahead: await this.runs.stepsAhead(tx, id),
      inFlight: steps.flatMap((step) =>
        attempts.filter(
          (attempt) => step.leaseUntil !== null && attempt.stepId === step.id && attempt.fence === step.fence,
        ),
      ),
      halts: [...halts.values()],
    };
  }

  async lockToAdvance(tx: Tx, run: Run): Promise<LockedRecords | null> {
    return (await this.runs.lockToAdvance(tx, run.id)) === null ? null : this.lock(tx, run);
  }
}
