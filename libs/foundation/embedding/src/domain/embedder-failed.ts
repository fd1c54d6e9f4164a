/**
 * The kinds of failures. `limited`: too many requests. `rejected`: this question has no answer, and another one may. `late`: no answer in
 * time; fewer texts may have one. `unavailable`: the server, its address or its token does not work.
 */
export type EmbedderFailure = 'limited' | 'rejected' | 'late' | 'unavailable';

/** A server gave no vectors. The message holds no token. */
export class EmbedderFailedError extends Error {
  /** @param retryAfterMs the wait that the server asks for, in milliseconds; null if it names none. */
  constructor(
    readonly failure: EmbedderFailure,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'EmbedderFailedError';
  }
}
