import type { ApprovalRepository } from '#lib/approval';
import type { AutonomyDocument, PlanDocument } from '#lib/formats';
import type { DispatchOrder, DispatchOutcome } from '#lib/dispatch';
import {
  type AgentPrincipal,
  newId,
  type PersonPrincipal,
  type PlanId,
  type Principal,
  type RunId,
  type Tx,
} from '#lib/kernel';
import type { Run } from '../domain/run.js';
import { APPROVED_IN_STAGING, type ApproversOfRuns } from '../fake-run-approvals.js';
import { dieAfterSending, Died, newHost, phase, step } from '../fake-run-documents.js';
import type { BoundRecords, LockedRecords } from './bound-records.port.js';
import type { RunRepository } from './run.repository.js';

/** The world in which the contract is held. A plan is of staging, and its calls go to the executor `fleet`. */
export interface BoundRecordsWorld {
  readonly bound: BoundRecords;
  readonly runs: Pick<RunRepository, 'find' | 'stepsAhead' | 'attempts'>;
  readonly requests: Pick<ApprovalRepository, 'find' | 'reviews'>;
  readonly approvals: ApproversOfRuns;
  readonly agent: AgentPrincipal;
  readonly person: PersonPrincipal;
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  plan(document: PlanDocument): Promise<PlanId>;
  start(by: Principal, planId: PlanId): Promise<Run>;
  settle(id: RunId): Promise<Run>;
  behave(behaviour: (order: DispatchOrder) => Promise<DispatchOutcome> | DispatchOutcome): void;
  autonomy(document: AutonomyDocument): void | Promise<void>;
  halt(target: { readonly kind: 'tool'; readonly tool: string }): Promise<{ readonly id: string }>;
  /** Makes the run one that Countersign did not write. */
  forge(id: RunId): Promise<void>;
  close(): Promise<void>;
}

/** A freeze in a time to come, which asks at each step for the roles of the starter. */
export const FREEZE_TO_COME: AutonomyDocument = {
  ...APPROVED_IN_STAGING,
  freezes: [{ name: 'later', time_zone: 'UTC', from: '2190-01-01T00:00', until: '2190-01-02T00:00' }],
};

/** The contract of {@link BoundRecords}. */
export function describeBoundRecords(name: string, open: () => Promise<BoundRecordsWorld>): void {
  describe(`${name}: the records before a run`, () => {
    let world: BoundRecordsWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const planned = (): Promise<PlanId> => world.plan({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    const started = async (by: Principal = world.agent): Promise<Run> => world.start(by, await planned());
    /** A run that these people approved, of a request that each of them reviewed. */
    const approvedBy = async (...people: readonly PersonPrincipal[]): Promise<Run> => {
      await world.autonomy(APPROVED_IN_STAGING);
      const planId = await planned();
      const requestId = await world.approvals.ask(world.agent, planId);
      for (const person of people) await world.approvals.approve(person, requestId);
      return world.start(world.agent, planId);
    };
    const lead = async (): Promise<PersonPrincipal> => world.approvals.person(world.agent, 'SRELead');
    const locked = async (run: Run): Promise<LockedRecords> => {
      const records = await world.tx((tx) => world.bound.lock(tx, run));
      if (records === null) throw new Error('the run is gone');
      return records;
    };
    const standing = ({ holders }: LockedRecords) =>
      Object.fromEntries(
        [...holders].map(([id, { disabled, roles }]) => [id, [disabled, roles.map(({ role }) => role)]]),
      );

    it('are its task, plan, tools and executors, and its steps ahead', async () => {
      const run = await started();
      const { now, ...records } = await locked(run);
      expect(now).toBeGreaterThanOrEqual(run.createdAt);
      expect(records).toMatchObject({
        run: await world.tx((tx) => world.runs.find(tx, run.id)),
        ahead: await world.tx((tx) => world.runs.stepsAhead(tx, run.id)),
        ...{ inFlight: [], halts: [], approval: null },
        subject: {
          task: { id: run.taskId, state: 'planned' },
          plan: { id: run.planId, digest: run.planDigest, state: 'validated' },
          environment: { id: run.environmentId, name: 'staging', production: false },
          simulation: null,
        },
      });
      expect(records.ahead).toHaveLength(2);
      expect(standing({ now, ...records })).toEqual({});
      const { tools, executors } = records.subject.registry;
      expect([[...tools.keys()], [...executors.keys()]]).toEqual([['deploy'], ['fleet']]);
    });

    it('are the attempt in flight, until its answer is written', async () => {
      const run = await started();
      world.behave(dieAfterSending);
      await expect(world.settle(run.id)).rejects.toThrow(Died);
      const attempts = await world.tx((tx) => world.runs.attempts(tx, run.id));
      expect(attempts).toHaveLength(1);
      expect((await locked(run)).inFlight).toEqual(attempts);
    });

    it('are the request and the reviews that count, with the reviewer', async () => {
      const reviewer = await lead();
      const run = await approvedBy(reviewer);
      if (run.authority.kind !== 'approval') throw new Error(`by ${run.authority.kind}`);
      const { requestId } = run.authority;
      for (const _time of ['first', 'kept']) {
        const records = await locked(run);
        expect(records.approval).toEqual({
          request: await world.tx((tx) => world.requests.find(tx, requestId)),
          reviews: await world.tx((tx) => world.requests.reviews(tx, requestId)),
          absences: [],
        });
        expect(records.approval?.reviews).toMatchObject([{ personId: reviewer.personId, verdict: 'approve' }]);
        expect(standing(records)).toEqual({ [reviewer.personId]: [false, ['SRELead']] });
      }
    });

    it('are the roles and the standing of a reviewer now', async () => {
      const reviewer = await lead();
      const run = await approvedBy(reviewer);
      await locked(run);
      await world.approvals.revoke(reviewer, 'SRELead');
      expect(standing(await locked(run))).toEqual({ [reviewer.personId]: [false, []] });
      await world.approvals.disable(reviewer);
      expect(standing(await locked(run))).toEqual({ [reviewer.personId]: [true, []] });
    });

    it('are the absence behind a delegated vote, and the absent person', async () => {
      const [absent, delegate] = [await lead(), await world.approvals.person(world.agent, 'DevOpsEngineer')];
      await world.approvals.handOver(absent, delegate);
      // Another person is away, too. No vote is for them.
      await world.approvals.handOver(await lead(), delegate);
      const records = await locked(await approvedBy(delegate));
      expect(records.approval?.reviews).toMatchObject([{ personId: delegate.personId, delegatedBy: absent.personId }]);
      expect(records.approval?.absences).toMatchObject([
        { personId: absent.personId, delegateId: delegate.personId, roles: ['SRELead'], endedAt: null },
      ]);
      expect(standing(records)).toEqual({
        [absent.personId]: [false, ['SRELead']],
        [delegate.personId]: [false, ['DevOpsEngineer']],
      });
    });

    it('are the starter only if a freeze asks for their roles', async () => {
      const starter = await lead();
      const run = await started(starter);
      const byAgent = await started();
      expect(standing(await locked(run))).toEqual({});
      await world.autonomy(FREEZE_TO_COME);
      expect(standing(await locked(run))).toEqual({ [starter.personId]: [false, ['SRELead']] });
      expect(standing(await locked(byAgent))).toEqual({});
    });

    it('are the halts of its tools', async () => {
      const run = await started();
      const { id } = await world.halt({ kind: 'tool', tool: 'deploy' });
      await world.halt({ kind: 'tool', tool: 'check' });
      expect((await locked(run)).halts).toEqual([{ id, kind: 'tool', tool: 'deploy' }]);
    });

    it('are null if the run is gone', async () => {
      const run = await started();
      expect(await world.tx((tx) => world.bound.lock(tx, { ...run, id: newId<RunId>() }))).toBeNull();
      expect(await world.tx((tx) => world.bound.lockToAdvance(tx, { ...run, id: newId<RunId>() }))).toBeNull();
    });

    it('are refused to the sender of its calls if Countersign did not write the run', async () => {
      const run = await started();
      await world.forge(run.id);
      expect((await locked(run)).run.id).toBe(run.id);
      await expect(world.tx((tx) => world.bound.lockToAdvance(tx, run))).rejects.toMatchObject({
        failure: { code: 'record.not_authentic' },
      });
    });
  });
}
