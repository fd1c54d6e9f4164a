import type { Id } from '#lib/kernel';

export type RunnerId = Id<'RunnerId'>;
export type RunnerDispatchId = Id<'RunnerDispatchId'>;
