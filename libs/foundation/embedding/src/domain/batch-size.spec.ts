import { nextBatchSize } from './batch-size.js';

const MAX_SIZE = 16;
const after = (size: number, tookMs: number | null, texts = size): number =>
  nextBatchSize(size, { texts, tookMs, deadlineMs: 3_000 }, MAX_SIZE);

describe('the size of a batch', () => {
  it.each([
    [16, 8],
    [3, 1],
    [1, 1],
  ])('is halved after an answer that came too late, down to one: %i, %i', (size, next) => {
    expect(after(size, null)).toBe(next);
  });

  it('is half of the texts that came too late, if the batch had room for more', () => {
    expect(after(16, null, 4)).toBe(2);
  });

  it('is doubled after a quick answer to a whole batch, up to the most', () => {
    expect([after(1, 900), after(12, 900), after(16, 900)]).toEqual([2, 16, 16]);
  });

  it('stays after a slow answer, and after one to fewer texts', () => {
    expect([after(4, 1_000), after(4, 2_900), after(4, 10, 3)]).toEqual([4, 4, 4]);
  });
});
