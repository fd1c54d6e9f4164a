import { newId, type HaltId, type Principal, type SystemPrincipal } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { createHalts } from '../create-halts.js';
import type { Halt } from '../domain/halt.js';
import { FakeHaltRepository, sampleHalt } from './fake-halt.repository.js';

/** A tenant with one halt on all its work. */
async function halted() {
  const { uow, home, other } = fakeWorld();
  const halts = new FakeHaltRepository(uow);
  const audit = new FakeAuditSink(uow);
  const halt = sampleHalt(home);
  await uow.run(home.tenantId, (tx) => halts.insert(tx, halt));
  const { liftHalt: lifting, readHalts: reading } = createHalts({
    ...{ uow, halts, audit, targets: unasked(), runs: unasked(), calls: unasked(), grants: unasked() },
  });
  return {
    uow,
    home,
    other,
    halt,
    reading,
    lead: samplePerson(home.tenantId, ['SRELead']),
    lift: (by: Principal, id: HaltId = halt.id) => lifting.execute(by, id, 'It is over.'),
    found: () => reading.get(home.tenantId, halt.id),
    audited: () => audit.of(home),
  };
}

const system = ({ home }: Awaited<ReturnType<typeof halted>>): SystemPrincipal => ({
  kind: 'system',
  tenantId: home.tenantId,
  name: 'worker',
});

describe('a halt', () => {
  it.each(['SRELead', 'PlatformAdmin'])('is lifted by a person with the role %s, with a note', async (role) => {
    const world = await halted();
    const by = samplePerson(world.home.tenantId, ['DevOpsEngineer', role]);
    world.uow.now += 1_000;
    const actor = { kind: 'person', id: by.personId };
    const lifted = { at: world.uow.now, by: actor, note: 'It is over.' };
    expect(await world.lift(by)).toMatchObject({ ok: true, value: { id: world.halt.id, lifted } });
    expect(await world.found()).toMatchObject({ ok: true, value: { ...world.halt, lifted } });
    expect(world.audited()).toMatchObject([
      {
        action: 'halt.lifted',
        actor,
        level: 'full',
        subject: { type: 'halt', id: world.halt.id },
        payload: { target: { kind: 'tenant' }, note: 'It is over.' },
      },
    ]);
  });

  it.each<[string, (world: Awaited<ReturnType<typeof halted>>) => Principal, string]>([
    ['an agent', ({ home }) => home.agent, 'halt.person_only'],
    ['Countersign itself', system, 'halt.person_only'],
    ['a person without a role', ({ home }) => home.owner, 'halt.role_missing'],
    [
      'a person with other roles',
      ({ home }) => samplePerson(home.tenantId, ['SecurityReviewer', 'DevOpsEngineer']),
      'halt.role_missing',
    ],
  ])('is not lifted by %s', async (_who, by, code) => {
    const world = await halted();
    expect(await world.lift(by(world))).toMatchObject({ ok: false, error: { kind: 'forbidden', code } });
    expect(await world.found()).toEqual({ ok: true, value: world.halt });
    expect(world.audited()).toEqual([]);
  });

  it('is lifted once', async () => {
    const world = await halted();
    await world.lift(world.home.admin);
    const before = await world.found();
    expect(await world.lift(world.lead)).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'halt.already_lifted' },
    });
    expect(await world.found()).toEqual(before);
    expect(world.audited()).toHaveLength(1);
  });

  it('is lifted by one person, even if two do so at the same moment', async () => {
    const world = await halted();
    const results = await Promise.all([world.lift(world.home.admin), world.lift(world.lead)]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(results[1]).toMatchObject({ error: { code: 'halt.already_lifted' } });
    expect(world.audited()).toHaveLength(1);
  });

  it('is unknown to another tenant, and under another id', async () => {
    const world = await halted();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await world.lift(world.other.admin)).toMatchObject(missing);
    expect(await world.lift(world.home.admin, newId<HaltId>())).toMatchObject(missing);
    expect(await world.reading.get(world.other.tenantId, world.halt.id)).toMatchObject(missing);
    expect(await world.found()).toEqual({ ok: true, value: world.halt });
  });

  it('is listed among those that hold until it is lifted', async () => {
    const world = await halted();
    const listed = async (active: boolean | null): Promise<readonly Halt['id'][]> =>
      (await world.reading.list(world.home.tenantId, { active, limit: 9, after: null })).map(({ id }) => id);
    expect([await listed(true), await listed(false), await listed(null)]).toEqual([
      [world.halt.id],
      [],
      [world.halt.id],
    ]);
    await world.lift(world.lead);
    expect([await listed(true), await listed(false), await listed(null)]).toEqual([
      [],
      [world.halt.id],
      [world.halt.id],
    ]);
  });
});
