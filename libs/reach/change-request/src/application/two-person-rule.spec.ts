import { ok } from '#lib/kernel';
import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { fakeChanges } from './fake-changes.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { FakeConfirmerDirectory, samplePossible } from './fake-confirmer-directory.js';
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
  const { readChanges, twoPersonRule } = fakeChanges(world.uow, {
    ...{ rows: { changes, confirmers: directory }, audit, outbox: new FakeOutbox(world.uow) },
  });
  return { world, reading: readChanges, rule: twoPersonRule };
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
