import { Command, type AddHelpTextContext, type AddHelpTextPosition, type HelpContext } from 'commander';

const WIDTH_ELSEWHERE = 80;

/**
 * A command. Its help texts wrap at the width of the terminal, as commander wraps descriptions. Its help about a word is not its own:
 * `countersign agent --help` lists the commands of agents.
 */
export class WrappingCommand extends Command {
  override createCommand(name?: string): Command {
    return new WrappingCommand(name);
  }

  override addHelpText(
    position: AddHelpTextPosition,
    text: string | ((context: AddHelpTextContext) => string | undefined),
  ): this {
    return super.addHelpText(position, (context) => {
      const output = this.configureOutput();
      const width = (context.error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.()) ?? WIDTH_ELSEWHERE;
      return wrapped(typeof text === 'string' ? text : (text(context) ?? ''), width);
    });
  }

  // The second kind of parameter is commander's own, and outdated: nothing here passes one.
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [word = ''] = this.args;
    const isAsked = this.registeredArguments.length === 0 && this.commands.length > 0 && /^[^-]/.test(word);
    if (isAsked && !this.commands.some((each) => each.name() === word)) explainWord(this, word);
    // The outdated parameter is never passed.
    else super.outputHelp(context as HelpContext);
  }
}

/** Lists the commands of a group whose names begin with a word that is none. Refuses the word if there are none. */
export function explainWord(group: Command, word: string): void {
  const found = group.commands.filter((each) => each.name() === `${word}s` || each.name().startsWith(`${word}-`));
  if (found.length === 0) group.error(`error: unknown command '${word}'`);
  const help = group.createHelp();
  const output = group.configureOutput();
  help.prepareContext({ helpWidth: output.getOutHelpWidth?.() ?? WIDTH_ELSEWHERE });
  const width = Math.max(...found.map((each) => help.subcommandTerm(each).length));
  const items = found.map((each) => help.formatItem(help.subcommandTerm(each), width, each.description(), help));
  output.writeOut?.([`Commands of ${word}:`, ...items, '', 'Each explains itself with --help.', ''].join('\n'));
}

/** Lines that begin without a blank are prose, and wrap as a paragraph. The others are lists, and examples to paste. */
const wrapped = (text: string, width: number): string =>
  text.replaceAll(/^\S.*(\n\S.*)*/gm, (paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(/\s+/)) {
      const line = lines.at(-1);
      if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
      else lines[lines.length - 1] = `${line} ${word}`;
    }
    return lines.join('\n');
  });
