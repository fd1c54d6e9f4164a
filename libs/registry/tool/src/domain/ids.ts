import type { Id } from '#lib/kernel';

export type ExecutorId = Id<'ExecutorId'>;
