import type { Id } from '#lib/kernel';

export type StepUpId = Id<'StepUpId'>;
