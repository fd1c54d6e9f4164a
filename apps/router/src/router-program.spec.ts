import type { Command } from 'commander';
import { routerProgram } from './router-program.js';

const WIDTH = 80;

describe('the help of every command of the router', () => {
  it('fits a terminal of 80 columns, but for lines to paste', () => {
    const wide: string[] = [];
    let written = '';
    const program = routerProgram({ out: (text) => (written += text), err: () => undefined });
    const visit = (command: Command, path: string): void => {
      written = '';
      command.configureOutput({ getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
      command.outputHelp();
      const lines = written.split('\n').filter((line) => !/^ {2}countersign-router /.test(line));
      expect(lines.length).toBeGreaterThan(3);
      wide.push(...lines.filter((line) => line.length > WIDTH).map((line) => `${path}: ${line}`));
      for (const child of command.commands) visit(child, `${path} ${child.name()}`);
    };
    visit(program, 'countersign-router');
    expect(wide).toEqual([]);
  });
});
