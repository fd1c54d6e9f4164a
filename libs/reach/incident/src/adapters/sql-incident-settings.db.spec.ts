import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeIncidentSettings } from '../application/incident-settings.contract.js';
import { SqlIncidentSettings } from './sql-incident-settings.js';

describeIncidentSettings('SqlIncidentSettings', async () => ({
  world: await postgresWorld(),
  settings: new SqlIncidentSettings(),
}));
