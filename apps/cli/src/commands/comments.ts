import type { Command } from 'commander';
import pc from 'picocolors';
import { CommandError, EXIT } from '../exit-codes.js';
import type { CommandContext } from '../command-context.js';
import { commentLines } from '../views/comment-view.js';
import { pageLines, paged, type PageOptions } from './read.js';

interface About {
  readonly change?: true;
}

/** `countersign comment` and `comments`: comments on requests and changes. */
export function addComments(program: Command, context: () => CommandContext): void {
  program
    .command('comment')
    .description('comment on an approval request, or on a change, without deciding on it')
    .argument('<id>', 'the approval request, or with --change the change')
    .argument('<text>', 'the comment')
    .option('--change', 'it is a change of a guardrail')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign comment REQUEST "Why image web-2026.13?"\n  countersign comment CHANGE "Until when?" --change\n',
    )
    .action(async (id: string, text: string, { change }: About) => {
      const { client, output } = context();
      if (text.trim() === '') throw new CommandError(EXIT.usage, 'Say something.', 'Add a text.', [], 'command.usage');
      const comment = { path: { id }, body: { body: text } };
      const said = await (change === true
        ? client().post('/v1/change-requests/{id}/comments', comment)
        : client().post('/v1/approval-requests/{id}/comments', comment));
      output.result(said, [`${pc.bold('comment')} ${said.id} is added; Countersign tells the people concerned.`]);
    });

  paged(program.command('comments').description('list the comments on an approval request or a change'))
    .argument('<id>', 'the approval request, or with --change the change')
    .option('--change', 'it is a change of a guardrail')
    .addHelpText('after', '\nExamples:\n  countersign comments REQUEST\n  countersign comments CHANGE --change\n')
    .action(async (id: string, { change, ...page }: PageOptions & About) => {
      const { client, output } = context();
      const asked = { path: { id }, query: page };
      const found = await (change === true
        ? client().get('/v1/change-requests/{id}/comments', asked)
        : client().get('/v1/approval-requests/{id}/comments', asked));
      const lines = found.items.flatMap(commentLines);
      output.result(found, pageLines('Nobody has commented.', lines, found.items.length, found.next_cursor));
    });
}
