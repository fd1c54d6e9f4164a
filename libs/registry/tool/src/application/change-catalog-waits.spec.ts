import type { ToolDocument } from '#lib/formats';
import { actorOf } from '#lib/kernel';
import { FakeToolWorld, looking, rolling } from './fake-tool-world.js';

const both = { look: looking(), roll: rolling() };

/** A tenant with two tools and a second admin. */
async function guarded(): Promise<FakeToolWorld> {
  const world = new FakeToolWorld();
  await world.put(both);
  world.rule.secondAdmin = true;
  return world;
}

describe('a catalog that loosens', () => {
  it('waits as a whole for a second person, and nothing is written', async () => {
    const world = await guarded();
    const before = world.audited.length;
    const tools = { roll: rolling({ idempotent: true }), look: looking({ description: 'Looks twice.' }) };
    expect(await world.put(tools)).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect(await world.versions()).toEqual({ look: 1, roll: 1 });
    expect(world.audited).toHaveLength(before);
    expect(world.waiting).toEqual([
      {
        kind: 'tool_catalog',
        subject: { type: 'tool_catalog', id: 'tools' },
        what: 'Tools: look, roll',
        payload: { keep: 'others_stay', tools },
        base: [
          { name: 'look', digest: { version: 1, removed: false } },
          { name: 'roll', digest: { version: 1, removed: false } },
        ],
        loosens: ['roll: it may be retried'],
        detail: {
          tools: [
            {
              name: 'look',
              change: 'update',
              loosens: [],
              before: { description: 'Looks at servers.' },
              after: { description: 'Looks twice.' },
            },
            {
              name: 'roll',
              change: 'update',
              loosens: ['it may be retried'],
              before: { idempotent: false },
              after: { idempotent: true },
            },
          ],
        },
      },
    ]);
  });

  it('is about its tool if there is one, with the whole definition of a new one', async () => {
    const world = await guarded();
    await world.put({ rest: looking() });
    expect(world.waiting).toMatchObject([
      {
        subject: { type: 'tool', id: 'rest' },
        what: 'Tools: rest',
        base: [{ name: 'rest', digest: null }],
        detail: {
          tools: [{ name: 'rest', change: 'create', before: null, after: { name: 'rest', risk: 'read_only' } }],
        },
      },
    ]);
  });

  it('names five tools, and counts the rest', async () => {
    const world = await guarded();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await world.put(Object.fromEntries(names.map((name): [string, ToolDocument] => [name, looking()])));
    expect(world.waiting).toMatchObject([{ what: 'Tools: a, b, c, d, e and 2 more' }]);
  });

  it('needs a reason', async () => {
    const world = await guarded();
    const { reason: _reason, ...silent } = world.admin;
    await expect(world.put({ rest: looking() }, silent)).rejects.toMatchObject({
      failure: { code: 'change.reason_missing' },
    });
    expect(world.waiting).toEqual([]);
  });

  it('is written once confirmed, in the name of its author', async () => {
    const world = await guarded();
    await world.put({ roll: rolling({ idempotent: true }) });
    const before = world.audited.length;
    expect(await world.confirm(world.catalog, world.waiting[0])).toMatchObject({
      ok: true,
      value: { outcome: 'done', alone: false },
    });
    expect(await world.versions()).toEqual({ look: 1, roll: 2 });
    expect(await world.inTx((tx) => world.tools.history(tx, 'roll'))).toMatchObject({
      versions: [{ createdBy: world.admin.personId }, {}],
    });
    expect(world.audited.slice(before)).toMatchObject([
      {
        action: 'tool.updated',
        actor: actorOf(world.confirmer),
        payload: { requested_by: world.admin.personId, guarded: true },
      },
    ]);
  });

  it('is not written on another base than it was asked for on', async () => {
    const world = await guarded();
    await world.put({ roll: rolling({ idempotent: true }) });
    const [asked] = world.waiting;
    await world.put({ roll: rolling({ description: 'Rolls it out gently.' }) });
    expect(await world.confirm(world.catalog, asked)).toMatchObject({
      ok: false,
      error: { code: 'change.base_changed' },
    });
    expect(await world.versions()).toEqual({ look: 1, roll: 2 });
  });
});

describe('a catalog that only tightens or describes', () => {
  it('is in force at once, and voids the change requests on its tools alone', async () => {
    const world = await guarded();
    await world.put({ roll: rolling({ idempotent: true }) });
    await world.put({ rest: looking() });
    expect(world.waiting).toHaveLength(2);
    expect(await world.put({ roll: rolling({ effect: 'destructive' }) })).toMatchObject({
      ok: true,
      value: { outcome: 'done', alone: false },
    });
    expect(world.waiting.map(({ subject }) => subject.id)).toEqual(['rest']);
    expect(world.rule.movedIn(world.home).at(-1)).toMatchObject({
      kind: 'tool_catalog',
      why: 'Tools: roll changed meanwhile.',
    });
  });

  it('may remove a tool', async () => {
    const world = await guarded();
    expect(await world.catalog.remove(world.admin, 'roll')).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect(await world.versions()).toEqual({ look: 1 });
  });
});
