import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeBootstrapTokenRepository } from '../application/bootstrap-token.repository.contract.js';
import { describeCredentialRepository } from '../application/credential.repository.contract.js';
import { describeEnrolmentRepository } from '../application/enrolment.repository.contract.js';
import { describePeople } from '../application/people.contract.js';
import { describeSeats } from '../application/seats.contract.js';
import { SqlAgentRepository } from './sql-agent.repository.js';
import { SqlBootstrapTokenRepository } from './sql-bootstrap-token.repository.js';
import { SqlSeats } from './sql-seats.js';
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

/** Reads the clock of the database until it has moved on. */
const laterIn = (uow: UnitOfWork) => async (): Promise<void> => {
  const read = (): Promise<number> => uow.run(newId<TenantId>(), (tx) => tx.now());
  const before = await read();
  while ((await read()) <= before);
};

describeSeats('SqlSeats', async () => {
  const world = await postgresWorld();
  const seals = testSeals();
  return {
    world,
    people: new TypeormPersonRepository(seals),
    enrolments: new TypeormEnrolmentRepository(world.db.systemQuery, seals),
    seats: new SqlSeats(seals),
    later: laterIn(world.uow),
  };
});

describeBootstrapTokenRepository('SqlBootstrapTokenRepository', async () => {
  const world = await postgresWorld();
  return { world, tokens: new SqlBootstrapTokenRepository(), later: laterIn(world.uow) };
});
