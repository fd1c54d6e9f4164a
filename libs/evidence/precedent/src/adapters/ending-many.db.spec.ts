import { makeTenant } from '../../../../../test/database/arrange.js';
import { approvalWorld } from '../../../../../test/support/approval-world.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { keepPrecedent } from '../../../../../test/support/precedent-rows.js';
import { sqlOf } from '#lib/database';
import type { TenantId, Tx } from '#lib/kernel';

const ROUNDS = 50;

type Work = (tx: Tx) => Promise<void>;

/** Runs two transactions. Each does its second work after both have done their first. */
async function crossed(
  run: (work: Work) => Promise<void>,
  ...pairs: readonly (readonly [Work, Work])[]
): Promise<void> {
  let left = pairs.length;
  let release: (() => void) | undefined;
  const allBegan = new Promise<void>((resolve) => {
    release = resolve;
  });
  await Promise.all(
    pairs.map(([first, second]) =>
      run(async (tx) => {
        await first(tx);
        left -= 1;
        if (left === 0) release?.();
        await allBegan;
        await second(tx);
      }),
    ),
  );
}

describe('two transactions that end many requests with the same words, in opposite order', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  const gramsOf = async (tenant: TenantId, term: string): Promise<number> => {
    const { rows } = await db.owner.query<{ n: number }>(
      'select count(distinct gram)::integer as n from precedent_gram where tenant_id = $1 and term = $2',
      [tenant, term],
    );
    return rows[0]?.n ?? 0;
  };

  it('do not wait for each other', async () => {
    const tenant = await makeTenant(db.uow, 'crossed');
    const keep =
      (goal: string): Work =>
      async (tx) => {
        await keepPrecedent(tx, { goal, tools: ['drain_host'], environment: 'staging', targets: [goal] });
      };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [zebra, quokka] = [keep(`zebra-${String(round)}`), keep(`quokka-${String(round)}`)];
      await crossed((work) => db.uow.run(tenant, work), [zebra, quokka], [quokka, zebra]);
    }
    expect(await gramsOf(tenant, 'zebra-7')).toBe(8);
    const { rows } = await db.owner.query('select count(*)::integer as n from precedent where tenant_id = $1', [
      tenant,
    ]);
    expect(rows).toEqual([{ n: 4 * ROUNDS }]);
  }, 60_000);

  it('do not wait for each other if triggers write the precedents', async () => {
    const { asked, stages } = await approvalWorld(db);
    const endOf = async (goal: string): Promise<Work> => {
      const { id } = await asked({ goal });
      return async (tx) => {
        await sqlOf(tx).execute(
          `update approval_request set state = 'expired', closed_at = clock_timestamp(), closed_reason = '{}' where id = $1`,
          [id],
        );
        await sqlOf(tx).execute('set constraints all immediate');
      };
    };
    const [one, two] = [await endOf('Herd the wombats'), await endOf('Count the ocelots')];
    const [three, four] = [await endOf('Count the ocelots again'), await endOf('Herd the wombats again')];
    await crossed((work) => stages.inTenant(work), [one, two], [three, four]);
    expect(await gramsOf(stages.tenantId, 'wombat')).toBe(7);
  }, 60_000);
});
