import timers from 'node:timers/promises';

/**
 * Has waits of the product pass at once in the tests of this file. So a test neither sleeps nor looks at a wall clock.
 *
 * @param passes whether a wait of so many milliseconds does; without it each does.
 * @returns the waits of the test that passed so, in milliseconds.
 */
export function passedWaits(passes: (ms: number) => boolean = () => true): readonly number[] {
  const real = timers.setTimeout;
  const passed: number[] = [];
  const hasten: typeof real = (ms = 0, value, options) => {
    if (!passes(ms)) return real(ms, value, options);
    passed.push(ms);
    return timers.setImmediate(value, options);
  };
  beforeEach(() => {
    passed.length = 0;
    timers.setTimeout = hasten;
  });
  // Node has one such module for all files of a worker.
  afterEach(() => {
    timers.setTimeout = real;
  });
  return passed;
}

/**
 * Has timers of so many milliseconds pass at once from now on, such as time limits. That ends when the test restores its mocks.
 */
export function passTimers(ms: number): void {
  const real = setTimeout;
  const hasten = <Given extends unknown[]>(work: (...given: Given) => void, after?: number, ...given: Given) =>
    real(work, after === ms ? 0 : after, ...given);
  const { __promisify__ } = real;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(Object.assign(hasten, { __promisify__ }));
}
