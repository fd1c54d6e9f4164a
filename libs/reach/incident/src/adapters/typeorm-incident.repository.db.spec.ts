import { incidentRows } from '../../../../../test/support/incident-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeIncidentRepository } from '../application/incident.repository.contract.js';
import { TypeormIncidentRepository } from './typeorm-incident.repository.js';

describeIncidentRepository('TypeormIncidentRepository', async () => {
  const world = await postgresWorld();
  return { world, incidents: new TypeormIncidentRepository(), ...incidentRows(world) };
});
