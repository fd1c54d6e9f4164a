import type { Command } from 'commander';
import type { RunDetailView } from '#lib/api-schemas';
import type { ApprovalState, SimulationState } from '#lib/formats';
import { CountersignError, type CountersignClient } from '#lib/sdk';
import { CommandError, Ended, EXIT } from '../exit-codes.js';
import { followRequest, followSimulation } from '../follow.js';
import { indented, oneLine, state, type Output } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { quorumLines } from '../views/request-view.js';
import { eventLine, standingLines, unknownLines } from '../views/run-view.js';
import { simulationLines } from '../views/simulation-view.js';

const help = `
Ends when the run or simulation has ended, or the request is decided. The exit code is 0 if it went well, else 5.
A paused run is watched on. With --json every line is one JSON object: {"event": ...} for each event of a run,
and {"run": ...}, {"simulation": ...} or {"request": ...} for the end.

Examples:
  countersign watch RUN
  countersign watch REQUEST && echo approved
`;

/** The objects that can be watched, by the kind of an id. */
type Watched = (api: CountersignClient, id: string, output: Output) => Promise<boolean>;

/** `countersign watch`: changes, as they happen. */
export function addWatch(program: Command, context: () => CommandContext): void {
  program
    .command('watch')
    .description('follow a run, a simulation or an approval request until it has ended')
    .argument('<id>', 'the run, simulation or approval request')
    .addHelpText('after', help)
    .action(async (id: string) => {
      const { client, output } = context();
      const api = client();
      for (const watched of [watchRun, watchRequest, watchSimulation] satisfies Watched[]) {
        const well = await unlessAbsent(watched(api, id, output));
        if (well === null) continue;
        if (!well) throw new Ended(EXIT.endedBadly);
        return;
      }
      throw new CommandError(
        EXIT.refused,
        `There is no run, simulation or approval request ${oneLine(id)}.`,
        'countersign runs and countersign requests --all list them.',
        [],
        'watch.not_found',
      );
    });
}

async function watchRun(api: CountersignClient, id: string, output: Output): Promise<boolean> {
  output.note(standingLines(await api.get('/v1/runs/{id}', { path: { id } })).join('\n'));
  for await (const event of api.runEvents(id)) {
    output.event({ event }, eventLine(event));
    if (event.type === 'run.paused')
      output.note(pauseLines(await api.get('/v1/runs/{id}', { path: { id } })).join('\n'));
  }
  const run = await api.get('/v1/runs/{id}', { path: { id } });
  output.event({ run }, standingLines(run).join('\n'));
  return run.state === 'completed';
}

/** The actions that a person can take about a pause. */
function pauseLines(run: RunDetailView): string[] {
  if (run.state !== 'paused') return [];
  const unknown = unknownLines(run).slice(1);
  if (unknown.length > 0) return unknown;
  return [
    `next: countersign run resume ${run.id}, countersign run roll-back ${run.id} or countersign run cancel ${run.id}`,
  ];
}

const WELL: ReadonlySet<ApprovalState | SimulationState> = new Set(['approved', 'consumed', 'succeeded']);

async function watchRequest(api: CountersignClient, id: string, output: Output): Promise<boolean> {
  let well = false;
  for await (const request of followRequest(api, id)) {
    const why = request.closed_reason === null ? '' : `: ${oneLine(request.closed_reason.message)}`;
    const lines = [
      `approval request ${request.id} is ${state(request.state)}${why}`,
      ...indented(quorumLines(request)),
    ];
    output.event({ request }, lines.join('\n'));
    well = WELL.has(request.state);
    if (well)
      output.note(
        `next: ${request.start === 'manual' ? `countersign run start ${request.subject.id}` : `countersign runs --plan ${request.subject.id}`}`,
      );
  }
  return well;
}

async function watchSimulation(api: CountersignClient, id: string, output: Output): Promise<boolean> {
  let well = false;
  for await (const simulation of followSimulation(api, id)) {
    output.event({ simulation }, simulationLines(simulation).join('\n'));
    well = WELL.has(simulation.state);
  }
  return well;
}

/** Null if there is no such object. */
async function unlessAbsent(work: Promise<boolean>): Promise<boolean | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CountersignError && error.status === 404) return null;
    throw error;
  }
}
