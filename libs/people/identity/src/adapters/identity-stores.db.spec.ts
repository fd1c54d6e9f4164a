import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeCredentialRepository } from '../application/credential.repository.contract.js';
import { describeEnrolmentRepository } from '../application/enrolment.repository.contract.js';
import { describePeople } from '../application/people.contract.js';
import { SqlAgentRepository } from './sql-agent.repository.js';
import { TypeormCredentialRepository } from './typeorm-credential.repository.js';
import { TypeormEnrolmentRepository } from './typeorm-enrolment.repository.js';
import { TypeormPersonRepository } from './typeorm-person.repository.js';

describePeople('in PostgreSQL', async () => ({
  world: await postgresWorld(),
  people: new TypeormPersonRepository(testSeals()),
  agents: new SqlAgentRepository(),
  credentials: new TypeormCredentialRepository(testSeals()),
}));

describeCredentialRepository('TypeormCredentialRepository', async () => ({
  world: await postgresWorld(),
  credentials: new TypeormCredentialRepository(testSeals()),
}));

describeEnrolmentRepository('TypeormEnrolmentRepository', async () => {
  const world = await postgresWorld();
  const seals = testSeals();
  return {
    world,
    people: new TypeormPersonRepository(seals),
    enrolments: new TypeormEnrolmentRepository(world.db.systemQuery, seals),
  };
});
