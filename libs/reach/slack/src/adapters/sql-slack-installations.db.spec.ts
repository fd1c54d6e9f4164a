import { createOnDuty } from '#lib/delivery';
import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { countedStatements } from '../../../../../test/support/counted-statements.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeSlackInstallations } from '../application/slack-installations.contract.js';
import { SqlSlackInstallations } from './sql-slack-installations.js';

const open = clockedWorlds();

const opened = async () => {
  const world = await open();
  const installations = new SqlSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty());
  return { world, installations };
};

describeSlackInstallations('SqlSlackInstallations', async () => {
  const { world, installations } = await opened();
  // No two tenants have one app in one workspace.
  const close = async (): Promise<void> => {
    await world.db.owner.query('delete from slack_installation');
  };
  return { world: { ...world, close }, installations };
});

it('reads the channels and the workspace by one statement of a transaction', async () => {
  const { world, installations } = await opened();
  const { statements } = await countedStatements(() =>
    world.uow.run(world.home.tenantId, async (tx) => {
      await Promise.all([installations.channels(tx), installations.channels(tx)]);
      await installations.workspace(tx);
    }),
  );
  expect(statements.filter((text) => text.includes('slack_'))).toEqual([expect.stringContaining('slack_installation')]);
});
