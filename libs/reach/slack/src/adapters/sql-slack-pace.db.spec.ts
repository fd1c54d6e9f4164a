import { clockedWorld } from '../../../../../test/support/clocked-world.js';
import { describeSlackPace } from '../application/slack-pace.contract.js';
import { SqlSlackPace } from './sql-slack-pace.js';

describeSlackPace('SqlSlackPace', async () => ({ world: await clockedWorld(), pace: new SqlSlackPace() }));
