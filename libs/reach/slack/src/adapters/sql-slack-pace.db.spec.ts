import { createOnDuty } from '#lib/delivery';
import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeSlackPace } from '../application/slack-pace.contract.js';
import { SqlSlackPace } from './sql-slack-pace.js';
import { TypeormSlackInstallations } from './typeorm-slack-installations.js';
import { TypeormSlackMessages } from './typeorm-slack-messages.js';

const open = clockedWorlds();

describeSlackPace('SqlSlackPace', async () => {
  const world = await open();
  return {
    world,
    messages: new TypeormSlackMessages(),
    installations: new TypeormSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty()),
    pace: new SqlSlackPace(),
  };
});
