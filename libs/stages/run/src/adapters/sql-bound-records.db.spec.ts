import { sqlOf } from '#lib/database';
import type { PersonPrincipal } from '#lib/kernel';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { type CountedStatements, countedStatements, perStep } from '../../../../../test/support/counted-statements.js';
import { worldOfFile } from '../../../../../test/support/run-documents.js';
import { runWorld } from '../../../../../test/support/run-world.js';
import { describeBoundRecords, FREEZE_TO_COME } from '../application/bound-records.contract.js';
import type { BoundRecords } from '../application/bound-records.port.js';
import type { Run } from '../domain/run.js';
import { APPROVED_IN_STAGING } from '../fake-run-approvals.js';
import { newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { SqlBoundRecords } from './sql-bound-records.js';

describeBoundRecords('in PostgreSQL', async () => {
  const world = await runWorld();
  expect(world.bound).toBeInstanceOf(SqlBoundRecords);
  return {
    ...world,
    start: async (by, planId) => valueOf(await world.start.execute(by, planId)),
    forge: async (id) => {
      await world.db.owner.query('update run set seal = $2 where id = $1', [id, FORGED_SEAL]);
    },
  };
});

const world = worldOfFile();

/** A run of so many steps that a lead approved, or somebody who stands in for the lead. */
async function approved(steps = 2, delegated = false, by: () => PersonPrincipal | null = () => null) {
  const lead = await world().approvals.person(world().agent, 'SRELead');
  const delegate = await world().approvals.person(world().agent, 'DevOpsEngineer');
  if (delegated) await world().approvals.handOver(lead, delegate);
  const calls = Array.from({ length: steps }, (_, index) => step(`s${String(index)}`));
  const planId = await world().plan({ phases: [phase('one', [newHost()], calls)] });
  const requestId = await world().approvals.ask(world().agent, planId);
  await world().approvals.approve(delegated ? delegate : lead, requestId);
  const run = valueOf(await world().start.execute(by() ?? world().agent, planId));
  return { run, requestId, lead, delegate };
}

const lock = (run: Run): ReturnType<BoundRecords['lock']> => world().tx((tx) => world().bound.lock(tx, run));

const REFUSED = { failure: { code: 'record.not_authentic' } };

describe('T42: the records behind an approved run', () => {
  beforeAll(() => world().autonomy(APPROVED_IN_STAGING));

  it.each([
    ['a request', 'approval_request', "headline = 'nothing to see'", 'id'],
    ['a review', 'review', "comment = 'looks good'", 'request_id'],
    ['the seal of a review', 'review', `seal = '${FORGED_SEAL}'`, 'request_id'],
  ])('are refused after %s was altered, though they were verified before', async (_which, table, columns, of) => {
    const { run, requestId } = await approved();
    expect((await lock(run))?.approval?.request.id).toBe(requestId);
    await behindItsBack(table, columns, of, requestId);
    await expect(lock(run)).rejects.toMatchObject(REFUSED);
    await expect(world().settle(run.id)).rejects.toMatchObject(REFUSED);
    expect(world().calls).toEqual([]);
  });

  it('count no role of a reviewer that Countersign did not assign', async () => {
    const { run, lead } = await approved();
    await behindItsBack('role_assignment', `seal = '${FORGED_SEAL}'`, 'person_id', lead.personId);
    expect((await lock(run))?.holders.get(lead.personId)).toMatchObject({ disabled: false, roles: [] });
  });

  it('count no absence that Countersign did not write', async () => {
    const { run, lead } = await approved(2, true);
    expect((await lock(run))?.approval?.absences).toHaveLength(1);
    await behindItsBack('absence', `seal = '${FORGED_SEAL}'`, 'person_id', lead.personId);
    expect((await lock(run))?.approval?.absences).toEqual([]);
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
  });

  /** As the owner of the table, without its triggers. */
  async function behindItsBack(table: string, columns: string, of: string, id: string): Promise<void> {
    const { owner } = world().db;
    await owner.query(`alter table ${table} disable trigger user`);
    await owner.query(`update ${table} set ${columns} where ${of} = $1`, [id]);
    await owner.query(`alter table ${table} enable trigger user`);
  }
});

describe('the decision on a step of an approved run', () => {
  it.each([
    ['approved by its reviewer', false],
    ['with a delegated vote', true],
  ])('%s has the facts that the ports of approval read', async (_how, delegated) => {
    await world().autonomy(FREEZE_TO_COME);
    const starter = await world().approvals.person(world().agent, 'SRELead');
    const { run, requestId } = await approved(2, delegated, () => starter);
    await world().settle(run.id);
    const [input] = await world().tx((tx) =>
      sqlOf(tx).query<{ approval: unknown; roles: unknown }>(
        `select input -> 'approval' as approval, input -> 'freeze' -> 'starter_roles' as roles from decision
          where subject_id = $1 and entrypoint = 'run_step' limit 1`,
        [run.id],
      ),
    );
    const facts = await world().tx(async (tx) => {
      const request = await world().requests.find(tx, requestId);
      if (request === null) throw new Error('the request is gone');
      const reviews = await world().requests.reviews(tx, requestId);
      const { reviewers } = await world().standing.reviewers(tx, { request, reviews });
      return { request, reviewers, roles: await world().standing.rolesOf(tx, run.startedBy) };
    });
    expect(input?.approval).toMatchObject({ id: requestId, state: 'consumed', reviewers: facts.reviewers });
    expect(facts.reviewers).toMatchObject([
      { roles: ['SRELead'], delegated_by: delegated ? expect.any(String) : null },
    ]);
    expect(input?.roles).toEqual(facts.roles);
    expect(facts.roles).toEqual(['SRELead']);
  });
});

describe('a dispatched step of an approved run', () => {
  it.each([
    ['under an approval', false, APPROVED_IN_STAGING],
    ['under an approval with a delegated vote', true, APPROVED_IN_STAGING],
    ['under an approval and a freeze, started by a person', false, FREEZE_TO_COME],
  ])('%s takes one transaction of 4 statements, however long its plan is', async (_how, delegated, document) => {
    await world().autonomy(document);
    const starter = await world().approvals.person(world().agent, 'SRELead');
    const driven = async (steps: number): Promise<CountedStatements> => {
      const { run } = await approved(steps, delegated, () => (document === FREEZE_TO_COME ? starter : null));
      const counted = await countedStatements(() => world().settle(run.id));
      expect((await world().run(run.id)).state).toBe('completed');
      return counted;
    };
    expect(await perStep(driven)).toEqual({ transactions: [1, 1], statements: [4, 4] });
  });
});
