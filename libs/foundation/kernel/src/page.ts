/** A request for a part of a list: at most `limit` rows, newest first, that come after a row already seen. */
export interface PageRequest {
  readonly limit: number;
  /** The row's time in epoch milliseconds, and its id; null for the beginning. */
  readonly after: { readonly at: number; readonly id: string } | null;
}
