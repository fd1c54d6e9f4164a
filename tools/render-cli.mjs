/** Renders the programs as a reference page in Markdown: the help of each command, as it prints it. */

const WIDTH = 100;

/**
 * @param {((out: (text: string) => void) => import('commander').Command)[]} creates each makes a program, given where it writes.
 * @returns {string}
 */
export function renderCommandLine(...creates) {
  let written = '';
  const programs = creates.map((create) =>
    create((text) => {
      written += text;
    }),
  );
  const helpOf = (command) => {
    written = '';
    command.configureOutput({
      ...command.configureOutput(),
      getOutHelpWidth: () => WIDTH,
      getOutHasColors: () => false,
    });
    command.outputHelp();
    return written.replaceAll(/[ \t]+$/gm, '').trim();
  };
  const sections = [];
  const visit = (command, path) => {
    const depth = path.length === 1 ? '##' : '###';
    sections.push(`${depth} \`${path.join(' ')}\``, '', '```text', helpOf(command), '```', '');
    for (const child of command.commands.filter((each) => each.name() !== 'help'))
      visit(child, [...path, child.name()]);
  };
  for (const program of programs) visit(program, [program.name()]);
  return ['# The command line', '', 'Every command says the same with `--help`.', '', ...sections].join('\n');
}
