import type { Command } from 'commander';
import { createProgram } from './program.js';

const WIDTH = 80;

describe('the help of every command', () => {
  it('fits a terminal of 80 columns, but for lines to paste', () => {
    const wide: string[] = [];
    let written = '';
    // Help writes, and asks for nothing else.
    const program = createProgram({ out: (text: string) => (written += text) } as never);
    const visit = (command: Command, path: string): void => {
      written = '';
      command.configureOutput({ getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
      command.outputHelp();
      const lines = written.split('\n').filter((line) => !/^ {2}.*(countersign |[{}])/.test(line));
      wide.push(...lines.filter((line) => line.length > WIDTH).map((line) => `${path}: ${line}`));
      for (const child of command.commands) visit(child, `${path} ${child.name()}`);
    };
    visit(program, 'countersign');
    expect(wide).toEqual([]);
  });
});
