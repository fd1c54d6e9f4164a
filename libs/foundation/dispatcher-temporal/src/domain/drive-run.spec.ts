import { driveRun, type Turn, type WorkflowSide } from './drive-run.js';

const now: Turn = { next: 'now' };
const none: Turn = { next: 'none' };
const failed: Turn = { next: 'failed' };

interface Script {
  readonly turns: readonly unknown[];
  /** The turn, counted from 1, during which a wake comes. */
  readonly wakeDuring?: number;
  /** After so many turns the history is long. */
  readonly longAfter?: number;
}

/** A workflow that plays its turns, and tells how long it waited. */
function played({ turns, wakeDuring, longAfter = Infinity }: Script) {
  let taken = 0;
  let woken = false;
  const waits: number[] = [];
  const side: WorkflowSide = {
    advance: () => {
      if (taken === turns.length) throw new Error('a turn too many');
      const turn = turns[taken];
      taken += 1;
      if (taken === wakeDuring) woken = true;
      return Promise.resolve(turn);
    },
    forgetWakes: () => {
      woken = false;
    },
    woken: () => woken,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    historyIsLong: () => taken >= longAfter,
  };
  return { side, waits, taken: () => taken };
}

describe('the workflow of a run', () => {
  it('advances at once for as long as there is something to do, and ends with the run', async () => {
    const { side, waits, taken } = played({ turns: [now, now, none] });
    expect(await driveRun(side)).toBe('done');
    expect({ turns: taken(), waits }).toEqual({ turns: 3, waits: [] });
  });

  it('waits as long as the run says', async () => {
    const { side, waits } = played({ turns: [{ next: 'later', inMs: 60_000 }, none] });
    await driveRun(side);
    expect(waits).toEqual([60_000]);
  });

  it.each([undefined, null, 'now', {}, { next: 'paused' }, { next: 'later' }, { next: 'later', inMs: '0' }])(
    'rests after an answer that is no turn: %j',
    async (answer) => {
      const { side, waits } = played({ turns: [answer, none] });
      expect(await driveRun(side)).toBe('done');
      expect(waits).toEqual([1_000]);
    },
  );

  it('takes another turn if a wake came during the last', async () => {
    const { side, taken } = played({ turns: [none, none], wakeDuring: 1 });
    expect(await driveRun(side)).toBe('done');
    expect(taken()).toBe(2);
  });

  it('forgets a wake that the next turn has seen', async () => {
    const { side, taken } = played({ turns: [now, none], wakeDuring: 1 });
    await driveRun(side);
    expect(taken()).toBe(2);
  });

  it('rests after failures: twice as long each time, at most a minute, and anew after a turn that succeeds', async () => {
    const { side, waits } = played({ turns: [...Array<Turn>(8).fill(failed), now, failed, none] });
    await driveRun(side);
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 1].map((seconds) => seconds * 1_000));
  });

  it('goes on with a new history once its own is long, before another turn', async () => {
    const { side, taken } = played({ turns: [now, now, now], longAfter: 2 });
    expect(await driveRun(side)).toBe('continue');
    expect(taken()).toBe(2);
  });
});
