import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';

/** Programs that show, signal and trace processes. */
export const PROCESS_PROGRAMS: readonly ProgramRow[] = [
  {
    // The letters of BSD (`ps aux`) are operands. Their e prints environments, which hold secrets.
    names: ['ps'],
    class: 'READ_ONLY',
    does: 'lists processes',
    operands: 'any',
    inspect: 'ps-environment',
    options: {
      plain:
        `${HELP} -a -A -c -d -e -f -F -h -H -j -l -L -m -M -N -P -r -S -T -v -V -w -W -x -X -y -Z --context ` +
        '--cumulative --deselect --forest --headers --no-headers',
      value:
        '-C -g -G -k -n -o -O -p -q -s -t -u -U --cols --columns --format --Group --group --lines --pid --ppid ' +
        '--quick-pid --rows --sid --sort --tty --user --User --width',
    },
  },
  {
    names: ['pgrep', 'pidof', 'pidwait'],
    class: 'READ_ONLY',
    does: 'finds processes',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -A -c -e -f -h -H -i -I -j -l -L -m -n -N -q -S -v -V -w -x -z --count --exact --full ` +
        '--ignore-ancestors --ignore-case --inverse --lightweight --list-full --list-name --newest --oldest ' +
        '--single-shot --with-workers',
      value:
        '-d -F -g -G -M -o -O -P -r -s -t -u -U --cgroup --delimiter --euid --group --ns --nslist --older ' +
        '--parent --pgroup --pidfile --runstates --session --signal --terminal --uid',
    },
  },
  {
    names: ['pkill', 'kill', 'killall', 'skill', 'xkill'],
    class: 'DESTRUCTIVE',
    does: 'ends processes',
    operands: 'any',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -c -CONT -e -f -h -HUP -i -I -INT -KILL -l -L -n -o -q -QUIT -r -SIGHUP -SIGINT ` +
        '-SIGKILL -SIGQUIT -SIGTERM -STOP -TERM -USR1 -USR2 -v -V -w -x -z',
      value: '-F -g -G -P -s -t -u -U -y --signal',
    },
  },
  {
    names: ['killall5'],
    class: 'DESTRUCTIVE',
    tier: 3,
    does: 'ends every process',
    operands: 'any',
  },
  {
    names: ['top'],
    class: 'READ_ONLY',
    does: 'shows processes',
    operands: 'any',
    inspect: 'top-batch',
    options: {
      plain:
        '-1 -a -A -b -B -c -C -e -h -H -i -I -r -S -v -V --accum-time-toggle --batch --batch-mode ' +
        '--cmdline-toggle --help --idle-toggle --threads-show --version',
      value:
        '-d -E -F -l -n -o -p -s -u -U -w --delay --filter-any-user --filter-only-euser --iterations ' +
        '--pid --sort-override --width',
    },
  },
  {
    names: ['htop', 'btop', 'atop', 'nmon', 'glances', 'iotop', 'iftop', 'nethogs', 'powertop', 'ncdu', 'mc', 'ranger'],
    class: 'READ_ONLY',
    tier: 2,
    does: 'shows a screen from which a person can change things',
    operands: 'any',
    options: { plain: HELP },
  },
  {
    names: [
      ...['pstree', 'uptime', 'free', 'nproc', 'pwdx', 'slabtop', 'vm_stat', 'w', 'vmstat', 'iostat'],
      ...['mpstat', 'numastat', 'ipcs', 'lsipc', 'nfsiostat', 'cifsiostat', 'tapestat', 'lslocks', 'lsns'],
    ],
    class: 'READ_ONLY',
    does: 'shows the state of the machine',
    operands: 'any',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -A -b -B -c -C -d -D -e -E -f -F -g -G -h -H -i -I -j -J -k -l -L -m -M -n -N -o -O ` +
        '-p -P -q -Q -r -R -s -S -t -T -u -U -v -V -w -W -x -X -y -z -Z --active --all --arguments --ascii ' +
        '--bytes --committed --compact --compact-not --count-all --creator --dec --disk --disk-sum --extended ' +
        '--forks --from --gibi --giga --hex --human --ip-addr --json --kibi --kilo --limits --line --list --lohi ' +
        '--long --mebi --mega --no-header --noheadings --noinaccessible --notruncate --numeric-sort --old-style ' +
        '--once --one-header --one-line --pretty --queues --quiet --raw --semaphores --shmems --short ' +
        '--show-parents --show-pgids --show-pids --si --since --slabs ---summary --thread-names --time ' +
        '--timestamp --total --uid-changes --unicode --wide',
      value: '--count --ignore --output --pid --range --seconds --sort --task --type --unit',
    },
  },
  {
    names: ['pmap'],
    class: 'READ_ONLY',
    does: 'shows the memory of processes',
    operands: 'any',
    options: {
      plain: `${HELP} -d -h -p -q -V -x -X --device --extended --quiet --show-path`,
      value: '-A --range',
      writes: '-n --create-rc',
      writesTo: '-N --create-rc-to',
    },
  },
  {
    names: ['sar', 'sadf', 'pidstat'],
    class: 'READ_ONLY',
    does: 'shows measurements of the machine',
    operands: 'any',
    options: {
      plain:
        '-A -b -B -d -D -F -g -h -H -I -j -l -L -p -q -r -R -S -t -u -v -V -w -W -x -y -z --help --dec --human ' +
        '--pretty --sadc',
      value: '-C -f -G -i -m -n -P -s -T -U --dev --fs --iface --int',
      writesTo: '-o',
      executes: '-e -O',
    },
  },
  {
    names: ['dtrace', 'dtruss', 'bpftrace', 'perf', 'gdb', 'lldb', 'gcore', 'pstack', 'reptyr'],
    class: 'UNKNOWN',
    does: 'traces or executes a program',
    operands: 'any',
  },
  {
    names: ['renice', 'chrt', 'taskset', 'prlimit', 'setterm', 'stress', 'stress-ng'],
    class: 'WRITE',
    does: 'changes how processes are served',
    operands: 'any',
  },
];
