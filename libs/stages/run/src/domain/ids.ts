import type { Id } from '#lib/kernel';

export type RunStepId = Id<'RunStepId'>;
export type AttemptId = Id<'AttemptId'>;
