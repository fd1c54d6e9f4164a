import { Command, type AddHelpTextContext, type AddHelpTextPosition } from 'commander';

const WIDTH_ELSEWHERE = 80;

/** A command whose help texts wrap at the width of the terminal, as commander wraps descriptions. */
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
