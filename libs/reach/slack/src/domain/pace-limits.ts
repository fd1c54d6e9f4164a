interface Limit {
  /** Milliseconds between two calls, on average. */
  readonly everyMs: number;
  /** Calls at once after a pause. */
  readonly burst: number;
}

/** chat.postMessage: "one message per second per channel" (https://docs.slack.dev/apis/web-api/rate-limits). */
export const POST: Limit = { everyMs: 1_000, burst: 1 };
/**
 * chat.update is Tier 3: 50 calls a minute in a workspace (https://docs.slack.dev/reference/methods/chat.update). Ten at once and
 * forty in the next minute stay within it.
 */
export const EDIT: Limit = { everyMs: 1_500, burst: 10 };
/** A new message keeps its turn for this time before a reply may take it. Workers look for due messages once a second. */
export const TURN_MS = 1_300;
/** A call that comes at most this early waits for its turn. */
export const EARLY_MS = 300;
