import { HandedOver } from './handed-over.js';

describe('the hand-over of runs to Temporal', () => {
  let handed: HandedOver;
  beforeEach(() => {
    handed = new HandedOver();
  });
  /** Hands a run over, and says how many seconds it is left alone. */
  const leftAlone = (at: number): number => {
    handed.note('a', at * 1_000);
    let seconds = 0;
    while (handed.leftAlone('a', (at + seconds) * 1_000, false)) seconds += 1;
    return seconds;
  };

  it('leaves a run alone for fifteen seconds, and others not', () => {
    expect(handed.leftAlone('a', 0, false)).toBe(false);
    expect(leftAlone(0)).toBe(15);
    expect(handed.leftAlone('b', 1, true)).toBe(false);
  });

  it('leaves a run alone for four minutes if the queue is full', () => {
    leftAlone(0);
    leftAlone(15);
    const at = (seconds: number, full: boolean): boolean => handed.leftAlone('a', seconds * 1_000, full);
    expect([at(254, true), at(255, true), at(44, false), at(45, false)]).toEqual([true, false, true, false]);
  });

  it('doubles the time for a run that is found again at once, to four minutes', () => {
    const times = [15, 30, 60, 120, 240, 240];
    let at = 0;
    expect(
      times.map(() => {
        const seconds = leftAlone(at);
        at += seconds;
        return seconds;
      }),
    ).toEqual(times);
  });

  it('begins anew for a run that has gone on meanwhile, and after a hint', () => {
    leftAlone(0);
    leftAlone(15);
    expect(leftAlone(200)).toBe(15);
    leftAlone(215);
    expect(leftAlone(220)).toBe(15);
  });

  it('forgets runs that are over if there are many', () => {
    for (let run = 0; run < 10_000; run += 1) handed.note(String(run), 0);
    handed.note('late', 20_000);
    // Time does not go back; this shows that the run itself is gone.
    expect(handed.leftAlone('1', 0, false)).toBe(false);
    expect(handed.leftAlone('late', 20_000, false)).toBe(true);
  });
});
