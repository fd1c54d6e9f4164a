import { passTimers } from '../support/passed-waits.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('a timer that passes at once gives its work what it was given', async () => {
  passTimers(600_000);
  const given = await new Promise((resolve) => {
    const work = (...words: readonly string[]): void => {
      resolve(words);
    };
    setTimeout(work, 600_000, 'one', 'two');
  });
  expect(given).toEqual(['one', 'two']);
});
