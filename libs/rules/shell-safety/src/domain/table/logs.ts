import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';
import { sameFor } from './same-for.js';

/** Logs of the host, and commands that are planned for later. */
export const LOG_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['journalctl'],
    class: 'READ_ONLY',
    does: 'shows the journal',
    operands: 'any',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -e -f -h -k -l -m -N -q -r -x --all --catalog --disk-usage --dmesg --dump-catalog --fields ` +
        '--follow --full --header --list-boots --list-catalog --list-namespaces --merge --no-full --no-hostname ' +
        '--no-pager --no-tail --pager-end --quiet --reverse --show-cursor --system --truncate-newline --user ' +
        '--utc --verify',
      optional: '-b -n --boot --case-sensitive --lines',
      value:
        '-c -F -g -o -p -S -t -T -u -U --after-cursor --cursor --exclude-identifier --facility --field --grep ' +
        '--identifier --invocation --namespace --output --output-fields --priority --since --unit --until ' +
        '--user-unit',
      reads: '-D -i --directory --file',
      writes: '--flush --relinquish-var --rotate --setup-keys --smart-relinquish-var --sync --update-catalog',
      writesTo: '--cursor-file',
      destroys: '--vacuum-files --vacuum-size --vacuum-time',
      executes: '-M --image --machine --root',
    },
  },
  {
    names: ['dmesg'],
    class: 'READ_ONLY',
    does: 'shows messages of the kernel',
    operands: 'none',
    options: {
      plain:
        `${HELP} -d -e -h -H -J -k -p -P -r -S -t -T -u -V -w -W -x --ctime --decode --follow --follow-new ` +
        '--force-prefix --human --json --kernel --noescape --nopager --notime --raw --reltime --show-delta ' +
        '--syslog --userspace',
      optional: '-L --color',
      value: '-f -l -s --buffer-size --facility --level --since --time-format --until',
      reads: '-F -K --file --kmsg-file',
      writes: '-D -E -n --console-level --console-off --console-on',
      destroys: '-c -C --clear --read-clear',
    },
  },
  {
    names: ['logger', 'wall', 'write', 'logrotate', 'auditctl', 'auditd', 'syslogd'],
    class: 'WRITE',
    does: 'writes to logs or terminals',
    operands: 'any',
    options: { executes: '-f --file' },
  },
  {
    // The log of macOS.
    names: ['log'],
    class: 'WRITE',
    does: 'changes the log of the host',
    operands: 'any',
    style: 'single_dash',
    subcommands: sameFor('show, stream, stats', {
      class: 'READ_ONLY',
      does: 'shows the log of the host',
      operands: 'reads',
    }),
    options: {
      plain:
        '--backtrace --debug --info --loss --mach-continuous-time --no-backtrace --no-debug --no-info ' +
        '--no-signpost --overview --per-book --per-file --signpost --source',
      value:
        '--color --count --end --last --level --predicate --process --sort --start --style --timeout --timezone --type',
      reads: '--archive --file',
      writesTo: '--output',
    },
  },
  {
    names: ['crontab', 'fcrontab', 'incrontab'],
    class: 'READ_ONLY',
    does: 'shows planned commands',
    operands: 'writes',
    inspect: 'crontab-list',
    options: { plain: '-l', value: '-u', writes: '-e', destroys: '-r' },
  },
  {
    names: ['at', 'batch', 'atrm', 'anacron', 'crond'],
    class: 'WRITE',
    does: 'plans commands for later',
    operands: 'any',
    options: { plain: '-b -c -l -m -M -v -V', value: '-q -t', reads: '-f', destroys: '-d -r' },
  },
  {
    names: ['atq'],
    class: 'READ_ONLY',
    does: 'lists planned commands',
    operands: 'none',
    options: { plain: `-V -o ${DIGITS}`, value: '-q' },
  },
];
