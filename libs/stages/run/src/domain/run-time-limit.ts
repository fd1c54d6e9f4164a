/**
 * Seven days. It is how long a run goes forward by itself from its start, and again after a person resumes it. At the
 * next step after that it pauses, so that nothing executes for ever on an old approval. A dispatched call is awaited
 * first, and a rollback is never cut short.
 */
export const RUN_TIME_LIMIT_MINUTES = 10_080;

export const pauseByOf = (goesForwardFrom: number): number => goesForwardFrom + RUN_TIME_LIMIT_MINUTES * 60_000;
