import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { describeSlackPace } from '../application/slack-pace.contract.js';
import { SqlSlackPace } from './sql-slack-pace.js';
import { TypeormSlackMessages } from './typeorm-slack-messages.js';

const open = clockedWorlds();

describeSlackPace('SqlSlackPace', async () => ({
  world: await open(),
  messages: new TypeormSlackMessages(),
  pace: new SqlSlackPace(),
}));
