import type { Command } from 'commander';
import { CommandError, EXIT } from '../exit-codes.js';
import type { CommandContext } from '../command-context.js';
import { precedentLines } from '../views/precedent-view.js';
import { wholeNumberTo } from './read.js';

interface PrecedentOptions {
  readonly text?: string;
  readonly tool: readonly string[];
  readonly environment?: string;
  readonly argument: readonly string[];
  readonly target: readonly string[];
  readonly limit: number;
}

const MAX_PRECEDENTS = 20;

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `countersign precedents`: earlier requests and runs, their approvers, and their ends. */
export function addPrecedents(program: Command, context: () => CommandContext): void {
  program
    .command('precedents')
    .description('show what was done before, who approved it, and how it ended')
    .argument('[request]', 'an approval request; without it, search by the options')
    .option('--text <words>', 'words, ids, hosts or tickets')
    .option('--tool <name>', 'a tool that would be called; once for each', collect, [])
    .option('--environment <name>', 'the environment')
    .option('--argument <key>', 'an argument key of the calls; once for each', collect, [])
    .option('--target <name>', 'a target of the calls; once for each', collect, [])
    .option('--limit <number>', 'how many at most, up to 20', wholeNumberTo(MAX_PRECEDENTS), 5)
    .addHelpText(
      'after',
      '\nExamples:\n  countersign precedents REQUEST\n  countersign precedents --text "golden image" --tool execute_rollout_prod --environment production\n',
    )
    .action(async (request: string | undefined, options: PrecedentOptions) => {
      const { text, tool, environment, argument, target, limit } = options;
      const open = text === undefined && environment === undefined;
      if (request === undefined && open && tool.length + argument.length + target.length === 0)
        throw new CommandError(
          EXIT.usage,
          'Nothing is named whose precedents you want.',
          'Name a request, or search by --text, --tool, --environment, --argument or --target.',
          [],
          'precedents.nothing_named',
        );
      const { client, output } = context();
      const found = await (request === undefined
        ? client().get('/v1/precedents', {
            query: {
              ...(text === undefined ? {} : { text }),
              ...(environment === undefined ? {} : { environment }),
              ...(tool.length === 0 ? {} : { tools: tool.join(',') }),
              ...(argument.length === 0 ? {} : { argument_keys: argument.join(',') }),
              ...(target.length === 0 ? {} : { targets: target.join(',') }),
              limit,
            },
          })
        : client().get('/v1/approval-requests/{id}/precedents', {
            path: { id: request },
            query: { limit },
          }));
      output.result(found, precedentLines(found));
    });
}
