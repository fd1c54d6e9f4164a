import type { ToolDocument } from '#lib/formats';
import { actorOf, digestText, newId, type PlanId, type Principal } from '#lib/kernel';
import type { Keep } from '../domain/plan-catalog-change.js';
import { definitionText } from './fake-tool.js';
import { FakeToolWorld, looking, rolling } from './fake-tool-world.js';

const both = { look: looking(), roll: rolling() };
const document = (tools: Readonly<Record<string, ToolDocument>>) => new Map(Object.entries(tools));

describe('changing the catalog', () => {
  it('registers new tools with their first versions, and audits each', async () => {
    const world = new FakeToolWorld();
    expect(await world.put(both)).toMatchObject({
      ok: true,
      value: {
        outcome: 'done',
        alone: true,
        value: {
          dryRun: false,
          changes: [
            { name: 'look', change: 'create', fromVersion: null, toVersion: 1, livePlans: [] },
            { name: 'roll', change: 'create', fromVersion: null, toVersion: 1, livePlans: [] },
          ],
          loosens: ['look: agents can call it', 'roll: agents can call it'],
        },
      },
    });
    const kept = await world.inTx((tx) => world.tools.list(tx));
    expect(kept).toMatchObject([
      { name: 'look', version: 1, createdBy: world.admin.personId, createdAt: world.uow.now },
      { name: 'roll', version: 1, definition: { simulated_by: 'look', simulation: 'required' } },
    ]);
    for (const { digest, definition } of kept) expect(digest).toBe(digestText('tool', definitionText(definition)));
    expect(world.audited).toMatchObject([
      {
        action: 'tool.created',
        actor: actorOf(world.admin),
        level: 'full',
        subject: { type: 'tool', id: 'look' },
        payload: {
          name: 'look',
          from_version: null,
          to_version: 1,
          fields: [],
          loosens: ['agents can call it'],
          live_plans: [],
          definition: { name: 'look', risk: 'read_only' },
          guarded: false,
        },
      },
      { action: 'tool.created', subject: { id: 'roll' } },
    ]);
  });

  it('makes a new version of a tool that changes, and leaves the others as they are', async () => {
    const world = new FakeToolWorld();
    await world.put(both);
    const planId = newId<PlanId>();
    world.usage.hold(world.home, planId, ['roll']);
    const before = world.audited.length;
    const changed = await world.put({ ...both, roll: rolling({ description: 'Rolls it out gently.' }) });
    expect(changed).toMatchObject({
      ok: true,
      value: {
        alone: false,
        value: {
          changes: [
            { name: 'look', change: 'unchanged', fromVersion: 1, toVersion: 1 },
            { name: 'roll', change: 'update', toVersion: 2, fields: ['description'], livePlans: [planId] },
          ],
          loosens: [],
        },
      },
    });
    expect(await world.versions()).toEqual({ look: 1, roll: 2 });
    expect(world.audited.slice(before)).toMatchObject([
      { action: 'tool.updated', payload: { from_version: 1, to_version: 2, live_plans: [planId] } },
    ]);
  });

  it('writes nothing if nothing changes', async () => {
    const world = new FakeToolWorld();
    await world.put(both);
    const before = world.audited.length;
    const moved = world.rule.movedIn(world.home).length;
    expect(await world.put(both)).toMatchObject({ ok: true, value: { outcome: 'done', alone: false } });
    expect([world.audited.length, world.rule.movedIn(world.home).length]).toEqual([before, moved]);
    expect(await world.versions()).toEqual({ look: 1, roll: 1 });
  });

  it.each<[Keep, object]>([
    ['others_stay', { look: 1, roll: 1, rest: 1 }],
    ['others_go', { rest: 1 }],
  ])('with %s keeps %j', async (keep, versions) => {
    const world = new FakeToolWorld();
    await world.put(both);
    await world.catalog.execute(world.admin, document({ rest: looking() }), { keep, dryRun: false });
    expect(await world.versions()).toEqual(versions);
  });

  it('only reports in a dry run, and asks for no reason', async () => {
    const world = new FakeToolWorld({ secondAdmin: true });
    const options = { keep: 'others_stay', dryRun: true } as const;
    const { reason: _reason, ...silent } = world.admin;
    expect(await world.catalog.execute(silent, document({ look: looking() }), options)).toMatchObject({
      ok: true,
      value: { outcome: 'done', value: { dryRun: true, loosens: ['look: agents can call it'] } },
    });
    expect([await world.versions(), world.audited, world.waiting]).toEqual([{}, [], []]);
  });

  it('names every mistake at its place, and changes nothing', async () => {
    const world = new FakeToolWorld();
    const at = (name: string): string => `/catalog/${name}`;
    const wrong = document({ roll: rolling({ simulated_by: 'loook' }), look: looking({ effect: 'modify' }) });
    const refused = await world.catalog.execute(world.admin, wrong, { keep: 'others_stay', dryRun: false, at });
    expect(refused).toMatchObject({
      ok: false,
      error: {
        kind: 'unprocessable',
        code: 'tool.invalid_definition',
        message: '2 things in the definition are wrong.',
        errors: [
          { pointer: '/catalog/look/effect', code: 'tool.effect_contradicts_risk' },
          { pointer: '/catalog/roll/simulated_by', code: 'tool.unknown_predictor' },
        ],
      },
    });
    expect([await world.versions(), world.audited]).toEqual([{}, []]);
  });

  it('is for an admin of the tenant', async () => {
    const world = new FakeToolWorld();
    await world.put(both);
    const others: Principal[] = [
      world.home.agent,
      { ...world.admin, scopes: ['read'] },
      { ...world.home.owner, scopes: ['admin'] },
    ];
    for (const by of others) {
      const options = { keep: 'others_go', dryRun: true } as const;
      expect(await world.catalog.execute(by, document({}), options)).toMatchObject({ error: { kind: 'forbidden' } });
      expect(await world.catalog.remove(by, 'look')).toMatchObject({ error: { kind: 'forbidden' } });
    }
    expect(await world.catalog.remove({ ...world.other.admin, scopes: ['admin'] }, 'look')).toMatchObject({
      error: { code: 'resource.not_found' },
    });
    expect(await world.versions()).toEqual({ look: 1, roll: 1 });
  });
});

describe('a tool that a live plan holds', () => {
  const held = async () => {
    const world = new FakeToolWorld();
    await world.put(both);
    const planId = newId<PlanId>();
    world.usage.hold(world.home, planId, ['roll']);
    return { world, planId };
  };

  it('is not loosened, and the plans are named', async () => {
    const { world, planId } = await held();
    const before = world.audited.length;
    expect(await world.put({ roll: rolling({ idempotent: true }), rest: looking() })).toMatchObject({
      ok: false,
      error: {
        kind: 'conflict',
        code: 'tool.in_use',
        details: {
          plans: [planId],
          tools: [{ name: 'roll', change: 'update', loosens: ['it may be retried'], plans: [planId] }],
        },
      },
    });
    expect(await world.versions()).toEqual({ look: 1, roll: 1 });
    expect(world.audited).toHaveLength(before);
  });

  it('is not removed until the plan ended', async () => {
    const { world, planId } = await held();
    const inUse = { ok: false, error: { code: 'tool.in_use', details: { plans: [planId] } } };
    expect(await world.catalog.remove(world.admin, 'roll')).toMatchObject(inUse);
    const options = { keep: 'others_go', dryRun: false } as const;
    expect(await world.catalog.execute(world.admin, document({ look: looking() }), options)).toMatchObject(inUse);
    world.usage.release(world.home, planId);
    expect(await world.catalog.remove(world.admin, 'roll')).toMatchObject({ ok: true });
  });

  it('may be tightened', async () => {
    const { world } = await held();
    expect(await world.put({ roll: rolling({ effect: 'destructive' }) })).toMatchObject({ ok: true });
  });
});

describe('removing a tool', () => {
  it('keeps its versions, and counts on when it comes back', async () => {
    const world = new FakeToolWorld();
    await world.put(both);
    const before = world.audited.length;
    expect(await world.catalog.remove(world.admin, 'roll')).toMatchObject({
      ok: true,
      value: {
        alone: false,
        value: { changes: [{ name: 'roll', change: 'remove', fromVersion: 1, toVersion: null }] },
      },
    });
    expect(await world.versions()).toEqual({ look: 1 });
    expect(world.audited.slice(before)).toMatchObject([
      { action: 'tool.removed', subject: { id: 'roll' }, payload: { from_version: 1, definition: null } },
    ]);
    expect(await world.inTx((tx) => world.tools.get(tx, 'roll', 1))).toMatchObject({ version: 1 });
    await world.put({ roll: rolling() });
    expect(await world.versions()).toEqual({ look: 1, roll: 2 });
  });

  it('is refused for the simulation tool of another', async () => {
    const world = new FakeToolWorld();
    await world.put(both);
    const refusal = { kind: 'conflict', code: 'tool.predicts_others', details: { tools: ['roll'] } };
    expect(await world.catalog.remove(world.admin, 'look')).toMatchObject({ ok: false, error: refusal });
    await world.catalog.remove(world.admin, 'roll');
    expect(await world.catalog.remove(world.admin, 'look')).toMatchObject({ ok: true });
  });

  it('finds no tool that was never there, or is gone', async () => {
    const world = new FakeToolWorld();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await world.catalog.remove(world.admin, 'look')).toMatchObject(missing);
    await world.put({ look: looking() });
    await world.catalog.remove(world.admin, 'look');
    expect(await world.catalog.remove(world.admin, 'look')).toMatchObject(missing);
  });
});
