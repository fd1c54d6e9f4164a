import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { describeSlackPace } from '../application/slack-pace.contract.js';
import { SqlSlackPace } from './sql-slack-pace.js';

const open = clockedWorlds();

describeSlackPace('SqlSlackPace', async () => ({ world: await open(), pace: new SqlSlackPace() }));
