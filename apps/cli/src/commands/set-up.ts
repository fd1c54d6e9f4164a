import type { Command } from 'commander';
import pc from 'picocolors';
import type { SetUpView } from '#lib/api-schemas';
import { oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';

/** `countersign set-up`: the steps of a new tenant, and those done. */
export function addSetUp(program: Command, context: () => CommandContext): void {
  program
    .command('set-up')
    .description('show what a new tenant needs before a change can be approved and carried out, and how far it is')
    .addHelpText('after', '\nExamples:\n  countersign set-up\n  countersign --json set-up\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/set-up');
      output.result(found, [
        ...found.steps.flatMap(stepLines),
        '',
        found.complete
          ? pc.green('Everything that is needed is done.')
          : `${String(found.steps.filter(({ done, needed }) => needed && !done).length)} of ${String(found.steps.filter(({ needed }) => needed).length)} needed steps are open.`,
      ]);
    });
}

const stepLines = ({ title, done, needed, detail, command }: SetUpView['steps'][number]): string[] => [
  `${done ? pc.green('✓') : pc.yellow('…')} ${pc.bold(title)}${needed ? '' : pc.dim(' (optional)')}`,
  `    ${oneLine(detail)}`,
  ...(done || command === null ? [] : [pc.dim(`    see: ${command} --help`)]),
];
