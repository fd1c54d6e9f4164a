import type { ProgramRow } from '../program-row.js';

const interpreter = (names: string, versions = ''): ProgramRow => ({
  names: names.split(' '),
  style: 'gnu',
  class: 'UNKNOWN',
  does: 'executes a program: a file, an argument, or its input',
  options: { informs: versions },
});

/**
 * Interpreters. Only the version is a read: a script, `-c`, `-e`, `-m` and the input are programs that the table cannot read.
 * The version has to be the only word, since an interpreter takes further options before it prints it.
 */
export const INTERPRETER_PROGRAMS: readonly ProgramRow[] = [
  interpreter(
    'python python2 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3',
    '-V -VV',
  ),
  interpreter('node nodejs', '-v'),
  interpreter('perl', '-v'),
  interpreter('ruby jruby'),
  interpreter('php', '-v'),
  interpreter('lua luajit', '-v'),
  interpreter('Rscript R'),
  interpreter('julia', '-v'),
  interpreter('java', '-version'),
  interpreter('pwsh powershell', '-Version'),
  interpreter('tclsh wish'),
  interpreter('groovy scala kotlin elixir iex erl ghci runghc ocaml swipl guile racket clojure clj sbcl'),
  interpreter('ipython jupyter tsx ts-node tsnode irb wasmtime wasmer'),
  interpreter('dart flutter crystal nim vlang octave gnuplot'),
];
