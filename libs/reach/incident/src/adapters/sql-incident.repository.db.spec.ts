import { incidentRows } from '../../../../../test/support/incident-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeIncidentRepository } from '../application/incident.repository.contract.js';
import { SqlIncidentRepository } from './sql-incident.repository.js';

describeIncidentRepository('SqlIncidentRepository', async () => {
  const world = await postgresWorld();
  return { world, incidents: new SqlIncidentRepository(), ...incidentRows(world) };
});
