import { FakeAutonomyWorld, TWO_LEADS } from './fake-autonomy-world.js';
import type { ReadAutonomy } from './read-autonomy.js';

const CANARY = TWO_LEADS.replace('full_auto', 'canary_only');
const FROZEN = `${TWO_LEADS}freezes:
  - { name: now, time_zone: UTC, from: 2026-01-05T08:00, until: 2026-01-05T10:00 }
  - { name: later, time_zone: UTC, from: 2026-01-05T10:00, until: 2026-01-06T10:00 }
  - { name: over, time_zone: UTC, from: 2026-01-04T10:00, until: 2026-01-05T08:00 }
`;
const MISSING = { ok: false, error: { code: 'resource.not_found' } };

let world: FakeAutonomyWorld;
let reading: ReadAutonomy;
beforeEach(async () => {
  world = await FakeAutonomyWorld.open();
  ({ reading } = world);
});
const effective = (tool: string | null = null, environment: string | null = null) =>
  reading.effective(world.admin, { tool, environment });

describe('the autonomy document', () => {
  it('is missing before the first, and then the one in force', async () => {
    expect(await reading.current(world.admin)).toMatchObject(MISSING);
    await world.put(TWO_LEADS);
    await world.put(CANARY);
    expect(await reading.current(world.admin)).toMatchObject({ ok: true, value: { number: 2, source: CANARY } });
  });

  it('has a history, newest first, that says which revision is in force', async () => {
    const list = async (before: number | null, limit: number) => {
      const { revisions, inForce } = await reading.list(world.admin, { before, limit });
      return [revisions.map(({ number }) => number), inForce];
    };
    expect(await list(null, 5)).toEqual([[], null]);
    for (const source of [TWO_LEADS, CANARY, TWO_LEADS]) await world.put(source);
    expect(await list(null, 2)).toEqual([[3, 2], 3]);
    expect(await list(2, 2)).toEqual([[1], 3]);
  });

  it('shows a revision with its changes since the one before, and whether it is in force', async () => {
    await world.put(TWO_LEADS);
    await world.put(CANARY);
    const [first, second] = [await reading.revision(world.admin, 1), await reading.revision(world.admin, 2)];
    expect(first).toMatchObject({ value: { revision: { number: 1 }, inForce: false } });
    expect(first.ok && first.value.diff).toMatch(
      /^--- \/dev\/null\n\+\+\+ revision 1\n@@ -0,0 \+1,7 @@\n\+autonomy:\n/,
    );
    expect(second).toMatchObject({ value: { revision: { number: 2 }, inForce: true } });
    expect(second.ok && second.value.diff).toMatch(
      /^--- revision 1\n\+\+\+ revision 2\n(.*\n)+- +mode: full_auto\n\+ +mode: canary_only\n/,
    );
    expect(await reading.revision(world.admin, 3)).toMatchObject(MISSING);
  });
});

describe('the effective matrix', () => {
  it('has a cell for each tool in each environment, with the line that its mode comes from', async () => {
    await world.put(TWO_LEADS);
    const { revision, bundleRevision, cells } = await effective();
    expect([revision, bundleRevision]).toEqual([1, world.policy.bundleRevision]);
    expect(cells.map(({ tool, environment, source }) => [tool.name, environment.name, source?.line])).toEqual([
      ['look', 'production', 5],
      ['look', 'staging', 2],
      ['rollout', 'production', 5],
      ['rollout', 'staging', 2],
    ]);
  });

  it('is of one tool or one environment if asked', async () => {
    const named = async (tool: string | null, environment: string | null) =>
      (await effective(tool, environment)).cells.map((cell) => `${cell.tool.name} in ${cell.environment.name}`);
    expect(await named('look', null)).toEqual(['look in production', 'look in staging']);
    expect(await named(null, 'staging')).toEqual(['look in staging', 'rollout in staging']);
    expect(await named('none', null)).toEqual([]);
  });

  it('comes from no line without a document', async () => {
    const { revision, cells, freezes } = await effective('rollout', 'production');
    expect([revision, freezes]).toEqual([null, []]);
    expect(cells).toMatchObject([{ source: null, decision: { effective: { mode: 'plan_only' } } }]);
  });

  it('tells of each freeze whether it is active, its next time and its line', async () => {
    await world.put(FROZEN);
    world.uow.now = Date.UTC(2026, 0, 5, 9);
    const { freezes } = await effective();
    const [ten, nextTen] = [Date.UTC(2026, 0, 5, 10), Date.UTC(2026, 0, 6, 10)];
    expect(freezes.map(({ freeze, active, stretch, source }) => [freeze.name, active, stretch, source?.line])).toEqual([
      ['now', true, { from: Date.UTC(2026, 0, 5, 8), until: ten }, 9],
      ['later', false, { from: ten, until: nextTen }, 10],
      ['over', false, null, 11],
    ]);
  });
});
