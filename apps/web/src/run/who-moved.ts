import type { RunDetailView, RunEventView } from '#lib/api-schemas';

/** The person who moved a run to its state, the time, and the reason in their own words. */
export interface Moved {
  /** The person who asked for it; null for a halt, a failure or a limit. */
  readonly actor: RunEventView['actor'] | null;
  /** Null if they gave no reason. */
  readonly note: string | null;
  readonly at: string;
}

const REQUESTED = /^run\.[a-z_]+_requested$/;

/** @returns null until the events are read that say so. */
export function whoMoved(
  { state, reason }: Pick<RunDetailView, 'state' | 'reason'>,
  events: readonly RunEventView[],
): Moved | null {
  const moved = events.findLast(({ type }) => type === `run.${state}`);
  if (moved === undefined) return null;
  const code = reason?.code ?? '';
  const asked = REQUESTED.test(code)
    ? events.findLast(({ type, seq }) => type === code && seq <= moved.seq)
    : undefined;
  const note = asked?.data.note;
  return { actor: asked?.actor ?? null, note: typeof note === 'string' ? note : null, at: moved.at };
}
