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
  insteadOf(ms, (work) => work);
}

/**
 * Has timers of so many milliseconds pass when the returned function is called. So a program starts before its time limit comes,
 * however slow the machine is. That ends when the test restores its mocks.
 */
export function heldTimers(ms: number): () => void {
  const held: (() => void)[] = [];
  insteadOf(ms, (work) => () => held.push(work));
  return () => {
    for (const work of held.splice(0)) work();
  };
}

/** Has other work done at once for timers of so many milliseconds. */
function insteadOf(ms: number, other: (work: () => void) => () => void): void {
  const real = setTimeout;
  const replaced = <Given extends unknown[]>(work: (...given: Given) => void, after?: number, ...given: Given) =>
    after === ms
      ? real(
          other(() => {
            work(...given);
          }),
          0,
        )
      : real(work, after, ...given);
  const { __promisify__ } = real;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(Object.assign(replaced, { __promisify__ }));
}
