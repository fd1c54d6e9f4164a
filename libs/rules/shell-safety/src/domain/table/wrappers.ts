import type { ProgramRow } from '../program-row.js';

const HELP = '--help --version';

/**
 * Programs that execute the words behind them. They are as bad as those. Sources: the manuals of GNU coreutils 9, findutils 4.9,
 * util-linux 2.38, procps 4, OpenSSH 9, busybox 1.36.
 */
export const WRAPPER_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['env', 'genv'],
    class: 'READ_ONLY',
    does: 'prints the environment, or executes a command in a changed one',
    operands: 'command',
    assigns: true,
    inspect: 'env',
    options: {
      plain: `${HELP} -0 -i -v --null --ignore-environment --debug --list-signal-handling`,
      value: '-u -C --unset --chdir -S --split-string',
      optional: '--default-signal --ignore-signal --block-signal',
      writes: '-P',
    },
  },
  {
    names: ['nice', 'gnice'],
    class: 'READ_ONLY',
    does: 'executes a command at another priority',
    operands: 'command',
    options: { plain: `${HELP} -0 -1 -2 -3 -4 -5 -6 -7 -8 -9`, value: '-n --adjustment' },
  },
  {
    names: ['ionice'],
    class: 'READ_ONLY',
    does: 'executes a command at another priority',
    operands: 'command',
    options: {
      plain: `${HELP} -t --ignore`,
      value: '-c -n --class --classdata',
      writes: '-p -P -u --pid --pgid --uid',
    },
  },
  {
    names: ['nohup', 'gnohup', 'setsid'],
    class: 'READ_ONLY',
    does: 'executes a command that outlives the shell',
    operands: 'command',
    options: { plain: `${HELP} -c -f -w --ctty --fork --wait` },
  },
  {
    names: ['timeout', 'gtimeout'],
    class: 'READ_ONLY',
    does: 'executes a command for a limited time',
    operands: 'command',
    skip: 1,
    options: {
      plain: `${HELP} -v -f -p --foreground --preserve-status --verbose`,
      value: '-k -s --kill-after --signal',
    },
  },
  {
    names: ['stdbuf', 'gstdbuf', 'unbuffer'],
    class: 'READ_ONLY',
    does: 'executes a command with other buffers',
    operands: 'command',
    options: { plain: `${HELP} -p`, value: '-i -o -e --input --output --error' },
  },
  {
    names: ['time', 'gtime'],
    class: 'READ_ONLY',
    does: 'executes a command and takes its time',
    operands: 'command',
    options: {
      plain: `${HELP} -a -h -l -p -q -v --append --portability --quiet --verbose`,
      value: '-f --format',
      writesTo: '-o --output',
    },
  },
  {
    names: ['command', 'builtin', 'exec'],
    class: 'READ_ONLY',
    does: 'executes a command, or looks it up',
    operands: 'command',
    inspect: 'command',
    options: { plain: '-p -v -V -c -l', value: '-a' },
  },
  {
    names: ['xargs', 'gxargs'],
    class: 'READ_ONLY',
    does: 'executes a command with words of its input',
    operands: 'command',
    readsWords: true,
    inspect: 'xargs',
    options: {
      plain: `${HELP} -0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits`,
      optional: '-e -i -l --eof --replace --max-lines',
      value: '-d -E -I -J -L -n -P -R -S -s --delimiter --max-args --max-procs --max-chars --process-slot-var',
      reads: '-a --arg-file',
    },
  },
  {
    names: ['watch', 'viddy'],
    class: 'READ_ONLY',
    does: 'executes a command again and again',
    operands: 'command',
    inspect: 'watch',
    options: {
      plain: `${HELP} -b -c -C -e -g -h -p -r -t -v -w -x --beep --color --no-color --errexit --chgexit --precise --no-rerun --no-title --no-wrap --exec`,
      optional: '-d --differences',
      value: '-n -q --interval --equexit',
    },
  },
  {
    names: ['strace', 'ltrace'],
    class: 'UNKNOWN',
    does: 'traces a process, with all that it reads',
    operands: 'command',
    options: {
      plain: '-c -d -f -ff -i -k -q -r -t -T -v -x -y -z',
      value: '-a -b -e -E -I -O -p -P -s -S -u -X',
      writesTo: '-o',
    },
  },
  {
    names: ['busybox', 'toybox'],
    class: 'READ_ONLY',
    does: 'executes one of its own programs',
    operands: 'command',
    options: { plain: '--help --list --list-full' },
  },
  ...(
    [
      ['bash rbash', 'shell-bash'],
      ['sh dash ash', 'shell-sh'],
      ['zsh', 'shell-zsh'],
      ['ksh mksh ksh93 yash', 'shell-unknown'],
    ] as const
  ).map(([names, inspect]): ProgramRow => ({
    names: names.split(' '),
    class: 'READ_ONLY',
    does: 'executes commands',
    operands: 'command',
    inspect,
    options: {
      plain: `${HELP} -c -e -i -l -n -p -s -u -v -x -f -C -E -T -h -b -m --login --noprofile --norc --posix --restricted --verbose`,
      value: '-o',
      executes: '--rcfile --init-file',
    },
  })),
  {
    names: ['csh', 'tcsh', 'fish', 'nu', 'elvish', 'xonsh'],
    class: 'UNKNOWN',
    does: 'executes commands in a language that is not read here',
  },
  {
    names: ['ssh', 'slogin'],
    class: 'NETWORK',
    does: 'executes commands on another machine',
    operands: 'command',
    skip: 1,
    inspect: 'ssh',
    network: true,
    options: {
      plain: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
      value: '-B -b -c -D -e -I -J -L -l -m -O -p -Q -R -S -W -w',
      reads: '-i',
      executes: '-o -F',
      writesTo: '-E',
    },
  },
  {
    names: ['autossh', 'mosh', 'rsh', 'rlogin'],
    class: 'NETWORK',
    does: 'executes commands on another machine',
    network: true,
    style: 'none',
  },
];
