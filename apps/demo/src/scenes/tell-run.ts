import type { RunEventView } from '#lib/api-schemas';
import { OffScriptError, type Stage } from '../stage.js';

/**
 * Follows a run to its end, or until `stop` says that enough was seen, and tells the events after event `after`.
 * Answers the last event seen.
 */
export async function tellRun(
  stage: Stage,
  runId: string,
  ending: string | null,
  stop: (event: RunEventView) => boolean = () => false,
  after = 0,
): Promise<number> {
  const { cast, narrator } = stage;
  const following = new AbortController();
  let steps = 0;
  let last = '';
  let seen = after;
  const follow = async (): Promise<void> => {
    for await (const event of cast.agent.client.runEvents(runId, following.signal)) {
      if (event.seq <= after) continue;
      seen = event.seq;
      if (event.type === 'run.step_succeeded') steps += 1;
      last = event.type;
      tellEvent(stage, event);
      if (stop(event)) {
        following.abort();
        return;
      }
    }
  };
  await narrator.during('running', follow(), () => `${String(steps)} steps done, last ${last}`);
  if (ending === null) return seen;
  const run = await cast.agent.client.get('/v1/runs/{id}', { path: { id: runId } });
  if (run.state !== ending)
    throw new OffScriptError(`the run is ${run.state}, and should be ${ending}: ${run.reason?.message ?? ''}`);
  const actual = run.outcome;
  if (actual !== null && run.predicted !== null) {
    narrator.say(
      `predicted ${String(run.predicted.affected_assets)} servers, changed ${String(actual.affected_assets)}; ` +
        `${String(actual.calls.succeeded)} calls succeeded, ${String(actual.calls.compensated)} were undone`,
    );
  }
  return seen;
}

function tellEvent({ narrator }: Stage, { type, data }: RunEventView): void {
  const reason = reasonOf(data);
  switch (type) {
    case 'run.step_dispatched':
      if (data.kind === 'call') narrator.act('run', `${textOf(data, 'tool')} on ${targetsOf(data)}`);
      return;
    case 'run.compensation_dispatched':
      narrator.act('run', `undoes ${textOf(data, 'step_id')} on ${targetsOf(data)}`);
      return;
    case 'run.waiting':
      narrator.aside(
        `waits ${String(Number(data.wait_ms) / 1_000)} s${'shortened_for_demonstration_by' in data ? ' (the demo shortens what the plan says)' : ''}`,
      );
      return;
    case 'run.health_evaluated':
      narrator.yes(`health check ${textOf(data, 'verdict')}: ${textOf(data, 'explanation')}`);
      return;
    case 'run.paused':
      narrator.no(`the run pauses: ${reason}`);
      return;
    case 'run.rolling_back':
      narrator.no(`the run rolls back: ${reason}`);
      return;
    case 'run.completed':
    case 'run.rolled_back':
    case 'run.cancelled':
    case 'run.failed':
      narrator.yes(`the run has ended: ${type.slice('run.'.length)}`);
      return;
    default:
  }
}

/** A member that is text; the empty string if it is not. */
function textOf(data: RunEventView['data'], name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

const reasonOf = (data: RunEventView['data']): string => {
  const { reason } = data;
  return reason !== null && typeof reason === 'object' && 'message' in reason && typeof reason.message === 'string'
    ? reason.message
    : '';
};

function targetsOf(data: RunEventView['data']): string {
  const { targets } = data;
  if (!Array.isArray(targets) || targets.length === 0) return 'nothing';
  const names = targets.map(String);
  return names.length === 1 ? (names[0] ?? '') : `${names[0] ?? ''} … ${names.at(-1) ?? ''} (${String(names.length)})`;
}
