import { incidentRows } from '../../../../../test/support/incident-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { sampleOpen } from '../application/fake-incident.js';
import { describePageQueue } from '../application/page-queue.contract.js';
import { TypeormIncidentRepository } from './typeorm-incident.repository.js';
import { TypeormPageQueue } from './typeorm-page-queue.js';

describePageQueue('TypeormPageQueue', async () => {
  const world = await postgresWorld();
  const { personId: invokedBy, credentialId, tenantId } = world.home.owner;
  const grounds = await incidentRows(world).newGrounds();
  return {
    world,
    pages: new TypeormPageQueue(),
    newIncident: async () => {
      const incident = sampleOpen({ ...grounds, invokedBy, credentialId });
      await world.uow.run(tenantId, (tx) => new TypeormIncidentRepository().insert(tx, incident));
      return incident.id;
    },
  };
});
