import { routingHintOf } from '#lib/formats';
import { ok, type Principal } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeSecretDigests } from '../../../../foundation/kernel/src/fake-secret-digests.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { AddRunner, type AskedRunner } from './add-runner.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';

const HOUR_MS = 3_600_000;
const WANTED = { name: 'build-01', pool: 'builders', environments: ['staging', 'production', 'staging'] };

/** A tenant with runners to add. @param secondAdmin whether a second person could confirm one. */
function addingWorld(secondAdmin: boolean) {
  const { uow, home } = fakeWorld();
  const admin = { ...home.admin, scopes: ['read', 'admin'], reason: 'More builds.' } as const;
  const runners = new FakeRunnerRepository(uow);
  const audit = new FakeAuditSink(uow);
  const rule = new FakeTwoPersonRule(uow, secondAdmin);
  const environments = { names: () => Promise.resolve(['production', 'staging']) };
  const adding = new AddRunner(uow, runners, environments, fakeSecretDigests, rule, audit);
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  return {
    ...{ uow, home, admin, confirmer },
    ask: (wanted = WANTED, by: Principal = admin) => adding.execute(by, wanted),
    /** The second person confirms a change: the first that waits, by default. */
    confirm: (waiting = rule.waitingIn(home)[0]) => {
      if (waiting === undefined) throw new Error('no change waits');
      const confirmed = sampleConfirmation(waiting, admin, confirmer);
      return uow.run(home.tenantId, (tx) => adding.carryOut(tx, confirmed, adding.payload.parse(waiting.payload)));
    },
    waiting: () => rule.waitingIn(home),
    moved: () => rule.movedIn(home).map((moved) => moved.subjectId),
    runners: () => uow.run(home.tenantId, (tx) => runners.list(tx)),
    /** Until when the token can be exchanged; null if it opens nothing. */
    opensUntil: async (token: string) => {
      const at = await runners.locateEnrolment(await fakeSecretDigests.candidates('runner_enrolment', token));
      if (at === null) return null;
      const enrolment = await uow.run(at.tenantId, (tx) => runners.lockEnrolment(tx, at.id));
      return enrolment?.expiresAt ?? null;
    },
    entries: () => audit.of(home),
  };
}

const tokenOf = (asked: Awaited<ReturnType<AddRunner['execute']>>): AskedRunner => {
  if (!asked.ok) throw new Error(asked.error.code);
  return asked.value;
};

describe('a runner that an admin adds', () => {
  it('waits for a second person; before that it gets no call, and its token opens nothing', async () => {
    const { ask, waiting, runners, opensUntil, entries, home } = addingWorld(true);
    const { token, guarded } = tokenOf(await ask());
    expect(guarded).toMatchObject({ outcome: 'waits' });
    expect(token).toMatch(/^csr_[\w-]{43}/);
    expect(token.endsWith(routingHintOf(home.tenantId))).toBe(true);
    expect(waiting()).toMatchObject([
      {
        ...{ kind: 'runner', subject: { id: 'build-01' }, base: { runner: null } },
        loosens: [expect.stringContaining('in production'), expect.stringContaining('in staging')],
      },
    ]);
    expect(JSON.stringify(waiting())).not.toContain(token);
    expect([await runners(), await opensUntil(token), entries()]).toEqual([[], null, []]);
  });

  it('is there once it is confirmed, for an hour from then', async () => {
    const { ask, confirm, runners, opensUntil, entries, moved, uow, admin, confirmer } = addingWorld(true);
    const { token } = tokenOf(await ask());
    uow.now += 12 * HOUR_MS;
    expect(await confirm()).toMatchObject(ok({ outcome: 'done', value: { expiresAt: uow.now + HOUR_MS } }));
    const made = { name: 'build-01', pool: 'builders', environments: ['production', 'staging'] };
    expect(await runners()).toMatchObject([{ ...made, createdBy: admin.personId, createdAt: uow.now }]);
    expect(await opensUntil(token)).toBe(uow.now + HOUR_MS);
    expect(moved()).toEqual(['build-01']);
    expect(entries()).toMatchObject([
      {
        ...{ action: 'runner.added', actor: { id: confirmer.personId } },
        payload: { ...made, requested_by: admin.personId, guarded: true },
      },
    ]);
    expect(JSON.stringify(entries())).not.toContain(token);
  });

  it('is there at once if nobody else could confirm it', async () => {
    const { ask, runners, opensUntil, entries, uow } = addingWorld(false);
    const { token, guarded } = tokenOf(await ask());
    expect(guarded).toMatchObject({ outcome: 'done', alone: true });
    expect(await runners()).toHaveLength(1);
    expect(await opensUntil(token)).toBe(uow.now + HOUR_MS);
    expect(entries()).toMatchObject([{ action: 'runner.added', payload: { guarded: false } }]);
  });

  it('is refused if its name is taken, also by one that was added while it waited', async () => {
    const { ask, confirm, waiting, runners } = addingWorld(true);
    await ask();
    await ask();
    const [first, second] = waiting();
    expect(await confirm(first)).toMatchObject({ ok: true });
    expect(waiting()).toEqual([]);
    const taken = { ok: false, error: { code: 'runner.name_taken' } };
    expect(await confirm(second)).toMatchObject(taken);
    expect(await ask()).toMatchObject(taken);
    expect(await runners()).toHaveLength(1);
  });

  it('is refused in an environment that is not there', async () => {
    const { ask, waiting } = addingWorld(true);
    expect(await ask({ ...WANTED, environments: ['staging', 'moon'] })).toMatchObject({
      ok: false,
      error: { code: 'runner.unknown_environment', errors: [{ pointer: '/environments' }] },
    });
    expect(waiting()).toEqual([]);
  });

  it.each<[string, (world: ReturnType<typeof addingWorld>) => Principal, string]>([
    ['an agent', ({ home }) => home.agent, 'credential.person_required'],
    ['a token without the scope', ({ admin }) => ({ ...admin, scopes: ['read'] }), 'credential.scope_missing'],
    ['a person without the role', ({ admin }) => ({ ...admin, roles: [] }), 'identity.role_required'],
  ])('is refused to %s', async (_who, by, code) => {
    const world = addingWorld(true);
    expect(await world.ask(WANTED, by(world))).toMatchObject({ ok: false, error: { code } });
    expect(world.waiting()).toEqual([]);
  });
});
