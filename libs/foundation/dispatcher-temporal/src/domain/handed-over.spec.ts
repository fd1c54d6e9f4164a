import { HandedOver } from './handed-over.js';

describe('HandedOver', () => {
  it('leaves a run alone for fifteen seconds', () => {
    const handed = new HandedOver();
    expect(handed.recently('a', 0)).toBe(false);
    handed.note('a', 0);
    expect([handed.recently('a', 14_999), handed.recently('a', 15_000), handed.recently('b', 1)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('forgets runs that are over if there are many', () => {
    const handed = new HandedOver();
    for (let run = 0; run < 10_000; run += 1) handed.note(String(run), 0);
    handed.note('late', 20_000);
    // Time does not go back; this shows that the run itself is gone.
    expect(handed.recently('1', 0)).toBe(false);
    expect(handed.recently('late', 20_000)).toBe(true);
  });
});
