import type { Decision } from '#lib/formats';
import type { StoredDecision } from './put-decision.js';

/** A thing that has an id. */
interface Thing {
  readonly type: string;
  readonly id: string;
}

interface LogLocation {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  /** The agent that asked, or the agent of the plan, session or automation; null if none. */
  readonly agent: string | null;
  readonly subject: Thing;
  /** Outermost first. */
  readonly within: readonly Thing[];
}

/** A stored decision with its location in the log. */
export interface LocatedDecision extends LogLocation, StoredDecision {}

/** A row of the log in another shape than Countersign writes. */
export interface MalformedDecision extends LogLocation {
  readonly malformed: true;
  readonly entrypoint: string;
  readonly decision: Pick<Decision, 'outcome'>;
}

/** A decision that a reader can follow. */
export interface Example {
  readonly decision: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly subject: Thing;
  /** Outermost first. */
  readonly within: readonly Thing[];
}

export const exampleOf = ({ id, decidedAt, subject, within }: LogLocation): Example => ({
  decision: id,
  at: decidedAt,
  subject: { ...subject },
  within: within.map((thing) => ({ ...thing })),
});
