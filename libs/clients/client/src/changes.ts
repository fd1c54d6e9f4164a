import type { components } from './api.js';

/** A change that loosens a guardrail, and waits for a second person. */
export type Change = components['schemas']['ChangeRequest'];

/** The requested change done; or the change itself, if it loosens a guardrail and waits for a second person. */
export type MayWait<T> = T | Change;

/** Whether it waits: then nothing was changed yet. */
export const isWaiting = <T extends object>(answer: MayWait<T>): answer is Change => 'change_digest' in answer;
