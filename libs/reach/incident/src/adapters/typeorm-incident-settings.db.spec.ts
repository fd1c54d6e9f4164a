import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeIncidentSettings } from '../application/incident-settings.contract.js';
import { TypeormIncidentSettings } from './typeorm-incident-settings.js';

describeIncidentSettings('TypeormIncidentSettings', async () => ({
  world: await postgresWorld(),
  settings: new TypeormIncidentSettings(),
}));
