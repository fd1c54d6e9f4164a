import { createOnDuty } from '#lib/delivery';
import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeSlackMessages } from '../application/slack-messages.contract.js';
import { SqlSlackInstallations } from './sql-slack-installations.js';
import { SqlSlackMessages } from './sql-slack-messages.js';

const open = clockedWorlds();

describeSlackMessages('SqlSlackMessages', async () => {
  const world = await open();
  return {
    world,
    installations: new SqlSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty()),
    messages: new SqlSlackMessages(),
  };
});
