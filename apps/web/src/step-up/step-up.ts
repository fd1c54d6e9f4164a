import type { StartStepUpBody, StepUpView } from '#lib/api-schemas';

/** What a second factor is asked for; the proof holds for exactly this. */
export type Operation = StartStepUpBody['operation'];

export type Method = StepUpView['methods'][number];
