import type { Cell } from '#lib/cell-map';

/** A request on its way to a cell. */
export interface Passage {
  readonly cell: Cell;
  readonly requestId: string;
  readonly headers: Record<string, string | string[]>;
  /** The answer is a stream or a socket. It ends once another cell serves the tenant, or once the router ends. */
  lasts(): void;
  /** Aborted then, and when requests under way have no more time. */
  readonly over: AbortSignal;
  /** The passage has ended. */
  leave(): void;
}
