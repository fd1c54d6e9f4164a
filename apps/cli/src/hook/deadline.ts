/** The end of the time that a hook has. */
export interface Deadline {
  /** Aborted once the time is over. */
  readonly signal: AbortSignal;
  /** Milliseconds; never below 0. */
  readonly left: () => number;
  /** Rejects with {@link DeadlinePassed} if the work takes longer. Work that goes on changes nothing. */
  readonly within: <T>(work: Promise<T>) => Promise<T>;
  /** Waits, and rejects as `within` does. */
  readonly pause: (ms: number) => Promise<void>;
  /** The time is over now. */
  readonly end: () => void;
  /** Lets the process end before. */
  readonly lift: () => void;
}

export class DeadlinePassed extends Error {
  constructor() {
    super('the time of the hook is over');
    this.name = 'DeadlinePassed';
  }
}

/** @param ms from now. */
export function deadlineIn(ms: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let end = performance.now() + ms;
  const pass = (): void => {
    end = 0;
    controller.abort(new DeadlinePassed());
  };
  const timer = setTimeout(pass, ms);
  const within = async <T>(work: Promise<T>): Promise<T> => {
    // After the deadline its rejection is of no use.
    work.catch(() => undefined);
    let stop = (): void => undefined;
    const over = new Promise<never>((_resolve, reject) => {
      stop = (): void => {
        reject(new DeadlinePassed());
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
  return {
    signal,
    left: () => Math.max(0, end - performance.now()),
    within,
    pause: async (length) => {
      let paused: NodeJS.Timeout | undefined;
      try {
        await within(
          new Promise<void>((resolve) => {
            paused = setTimeout(resolve, length);
          }),
        );
      } finally {
        clearTimeout(paused);
      }
    },
    end: () => {
      clearTimeout(timer);
      pass();
    },
    lift: () => {
      clearTimeout(timer);
    },
  };
}
