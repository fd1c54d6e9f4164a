import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { z } from 'zod';
import type { AutonomyChange, ChangeRequestView, ToolChangePlan } from '#lib/contracts';
import { CountersignError, isWaiting, type CountersignClient } from '#lib/sdk';
import { readText } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { counted, oneLine, safe, table } from '../output.js';
import type { Session } from '../session.js';
import { guardedLines, waitingLines } from '../views/change-view.js';
import { applyEnvironments, applyExecutors, type PlaceChange } from './apply-places.js';

/** The files of a configuration directory; any but one may be missing. */
const ENVIRONMENTS = 'environments.yaml';
const EXECUTORS = 'executors.yaml';
const TOOLS = ['tools.yaml', 'adr-009.yaml'];
const AUTONOMY = 'autonomy.yaml';

/** `countersign apply`: a tenant's environments, tools, executors and autonomy document, from a directory that is kept in version control. */
export function addApply(program: Command, session: () => Session): void {
  program
    .command('apply')
    .description('bring environments, tools, executors and autonomy to what a directory says, and show what changes')
    .argument('<directory>', `holds any of ${ENVIRONMENTS}, ${TOOLS.join(' or ')}, ${EXECUTORS}, ${AUTONOMY}`)
    .option('--dry-run', 'only show what would change')
    .addHelpText(
      'after',
      [
        '\nExamples:\n  countersign apply catalog/ --dry-run\n  countersign apply catalog/\n',
        `${ENVIRONMENTS}:\n  environments:\n    qa: { production: false }\n`,
        `${EXECUTORS}:\n  executors:\n    production:\n      fleet: { kind: http, url: 'https://fleet.example/tools' }\n`,
        'What these two leave out stays as it is; a tool that the catalog leaves out is removed.\n',
      ].join('\n'),
    )
    .action(async (directory: string, options: { dryRun?: boolean }) => {
      const { client, io, output } = session();
      const dryRun = options.dryRun === true;
      const [toolsFile, ...otherCatalogs] = TOOLS.map((name) => join(directory, name)).filter((path) =>
        existsSync(path),
      );
      if (otherCatalogs.length > 0) {
        throw new CommandError(
          EXIT.usage,
          `${directory} holds ${TOOLS.join(' and ')}, and one catalog says which tools there are.`,
          'Put all tools into one of them, and take the other away.',
          [],
          'apply.two_catalogs',
        );
      }
      const [environmentsFile, executorsFile, autonomyFile] = [ENVIRONMENTS, EXECUTORS, AUTONOMY].map((name) => {
        const path = join(directory, name);
        return existsSync(path) ? path : undefined;
      });
      if ([environmentsFile, toolsFile, executorsFile, autonomyFile].every((file) => file === undefined)) {
        throw new CommandError(
          EXIT.usage,
          `${directory} holds none of ${[ENVIRONMENTS, ...TOOLS, EXECUTORS, AUTONOMY].join(', ')}.`,
          'Name the directory with your configuration.',
          [],
          'apply.nothing_to_apply',
        );
      }
      const api = client();
      const applying = { api, io, dryRun };
      const environments = environmentsFile === undefined ? [] : await applyEnvironments(environmentsFile, applying);
      const tools = toolsFile === undefined ? null : await inFile(toolsFile, (text) => api.tools.apply(text, dryRun));
      const created = new Set(environments.flatMap(({ change, name }) => (change === 'create' ? name : [])));
      const executors = executorsFile === undefined ? [] : await applyExecutors(executorsFile, applying, created);
      const autonomy =
        autonomyFile === undefined
          ? null
          : await inFile(autonomyFile, (text) => autonomyPlan(api, text, dryRun, tools));
      output.result({ environments, tools, executors, autonomy }, [
        ...placeLines('environments', environments),
        ...(tools === null ? [] : guardedLines(tools, toolLines)),
        ...placeLines('executors', executors),
        ...(autonomy === null ? [] : guardedLines(autonomy, autonomyLines)),
        '',
        dryRun
          ? 'Nothing was changed: this was a dry run.'
          : closing([...environments, ...executors], [tools, autonomy]),
      ]);
    });
}

/** The document names tools that this directory would only create: what it changes is known once they are there. */
interface AwaitingTools {
  readonly awaiting_tools: readonly string[];
  readonly guarded?: undefined;
  readonly guardrail_warning?: undefined;
}

/** Whether all of it is done by now. */
function closing(places: readonly PlaceChange[], answers: readonly (object | null)[]): string {
  const waiting =
    places.filter(({ waits }) => waits !== undefined).length +
    answers.filter((answer) => answer !== null && ('awaiting_tools' in answer || isWaiting(answer))).length;
  return waiting === 0
    ? pc.green('Applied.')
    : pc.yellow('Applied but for what waits; apply it again once that is confirmed.');
}

/** Reads a file and does something with it; a refusal says which file it is about. */
async function inFile<T>(file: string, work: (text: string) => Promise<T>): Promise<T> {
  const text = await readText(file);
  try {
    return await work(text);
  } catch (error) {
    if (!(error instanceof CountersignError) || error.problem.errors === undefined) throw error;
    throw new CountersignError({ ...error.problem, detail: `${file}: ${error.problem.detail}` }, { cause: error });
  }
}

async function autonomyPlan(
  api: CountersignClient,
  source: string,
  dryRun: boolean,
  tools: ToolChangePlan | ChangeRequestView | null,
): Promise<AutonomyChange | ChangeRequestView | AwaitingTools> {
  const etag = await api.autonomy.get().then(
    (current) => current.etag,
    (error: unknown) => {
      if (error instanceof CountersignError && error.status === 404) return undefined;
      throw error;
    },
  );
  try {
    return await api.autonomy.put(source, { dryRun, ...(etag === undefined ? {} : { etag }) });
  } catch (error) {
    const waiting = tools !== null && (dryRun || isWaiting(tools));
    const awaited = waiting && error instanceof CountersignError ? awaitedTools(error, tools) : null;
    if (awaited === null) throw error;
    return { awaiting_tools: awaited };
  }
}

/** The tools that the refusal is about, where it is about nothing else and all of them would be created. */
function awaitedTools({ problem }: CountersignError, tools: ToolChangePlan | ChangeRequestView): string[] | null {
  const created = isWaiting(tools)
    ? proposedTools(tools)
    : new Set(tools.changes.filter(({ change }) => change === 'create').map(({ name }) => name));
  const names = (problem.errors ?? []).map(({ code, pointer }) =>
    code === 'autonomy.unknown_tool' ? (pointer.split('/').at(-1) ?? '') : '',
  );
  return names.length > 0 && names.every((name) => created.has(name)) ? names : null;
}

const proposal = z.object({ tools: z.record(z.string(), z.unknown()) });

/** The tools of a catalog that waits. */
const proposedTools = ({ change }: ChangeRequestView): ReadonlySet<string> =>
  new Set(Object.keys(proposal.parse(change).tools));

function placeLines(noun: string, changes: readonly PlaceChange[]): string[] {
  const changed = changes.filter(({ change }) => change !== 'unchanged');
  if (changed.length === 0) return changes.length === 0 ? [] : [`${noun}: ${String(changes.length)} as they were`];
  const rows = changed.map(({ change, name, what }) => [change, name, what]);
  return [
    pc.bold(`${noun}: ${String(changed.length)} of ${String(changes.length)} change`),
    ...table(['change', '', ''], rows),
    ...changed.flatMap(({ waits }) => (waits === undefined ? [] : waitingLines(waits))),
  ];
}

/** A tool in use is neither removed nor loosened; anything else changes what was approved. */
function heldText({ change, loosens, live_plans: held }: ToolChangePlan['changes'][number]): string {
  if (held.length === 0) return '';
  const plans = counted(held.length, 'plan');
  return loosens.length > 0 || change === 'remove'
    ? `REFUSED while ${plans} that hold it are alive: ${held.join(', ')}`
    : `voids approvals of ${plans}`;
}

function toolLines(plan: ToolChangePlan): string[] {
  const changed = plan.changes.filter((change) => change.change !== 'unchanged');
  if (changed.length === 0) return [`tools: ${String(plan.changes.length)} as they were`];
  const rows = changed.map((change) => [
    change.change,
    change.name,
    change.change === 'update' ? change.fields.join(', ') : '',
    change.loosens.length === 0 ? '' : `LOOSENS: ${change.loosens.join('; ')}`,
    heldText(change),
  ]);
  return [
    pc.bold(`tools: ${String(changed.length)} of ${String(plan.changes.length)} change`),
    ...table(['change', 'tool', 'keys', '', ''], rows),
    ...plan.warnings.map((warning) => pc.yellow(`warning: ${oneLine(warning.pointer)}: ${oneLine(warning.message)}`)),
  ];
}

function autonomyLines(plan: AutonomyChange | AwaitingTools): string[] {
  if ('awaiting_tools' in plan) {
    return [
      pc.bold('autonomy: can be checked once the tools are applied'),
      `  it names ${plan.awaiting_tools.map(oneLine).join(', ')}, which the catalog would only create`,
    ];
  }
  if (!plan.changed) return ['autonomy: as it was'];
  const cells = plan.cells.map((cell) => [cell.change, cell.tool, cell.environment, cell.what.join('; ')]);
  return [
    pc.bold(`autonomy: loosens ${String(plan.loosens)} and tightens ${String(plan.tightens)} cells of the matrix`),
    ...plan.diff.trimEnd().split('\n').map(diffLine),
    ...(cells.length === 0 ? [] : table(['cell', 'tool', 'environment', 'what'], cells)),
    ...plan.warnings.map((warning) =>
      pc.yellow(`warning: line ${String(warning.line ?? 1)}: ${oneLine(warning.message)}`),
    ),
  ];
}

function diffLine(line: string): string {
  if (line.startsWith('+')) return pc.green(safe(line));
  return line.startsWith('-') ? pc.red(safe(line)) : safe(line);
}
