import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { describeSlackInteractions } from '../application/slack-interactions.contract.js';
import { SqlSlackInteractions } from './sql-slack-interactions.js';

const open = clockedWorlds();

describeSlackInteractions('SqlSlackInteractions', async () => {
  const world = await open();
  const jobs = new FakeJobQueue(new FakeUnitOfWork());
  const interactions = new SqlSlackInteractions(jobs);
  const outcome = async (id: string) => {
    const query = 'select outcome from slack_interaction where id = $1';
    const { rows } = await world.db.owner.query<{ outcome: string | null }>(query, [id]);
    return rows[0]?.outcome ?? null;
  };
  return { world, interactions, jobs, outcome };
});
