import type { PersonId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { describeBootstrapTokenRepository } from './bootstrap-token.repository.contract.js';
import { describeCredentialRepository } from './credential.repository.contract.js';
import { describeCredentialFile } from './credential-file.contract.js';
import { describeEnrolmentRepository } from './enrolment.repository.contract.js';
import { FakeBootstrapTokenRepository } from './fake-bootstrap-token.repository.js';
import { FakeCredentialFile } from './fake-credential-file.js';
import { FakeCredentialRepository } from './fake-credential.repository.js';
import { FakeEnrolmentRepository } from './fake-enrolment.repository.js';
import { FakeAgentRepository, FakePeopleRows, FakePersonRepository } from './fake-people.js';
import { FakeSeats } from './fake-seats.js';
import { describePeople, type SignInFacts } from './people.contract.js';
import { describeSeats } from './seats.contract.js';

async function world() {
  const made = fakeWorld();
  made.uow.now = Date.now();
  const rows = new FakePeopleRows(made.uow);
  const [people, agents] = [new FakePersonRepository(rows), new FakeAgentRepository(rows)];
  const { tenantId, owner, admin, agent } = made.home;
  await made.uow.run(tenantId, async (tx) => {
    for (const { personId: id } of [owner, admin])
      await people.insert(tx, { id, email: `${id}@example.com`, displayName: id });
    await agents.insert(tx, { id: agent.agentId, name: 'An agent', description: '', ownerId: agent.ownerId });
  });
  const facts: SignInFacts = {
    knownAtIssuer: (personId) => {
      rows.atIssuer.add(personId);
      return Promise.resolve();
    },
    issuersOnly: (tenantId, only) => {
      if (only) rows.issuersOnly.add(tenantId);
      else rows.issuersOnly.delete(tenantId);
      return Promise.resolve();
    },
  };
  const credentials = new FakeCredentialRepository(rows);
  return { world: made, rows, people, agents, credentials, facts, file: new FakeCredentialFile(rows) };
}

describePeople('in memory', world);

describeCredentialRepository('FakeCredentialRepository', world);

describeCredentialFile('FakeCredentialFile', world);

describeEnrolmentRepository('FakeEnrolmentRepository', async () => {
  const { world: made, rows, people } = await world();
  const enrolments = new FakeEnrolmentRepository(rows);
  const registers = (id: PersonId): Promise<void> => {
    enrolments.withFactors.add(id);
    return Promise.resolve();
  };
  return { world: made, people, enrolments, registers };
});

/** Moves the clock by a millisecond. */
const laterIn = (uow: FakeUnitOfWork) => (): Promise<void> => {
  uow.now += 1;
  return Promise.resolve();
};

describeSeats('FakeSeats', async () => {
  const { world: made, rows, people } = await world();
  const enrolments = new FakeEnrolmentRepository(rows);
  return { world: made, people, enrolments, seats: new FakeSeats(rows, enrolments), later: laterIn(made.uow) };
});

describeBootstrapTokenRepository('FakeBootstrapTokenRepository', async () => {
  const { world: made } = await world();
  return { world: made, tokens: new FakeBootstrapTokenRepository(made.uow), later: laterIn(made.uow) };
});
