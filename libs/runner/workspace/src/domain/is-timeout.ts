/** Whether a signal with this reason aborted because its time was over, as one of `AbortSignal.timeout` does. */
export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';
