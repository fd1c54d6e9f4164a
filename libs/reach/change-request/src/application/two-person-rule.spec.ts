import { ok } from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { ChangeJournal } from './change-journal.js';
import { fakeChangeListener } from './fake-change-listener.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { FakeConfirmerDirectory, samplePossible } from './fake-confirmer-directory.js';
import { ReadChanges } from './read-changes.js';
import { TwoSeatRule } from './two-person-rule.js';
import { describeTwoPersonRule, proposed } from './two-person-rule.contract.js';

describeTwoPersonRule('FakeTwoPersonRule', (secondAdmin) => {
  const world = fakeWorld();
  return { world, rule: new FakeTwoPersonRule(world.uow, secondAdmin) };
});

/** The rule of a tenant with one admin, or two. */
function seatedRule(secondAdmin: boolean) {
  const world = fakeWorld();
  const changes = new FakeChangeRequestRepository(world.uow);
  const audit = new FakeAuditSink(world.uow);
  const other = samplePerson(world.home.tenantId, ['PlatformAdmin']);
  const admins = [world.home.admin, ...(secondAdmin ? [other] : [])];
  const directory = new FakeConfirmerDirectory(world.uow);
  for (const { personId } of admins) directory.keep(world.home, samplePossible(personId, 'PlatformAdmin', 0));
  const seats = { standingOf: () => Promise.resolve(new Map()) };
  const journal = new ChangeJournal(changes, audit, new FakeOutbox(world.uow), fakeChangeListener);
  const reading = new ReadChanges(world.uow, changes, directory, { waysIn: () => Promise.resolve(new Map()) });
  return { world, reading, rule: new TwoSeatRule(changes, directory, seats, journal, audit) };
}

describeTwoPersonRule('TwoSeatRule', seatedRule);

it('a change request comes as its author reads it afterwards', async () => {
  const { world, reading, rule } = seatedRule(true);
  const author = { ...world.home.admin, reason: 'It is retired.' };
  const admission = await world.uow.run(world.home.tenantId, (tx) => rule.admit(tx, author, proposed()));
  if (!admission.ok || admission.value.outcome !== 'waits') throw new Error('The change does not wait.');
  const { outcome: _outcome, ...waiting } = admission.value;
  expect(await reading.one(author, waiting.change.id)).toEqual(ok(waiting));
  expect(waiting.confirmers).toHaveLength(1);
});
