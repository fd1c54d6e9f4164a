/** How one turn of a run ended: when its next turn is due, or that the turn failed. Times are milliseconds from its end. */
export type Turn =
  | { readonly next: 'now' }
  | { readonly next: 'later'; readonly inMs: number }
  | { readonly next: 'none' }
  | { readonly next: 'failed' };

/** The side of a workflow that a run needs. Each is deterministic under replay. */
export interface WorkflowSide {
  /** One turn of the run, in an activity. Its answer is a {@link Turn} in the history, perhaps of another version. */
  advance(): Promise<unknown>;
  /** Forgets wakes so far: the next turn sees the rows that they were about. */
  forgetWakes(): void;
  /** Whether a wake came since they were forgotten. */
  woken(): boolean;
  /** Waits on a durable timer, or until a wake. */
  wait(ms: number): Promise<void>;
  /** Whether the history is long enough for a new one. */
  historyIsLong(): boolean;
}

/** The rest after a turn that failed; doubled for each failure in a row, as the embedded dispatcher rests. */
const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 60_000;

/**
 * Has a run advanced for as long as its rows say when it is due. Holds nothing that rows do not hold: it may be ended, doubled or
 * begun anew at any moment.
 *
 * @returns `done` if nothing is due before a hint; `continue` if a new history goes on.
 */
export async function driveRun(side: WorkflowSide): Promise<'done' | 'continue'> {
  for (let failures = 0; ;) {
    if (side.historyIsLong()) return 'continue';
    side.forgetWakes();
    const turn = turnIn(await side.advance());
    failures = turn.next === 'failed' ? failures + 1 : 0;
    switch (turn.next) {
      case 'now':
        break;
      case 'later':
        await side.wait(turn.inMs);
        break;
      case 'failed':
        await side.wait(Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** (failures - 1)));
        break;
      case 'none':
        if (!side.woken()) return 'done';
    }
  }
}

/** An answer that is no turn counts as a turn that failed, so that the run rests. */
function turnIn(answer: unknown): Turn {
  if (typeof answer !== 'object' || answer === null || !('next' in answer)) return { next: 'failed' };
  const { next } = answer;
  if (next === 'now' || next === 'none') return { next };
  if (next === 'later' && 'inMs' in answer && typeof answer.inMs === 'number') return { next, inMs: answer.inMs };
  return { next: 'failed' };
}
