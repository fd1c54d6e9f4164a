/** A request within this part of its time would also have been in time with twice as many texts. */
const QUICK = 1 / 3;

/** A request for vectors that was answered, or came too late. Times are milliseconds. */
export interface TimedRequest {
  readonly texts: number;
  /** Null if the answer came too late. */
  readonly tookMs: number | null;
  readonly deadlineMs: number;
}

/**
 * How many texts the next request holds. After an answer that came too late it is half of them, down to one. So even a
 * slow server answers. After a quick answer to a whole batch it is twice as many.
 *
 * @param size of the batch that was asked. @param most of a batch.
 */
export function nextBatchSize(size: number, { texts, tookMs, deadlineMs }: TimedRequest, most: number): number {
  if (tookMs === null) return Math.max(1, Math.floor(Math.min(size, texts) / 2));
  return texts >= size && tookMs < deadlineMs * QUICK ? Math.min(most, size * 2) : size;
}
