import { createOnDuty } from '#lib/delivery';
import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeSlackMessages } from '../application/slack-messages.contract.js';
import { TypeormSlackInstallations } from './typeorm-slack-installations.js';
import { TypeormSlackMessages } from './typeorm-slack-messages.js';

const open = clockedWorlds();

describeSlackMessages('TypeormSlackMessages', async () => {
  const world = await open();
  return {
    world,
    installations: new TypeormSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty()),
    messages: new TypeormSlackMessages(),
  };
});
