import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { ChangeJournal } from './change-journal.js';
import { fakeChangeListener } from './fake-change-listener.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { FakeConfirmerDirectory, samplePossible } from './fake-confirmer-directory.js';
import { TwoSeatRule } from './two-person-rule.js';
import { describeTwoPersonRule } from './two-person-rule.contract.js';

describeTwoPersonRule('FakeTwoPersonRule', (secondAdmin) => {
  const world = fakeWorld();
  return { world, rule: new FakeTwoPersonRule(world.uow, secondAdmin) };
});

describeTwoPersonRule('TwoSeatRule', (secondAdmin) => {
  const world = fakeWorld();
  const changes = new FakeChangeRequestRepository(world.uow);
  const audit = new FakeAuditSink(world.uow);
  const other = samplePerson(world.home.tenantId, ['PlatformAdmin']);
  const admins = [world.home.admin, ...(secondAdmin ? [other] : [])];
  const directory = new FakeConfirmerDirectory(world.uow);
  for (const { personId } of admins) directory.keep(world.home, samplePossible(personId, 'PlatformAdmin', 0));
  const seats = { standingOf: () => Promise.resolve(new Map()) };
  const journal = new ChangeJournal(changes, audit, new FakeOutbox(world.uow), fakeChangeListener);
  return { world, rule: new TwoSeatRule(changes, directory, seats, journal, audit) };
});
