import { CommitTurns, type EndCommit } from './commit-turns.js';

const LATE_MS = 20;

/** Two turns, and a clock. */
function turns() {
  const world = { now: 0 };
  return Object.assign(world, { made: new CommitTurns(2, () => world.now, LATE_MS) });
}

const taken = (leave: EndCommit | null): EndCommit => {
  if (leave === null) throw new Error('There was no turn.');
  return leave;
};

describe('the turns of commits', () => {
  it('are so many, and one that ends leaves its turn to the first that waits', async () => {
    const { made } = turns();
    const [first] = [taken(made.take()), taken(made.take())];
    expect(made.take()).toBeNull();
    const waiting = [made.wait(), made.wait()];
    first();
    first();
    const next = taken((await waiting[0]) ?? null);
    expect(made.take()).toBeNull();
    next();
    taken((await waiting[1]) ?? null)();
    expect(made.take()).not.toBeNull();
  });

  it('are waited for briefly, and not once a commit is late', async () => {
    const world = turns();
    const held = [taken(world.made.take()), taken(world.made.take())];
    expect(await world.made.wait()).toBeNull();
    expect(world.made.late).toBe(0);
    world.now = LATE_MS + 1;
    expect([world.made.late, await world.made.wait()]).toEqual([2, null]);
    // The one that gave up takes no turn that becomes free.
    held[0]?.();
    expect([world.made.late, world.made.take() === null]).toEqual([1, false]);
  });
});
