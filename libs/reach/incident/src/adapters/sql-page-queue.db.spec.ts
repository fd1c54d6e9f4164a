import { incidentRows } from '../../../../../test/support/incident-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { sampleOpen } from '../application/fake-incident.js';
import { describePageQueue } from '../application/page-queue.contract.js';
import { SqlIncidentRepository } from './sql-incident.repository.js';
import { SqlPageQueue } from './sql-page-queue.js';

describePageQueue('SqlPageQueue', async () => {
  const world = await postgresWorld();
  const { personId: invokedBy, credentialId, tenantId } = world.home.owner;
  const plan = await incidentRows(world).newPlan();
  return {
    world,
    pages: new SqlPageQueue(),
    newIncident: async () => {
      const incident = sampleOpen({ ...plan, invokedBy, credentialId });
      await world.uow.run(tenantId, (tx) => new SqlIncidentRepository().insert(tx, incident));
      return incident.id;
    },
  };
});
