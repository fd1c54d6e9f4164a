import { newId, ok, type EnvironmentId, type PersonPrincipal, type ProposedChange, type Tx } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { ChangeEnvironment, CreateEnvironment, GetEnvironment, ListEnvironments } from './environments.js';
import { FakeEnvironmentRepository } from './fake-environment.repository.js';

/** The environments of a tenant, over fakes. @param secondAdmin whether a person could confirm a loosening. */
function environmentsOf({ secondAdmin = false } = {}) {
  const world = fakeWorld();
  const { uow, home } = world;
  const environments = new FakeEnvironmentRepository(uow, [home, world.other]);
  const [audit, rule] = [new FakeAuditSink(uow), new FakeTwoPersonRule(uow, secondAdmin)];
  const admin: PersonPrincipal = { ...home.admin, reason: 'It is retired.' };
  const change = new ChangeEnvironment(uow, environments, rule, audit);
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const flag = (production: boolean, seen: number, of: EnvironmentId = home.production.id) =>
    change.execute(admin, of, production, (version) => {
      if (version !== seen) throw new Error(`it is at version ${String(version)}`);
    });
  return {
    ...world,
    admin,
    rule,
    change,
    flag,
    create: new CreateEnvironment(uow, environments, audit),
    get: new GetEnvironment(uow, environments),
    list: new ListEnvironments(uow, environments),
    production: () => atHome((tx) => environments.byId(tx, home.production.id)),
    audited: () => audit.of(home),
    waiting: () => rule.waitingIn(home),
    moved: () => rule.movedIn(home),
    /** A second person confirms a change request, as it was proposed. */
    confirm: (proposed: ProposedChange | undefined, confirmer = samplePerson(home.tenantId, ['PlatformAdmin'])) => {
      if (proposed === undefined) throw new Error('no change waits');
      const confirmation = sampleConfirmation(proposed, admin, confirmer);
      const wanted = change.payload.parse(proposed.payload);
      return atHome((tx) => change.carryOut(tx, confirmation, wanted));
    },
  };
}

describe('an environment', () => {
  it('is created once under a name, and recorded', async () => {
    const { create, list, admin, home, audited } = environmentsOf();
    const created = await create.execute(admin, { name: 'sandbox', production: false });
    expect(created).toMatchObject({ ok: true, value: { name: 'sandbox', production: false, version: 1 } });
    expect(await create.execute(admin, { name: 'sandbox', production: true })).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'tenancy.environment_name_taken' },
    });
    const listed = await list.execute(home.tenantId, { limit: 9, afterName: null });
    expect(listed.map(({ name, production }) => [name, production])).toEqual([
      ['production', true],
      ['sandbox', false],
      ['staging', false],
    ]);
    expect(audited()).toMatchObject([
      {
        action: 'environment.created',
        actor: { kind: 'person', id: admin.personId },
        level: 'full',
        payload: { name: 'sandbox', production: false },
      },
    ]);
  });

  it('gets no name that documents cannot write', async () => {
    const { create, admin, audited, uow } = environmentsOf();
    expect(await create.execute(admin, { name: 'Sand Box', production: false })).toMatchObject({
      ok: false,
      error: { code: 'tenancy.invalid_environment_name', errors: [{ pointer: '/name' }] },
    });
    expect([audited(), uow.committed]).toEqual([[], 0]);
  });

  it('is listed a page at a time, by name', async () => {
    const { list, home } = environmentsOf();
    const page = async (afterName: string | null) =>
      (await list.execute(home.tenantId, { limit: 1, afterName })).map(({ name }) => name);
    expect([await page(null), await page('production'), await page('staging')]).toEqual([
      ['production'],
      ['staging'],
      [],
    ]);
  });

  it('of another tenant is not found', async () => {
    const { get, flag, home, other, audited } = environmentsOf();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await get.execute(home.tenantId, home.production.id)).toMatchObject(ok({ name: 'production' }));
    expect(await get.execute(other.tenantId, home.production.id)).toMatchObject(missing);
    expect(await flag(false, 1, other.production.id)).toMatchObject(missing);
    expect(await flag(false, 1, newId<EnvironmentId>())).toMatchObject(missing);
    expect(audited()).toEqual([]);
  });
});

describe('the production flag', () => {
  it('is cleared by a lone admin: each change is a new version, and the record says that it loosens', async () => {
    const { flag, admin, home, audited, moved, production } = environmentsOf();
    expect(await flag(false, 1)).toMatchObject(
      ok({ outcome: 'done', value: { production: false, version: 2 }, alone: true }),
    );
    expect(await flag(true, 2)).toMatchObject(ok({ value: { production: true, version: 3 }, alone: false }));
    expect(await production()).toMatchObject({ production: true, version: 3 });
    const subject = { type: 'environment', id: home.production.id };
    expect(audited()).toMatchObject([
      {
        action: 'environment.loosened',
        actor: { id: admin.personId },
        level: 'full_with_evidence',
        subject,
        payload: {
          name: 'production',
          before: { production: true, version: 1 },
          after: { production: false, version: 2 },
          guarded: false,
        },
      },
      {
        action: 'environment.tightened',
        level: 'full',
        subject,
        payload: { before: { production: false, version: 2 }, after: { production: true, version: 3 } },
      },
    ]);
    expect(moved().map(({ kind, subjectId, base }) => [kind, subjectId, base(null)])).toEqual([
      ['environment', home.production.id, { version: 2 }],
      ['environment', home.production.id, { version: 3 }],
    ]);
  });

  it('that is set already is no change, and no new version', async () => {
    const { flag, audited, moved, production } = environmentsOf();
    expect(await flag(true, 1)).toMatchObject(ok({ outcome: 'done', value: { version: 1 } }));
    expect(await production()).toMatchObject({ version: 1 });
    expect([audited(), moved()]).toEqual([[], []]);
  });

  it('is changed by one of two people who saw the same version', async () => {
    const { flag, audited, production } = environmentsOf();
    const [first, second] = await Promise.allSettled([flag(false, 1), flag(false, 1)]);
    expect(first).toMatchObject({ value: { ok: true } });
    expect(second).toMatchObject({ reason: { message: 'it is at version 2' } });
    expect(await production()).toMatchObject({ production: false, version: 2 });
    expect(audited()).toHaveLength(1);
  });

  it('waits for a second person before it is cleared, and not before it is set', async () => {
    const { flag, home, audited, waiting, production } = environmentsOf({ secondAdmin: true });
    expect(await flag(false, 1)).toMatchObject(ok({ outcome: 'waits' }));
    expect(await production()).toMatchObject({ production: true, version: 1 });
    expect(audited()).toEqual([]);
    expect(waiting()).toMatchObject([
      {
        kind: 'environment',
        subject: { type: 'environment', id: home.production.id },
        payload: { environment_id: home.production.id, production: false },
        base: { version: 1 },
        loosens: ['what production asks for is no longer asked for in production'],
        detail: { name: 'production', before: true, after: false },
      },
    ]);
    expect(await flag(true, 1, home.staging.id)).toMatchObject(ok({ outcome: 'done' }));
    expect(waiting()).toHaveLength(1);
  });

  it('is cleared once a second person confirms, in both their names', async () => {
    const { flag, home, admin, confirm, audited, waiting, production } = environmentsOf({ secondAdmin: true });
    await flag(false, 1);
    const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
    expect(await confirm(waiting()[0], confirmer)).toMatchObject(ok({ outcome: 'done', value: { version: 2 } }));
    expect(await production()).toMatchObject({ production: false, version: 2 });
    expect(audited()).toMatchObject([
      {
        action: 'environment.loosened',
        actor: { id: confirmer.personId },
        payload: { requested_by: admin.personId, guarded: true },
      },
    ]);
  });

  it('stays if the environment was changed before a second person confirms', async () => {
    const { flag, confirm, rule, waiting, production, audited } = environmentsOf({ secondAdmin: true });
    await flag(false, 1);
    const [proposed] = waiting();
    rule.secondAdmin = false;
    await flag(false, 1);
    await flag(true, 2);
    expect(waiting()).toEqual([]);
    expect(await confirm(proposed)).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await production()).toMatchObject({ production: true, version: 3 });
    expect(audited()).toHaveLength(2);
  });

  it('stays if a second person confirms it for an environment of another tenant', async () => {
    const { change, uow, home, other, admin, audited } = environmentsOf({ secondAdmin: true });
    const payload = { environment_id: other.production.id, production: false };
    const proposed = { kind: 'environment', payload, base: { version: 1 }, loosens: [] } as const;
    const confirmed = sampleConfirmation(proposed, admin, admin);
    const carried = await uow.run(home.tenantId, (tx) => change.carryOut(tx, confirmed, payload));
    expect(carried).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
    expect(audited()).toEqual([]);
  });
});
