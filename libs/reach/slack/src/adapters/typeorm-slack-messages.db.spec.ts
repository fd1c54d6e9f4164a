import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { describeSlackMessages } from '../application/slack-messages.contract.js';
import { TypeormSlackMessages } from './typeorm-slack-messages.js';

const open = clockedWorlds();

describeSlackMessages('TypeormSlackMessages', async () => ({
  world: await open(),
  messages: new TypeormSlackMessages(),
}));
