import { clockedWorld } from '../../../../../test/support/clocked-world.js';
import { describeSlackMessages } from '../application/slack-messages.contract.js';
import { TypeormSlackMessages } from './typeorm-slack-messages.js';

describeSlackMessages('TypeormSlackMessages', async () => ({
  world: await clockedWorld(),
  messages: new TypeormSlackMessages(),
}));
