import type { Command } from 'commander';
import pc from 'picocolors';
import type { ConfigurationPart, ConfigurationChange } from '#lib/api-schemas';
import { CountersignError, isWaiting, type CountersignClient } from '#lib/sdk';
import { CONFIGURATION_FILES, configurationFiles, type ConfigurationFile } from '../configuration-files.js';
import { oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { appliedLines, loosensLines, type Applied } from '../views/applied-view.js';
import { awaitedTools } from './awaited-tools.js';

/** `countersign apply`: a tenant's environments, tools, executors and autonomy document, from a directory that is kept in version control. */
export function addApply(program: Command, context: () => CommandContext): void {
  program
    .command('apply')
    .description('apply the environments, tools, executors and autonomy of a directory, and show the changes')
    .argument(
      '<directory>',
      `holds any of ${Object.values(CONFIGURATION_FILES).join(', ')}; a YAML file of another name that begins a line with "tools:" is the catalog, too`,
    )
    .option('--dry-run', 'only show what would change, and what would be refused')
    .addHelpText(
      'after',
      [
        '\nExamples:\n  countersign apply catalog/ --dry-run\n  countersign apply catalog/\n',
        `${CONFIGURATION_FILES.environments}:\n  environments:\n    qa: { production: false }\n`,
        `${CONFIGURATION_FILES.executors}:\n  executors:\n    production:\n      fleet: { kind: http, url: 'https://fleet.example/tools' }\n`,
        'Entries that these two leave out stay as they are; a tool that the catalog leaves out is removed.',
        'The parts are applied in this order. If one is refused, those before it stay applied, and are shown.\n',
      ].join('\n'),
    )
    .action(async (directory: string, { dryRun = false }: { dryRun?: boolean }) => {
      const { client, output } = context();
      const files = await configurationFiles(directory);
      const api = client();
      const run = dryRun ? await checked(api, files) : await applied(api, files);
      const { answers, refusal } = run;
      const verdict = refusal === null ? closing(dryRun, answers) : halfway(dryRun, answers, refusal.file);
      const lines = [...appliedLines(answers), ...(dryRun ? loosensLines(run.loosens) : []), '', verdict];
      output.result(
        {
          ...answers,
          ...(dryRun ? { loosens: run.loosens } : {}),
          ...(refusal === null ? {} : { refused: refusal.file }),
        },
        lines,
      );
      if (refusal !== null) throw inFile(refusal.file, refusal.error);
    });
}

/** The changes that were made or would be, and the file at which it ended. */
interface Outcome {
  readonly answers: Applied;
  readonly loosens: readonly string[];
  readonly refusal: { readonly file: string; readonly error: unknown } | null;
}

const NOTHING: Applied = { environments: [], tools: null, executors: [], autonomy: null };

/** The server makes the change, reads the result, and takes it back: a refusal comes here as well. */
async function checked(api: CountersignClient, files: readonly ConfigurationFile[]): Promise<Outcome> {
  const found = await api.post('/v1/configuration/check', {
    body: Object.fromEntries(files.map(({ part, text }) => [part, text])),
  });
  const { refused } = found;
  const file = files.find(({ part }) => part === refused?.part)?.file ?? '';
  return {
    answers: {
      environments: found.environments ?? [],
      tools: found.tools,
      executors: found.executors ?? [],
      autonomy: found.autonomy,
    },
    loosens: found.loosens.map(({ what }) => what),
    refusal: refused === null ? null : { file, error: new CountersignError(refused.problem) },
  };
}

async function applied(api: CountersignClient, files: readonly ConfigurationFile[]): Promise<Outcome> {
  let answers = NOTHING;
  for (const { part, file, text } of files) {
    try {
      answers = { ...answers, ...(await applyPart(api, part, text, answers)) };
    } catch (error) {
      // Environments and executors are put one by one: those before the refused one were.
      const done = part === 'environments' || part === 'executors' ? { [part]: doneBefore(error) } : {};
      return { answers: { ...answers, ...done }, loosens: [], refusal: { file, error } };
    }
  }
  return { answers, loosens: [], refusal: null };
}

async function applyPart(
  api: CountersignClient,
  part: ConfigurationPart,
  text: string,
  before: Applied,
): Promise<Partial<Applied>> {
  switch (part) {
    case 'environments':
      return { environments: (await api.put('/v1/configuration/environments', { yaml: text })).changes };
    case 'tools':
      return { tools: await api.put('/v1/tools', { yaml: text }) };
    case 'executors':
      return { executors: (await api.put('/v1/configuration/executors', { yaml: text })).changes };
    case 'autonomy':
      return { autonomy: await putAutonomy(api, text, before) };
  }
}

/** Documents that name tools of a catalog that waits are put once these are there. */
async function putAutonomy(api: CountersignClient, source: string, { tools }: Applied): Promise<Applied['autonomy']> {
  const etag = await api.answer('GET', '/v1/autonomy', { accept: 'application/yaml' }).then(
    ({ headers }) => headers.get('etag') ?? undefined,
    (error: unknown) => {
      if (error instanceof CountersignError && error.status === 404) return undefined;
      throw error;
    },
  );
  try {
    return await api.put('/v1/autonomy', {
      yaml: source,
      ifMatch: etag,
    });
  } catch (error) {
    const awaited =
      tools !== null && isWaiting(tools) && error instanceof CountersignError ? awaitedTools(error, tools) : null;
    if (awaited === null) throw error;
    return { awaiting_tools: awaited };
  }
}

/** A refusal says which file it is about. */
function inFile(file: string, error: unknown): unknown {
  if (!(error instanceof CountersignError)) return error;
  return new CountersignError({ ...error.problem, detail: `${file}: ${error.problem.detail}` }, { cause: error });
}

const doneBefore = (error: unknown): readonly ConfigurationChange[] =>
  error instanceof CountersignError ? (error.problem.details?.done ?? []) : [];

/** Whether all of it is done by now. */
function closing(dryRun: boolean, answers: Applied): string {
  if (dryRun) return 'Nothing was changed: this was a dry run.';
  return waits(answers)
    ? pc.yellow('Applied but for what waits; apply it again once that is confirmed.')
    : pc.green('Applied.');
}

function halfway(dryRun: boolean, answers: Applied, file: string): string {
  if (dryRun) return `Nothing was changed: this was a dry run. ${oneLine(file)} would be refused:`;
  return changedAnything(answers)
    ? pc.yellow(
        `Applied in part: what stands above is done. ${oneLine(file)} was refused, and nothing after it was tried:`,
      )
    : `Nothing was changed. ${oneLine(file)} was refused:`;
}

const changedAnything = ({ environments, tools, executors, autonomy }: Applied): boolean =>
  [...environments, ...executors].some(({ change }) => change !== 'unchanged') ||
  (tools !== null && (isWaiting(tools) || tools.changes.some(({ change }) => change !== 'unchanged'))) ||
  autonomy !== null;

const waits = ({ environments, executors, tools, autonomy }: Applied): boolean =>
  [...environments, ...executors].some((change) => change.waits !== undefined) ||
  [tools, autonomy].some((answer) => answer !== null && ('awaiting_tools' in answer || isWaiting(answer)));
