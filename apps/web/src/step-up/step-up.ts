import type { StartStepUpBody, StepUpView } from '#lib/api-schemas';

/** The operation that a second factor is for; the proof holds for no other. */
export type Operation = StartStepUpBody['operation'];

export type Method = StepUpView['methods'][number];
