import {
  type AbsenceRepository,
  type ApprovalRepository,
  approvedBy,
  type Holders,
  type People,
  type PlanSubjects,
} from '#lib/approval';
import type { HaltReader } from '#lib/halt';
import type { PersonId, Tx } from '#lib/kernel';
import { invocationsOf } from '#lib/plan';
import { requestOf, type Run } from '../domain/run.js';
import type { ActiveHalt, BoundRecords, LockedRecords } from './bound-records.port.js';
import { agentsOf } from './run.ports.js';
import type { RunRepository } from './run.repository.js';

/** The fakes of the earlier stages. */
interface BoundFakes {
  readonly subjects: PlanSubjects;
  readonly runs: RunRepository;
  readonly halts: Pick<HaltReader, 'active'>;
  readonly approvalRows: {
    readonly requests: ApprovalRepository;
    readonly people: People;
    readonly absences: AbsenceRepository;
  };
}

/** Gathers the records of a run from the fakes of the earlier stages. */
export class FakeBoundRecords implements BoundRecords {
  constructor(private readonly fakes: BoundFakes) {}

  async lock(tx: Tx, { id, planId, environmentId }: Run): Promise<LockedRecords | null> {
    const { subjects, runs, halts } = this.fakes;
    const subject = (await subjects.hold(tx, planId))?.subject ?? null;
    const run = await runs.lock(tx, id);
    if (subject === null || run === null) return null;
    const attempts = await runs.attempts(tx, id);
    const steps = await runs.steps(tx, id);
    const tools = [...new Set(invocationsOf(subject.plan.expanded).map(({ tool }) => tool.name))];
    const active = new Map<string, ActiveHalt>();
    for (const tool of tools) {
      const scope = { environmentId, agentIds: agentsOf({ subject }), tools: [tool] };
      for (const halt of await halts.active(tx, scope)) {
        active.set(halt.id, { ...halt, tool: halt.kind === 'tool' ? tool : null });
      }
    }
    const approval = await this.#approval(tx, run);
    return {
      run,
      now: await tx.now(),
      subject,
      ahead: await runs.stepsAhead(tx, id),
      inFlight: steps.flatMap((step) =>
        attempts.filter(
          (attempt) => step.leaseUntil !== null && attempt.stepId === step.id && attempt.fence === step.fence,
        ),
      ),
      halts: [...active.values()],
      approval,
      holders: await this.#holders(tx, [
        ...(approval === null ? [] : approvedBy(approval)),
        ...(run.authority.kind === 'break_glass' || subject.autonomy.document?.freezes !== undefined
          ? // The id of another actor finds no person.
            [run.startedBy.id as PersonId]
          : []),
      ]),
    };
  }

  async lockToAdvance(tx: Tx, run: Run): Promise<LockedRecords | null> {
    return (await this.fakes.runs.lockToAdvance(tx, run.id)) === null ? null : this.lock(tx, run);
  }

  async #approval(tx: Tx, run: Run): Promise<LockedRecords['approval']> {
    const { requests, absences } = this.fakes.approvalRows;
    const requestId = requestOf(run);
    const request = requestId === null ? null : await requests.find(tx, requestId);
    if (request === null) return null;
    const reviews = await requests.reviews(tx, request.id);
    const delegated = reviews.filter(({ verdict, delegatedBy }) => verdict === 'approve' && delegatedBy !== null);
    const handed = await absences.handedTo(
      tx,
      delegated.map(({ personId }) => personId),
    );
    return {
      request,
      reviews,
      absences: handed.filter((absence) =>
        delegated.some(
          ({ personId, delegatedBy }) => absence.delegateId === personId && absence.personId === delegatedBy,
        ),
      ),
    };
  }

  async #holders(tx: Tx, ids: readonly PersonId[]): Promise<Holders> {
    const people = await this.fakes.approvalRows.people.standing(tx, ids);
    return new Map([...people].map(([id, { personId, disabled, roles }]) => [id, { personId, disabled, roles }]));
  }
}
