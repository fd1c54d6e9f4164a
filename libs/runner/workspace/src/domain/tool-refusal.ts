/** The traces that a refused call may have left: none, the whole change, or an unclear part of it. */
export type RefusalEffect = 'not_started' | 'done' | 'unknown';

/** A tool's refusal: a stable code, and a message with the mistake, its place and the next action. */
export class ToolRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly effect: RefusalEffect = 'not_started',
  ) {
    super(message);
  }
}
