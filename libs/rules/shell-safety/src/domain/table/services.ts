import type { Behaviour, ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';
import { sameFor } from './same-for.js';

const SHOWS_UNITS: Behaviour = { class: 'READ_ONLY', does: 'shows units', operands: 'any' };
const CHANGES_UNITS: Behaviour = { class: 'WRITE', does: 'starts, stops or changes units', operands: 'any' };
const STARTS_UNITS: Behaviour = { ...CHANGES_UNITS, inspect: 'units-that-stop' };
const STOPS_HOST: Behaviour = { class: 'DESTRUCTIVE', tier: 3, does: 'stops the machine', operands: 'any' };
const CHANGES_SETTINGS: Behaviour = { class: 'WRITE', does: 'changes settings of the host', operands: 'any' };
const SHOWS_STATUS: Behaviour = { class: 'READ_ONLY', does: 'shows settings', operands: 'any' };

/** Services, logs, kernel parameters and the power switch. */
export const SERVICE_PROGRAMS: readonly ProgramRow[] = [
  {
    // Without a verb, systemctl lists units; a verb of no list is an operand that the row does not know.
    names: ['systemctl'],
    class: 'READ_ONLY',
    does: 'lists units',
    operands: 'none',
    subcommands: {
      ...sameFor(
        'status, cat, list-units, list-unit-files, list-timers, list-sockets, list-jobs, list-automounts',
        SHOWS_UNITS,
      ),
      ...sameFor(
        'list-machines, list-dependencies, list-paths, is-active, is-enabled, is-failed, is-system-running',
        SHOWS_UNITS,
      ),
      ...sameFor('get-default, whoami', SHOWS_UNITS),
      show: { ...SHOWS_UNITS, inspect: 'unit-properties' },
      'show-environment': { class: 'READ_ONLY', tier: 2, does: 'prints an environment, which can hold secrets' },
      ...sameFor(
        'start, reload, restart, try-restart, reload-or-restart, try-reload-or-restart, enable, reenable, set-default',
        STARTS_UNITS,
      ),
      ...sameFor('add-wants, add-requires', STARTS_UNITS),
      ...sameFor('stop, kill, clean, freeze, thaw, disable, preset, preset-all', CHANGES_UNITS),
      ...sameFor('mask, unmask, link, revert', CHANGES_UNITS),
      ...sameFor(
        'edit, set-property, bind, mount-image, reset-failed, daemon-reload, log-level, log-target',
        CHANGES_UNITS,
      ),
      ...sameFor(
        'service-watchdogs, cancel, daemon-reexec, set-environment, unset-environment, import-environment',
        CHANGES_UNITS,
      ),
      ...sameFor('isolate, default', {
        class: 'DESTRUCTIVE',
        does: 'stops every other unit',
        operands: 'any',
        inspect: 'units-that-stop',
      }),
      ...sameFor(
        'halt, poweroff, reboot, kexec, exit, suspend, hibernate, hybrid-sleep, suspend-then-hibernate',
        STOPS_HOST,
      ),
      ...sameFor('sleep, soft-reboot, switch-root, rescue, emergency', STOPS_HOST),
    },
    options: {
      plain:
        `${HELP} -a -f -h -i -l -q -r -T --after --all --before --failed --force --full --global --mkdir ` +
        '--no-ask-password --no-block --no-legend --no-pager --no-reload --no-wall --now --plain --quiet ' +
        '--read-only --recursive --reverse --runtime --show-transaction --show-types --system --user --value ' +
        '--wait --with-dependencies --dry-run --marked',
      value:
        '-n -o -p -P -s -t --check-inhibitors --job-mode --kill-who --kill-whom --legend --lines --output ' +
        '--preset-mode --property --signal --state --timestamp --type --what',
      networkTo: '-H --host',
      executes: '-M --image --machine --root',
    },
  },
  {
    names: ['service', 'rc-service'],
    class: 'READ_ONLY',
    does: 'shows the state of a service',
    operands: 'any',
    inspect: 'service-status',
    options: { plain: `${HELP} -l --list --status-all` },
  },
  {
    names: ['launchctl'],
    class: 'WRITE',
    does: 'starts, stops or changes a service',
    operands: 'any',
    style: 'none',
    subcommands: {
      ...sameFor('list, print, print-disabled, blame, version, help', SHOWS_UNITS),
      reboot: STOPS_HOST,
    },
  },
  {
    names: ['update-rc.d', 'chkconfig', 'insserv', 'rc-update', 'busctl', 'systemd-tmpfiles'],
    class: 'UNKNOWN',
    does: 'changes or executes services',
    operands: 'any',
  },
  {
    names: ['systemd-analyze'],
    class: 'UNKNOWN',
    does: 'analyses the manager of services',
    operands: 'none',
    subcommands: sameFor(
      'time, blame, critical-chain, calendar, timespan, timestamp, unit-paths, exit-status',
      SHOWS_UNITS,
    ),
    options: {
      plain: `${HELP} --no-pager --system --user`,
      networkTo: '-H --host',
      executes: '-M --machine --root --image',
    },
  },
  {
    names: ['systemd-detect-virt', 'systemd-path', 'systemd-escape', 'systemd-cgls', 'systemd-cgtop', 'systemd-id128'],
    class: 'READ_ONLY',
    does: 'describes the host',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -b -c -h -k -l -m -p -q -r -t -u -v -1 --all --batch --container --full --list --mangle ` +
        '--no-pager --path --private-users --quiet --raw --template --unescape --vm',
      value: '-d -n --depth --iterations --suffix',
    },
  },
  {
    names: [
      'loginctl',
      'hostnamectl',
      'timedatectl',
      'localectl',
      'networkctl',
      'resolvectl',
      'bootctl',
      'coredumpctl',
    ],
    class: 'READ_ONLY',
    does: 'shows settings',
    operands: 'none',
    subcommands: {
      ...sameFor(
        'status, show, list, list-sessions, list-users, list-seats, session-status, user-status, seat-status',
        SHOWS_STATUS,
      ),
      ...sameFor(
        'show-session, show-user, show-seat, list-timezones, timesync-status, show-timesync, list-locales',
        SHOWS_STATUS,
      ),
      ...sameFor('list-keymaps, list-x11-keymap-models, list-x11-keymap-layouts, statistics, lldp, info', SHOWS_STATUS),
      ...sameFor(
        'set-hostname, hostname, set-icon-name, set-chassis, chassis, set-deployment, set-location',
        CHANGES_SETTINGS,
      ),
      ...sameFor(
        'set-time, set-timezone, set-local-rtc, set-ntp, set-locale, set-keymap, set-x11-keymap',
        CHANGES_SETTINGS,
      ),
      ...sameFor(
        'enable-linger, disable-linger, lock-session, lock-sessions, flush-caches, reset-statistics',
        CHANGES_SETTINGS,
      ),
      ...sameFor(
        'up, down, renew, forcerenew, reconfigure, reload, delete, dns, domain, llmnr, mdns, dnssec, revert',
        CHANGES_SETTINGS,
      ),
      ...sameFor('terminate-session, terminate-user, terminate-seat, kill-session, kill-user', CHANGES_SETTINGS),
      ...sameFor('poweroff, reboot, halt, kexec, suspend, hibernate, hybrid-sleep, suspend-then-hibernate', STOPS_HOST),
      ...sameFor('sleep, soft-reboot', STOPS_HOST),
      query: { class: 'NETWORK', does: 'asks a server of names', operands: 'any' },
    },
    options: {
      plain:
        `${HELP} -a -h -l -q -s -1 -r --all --full --monitor --no-ask-password --no-legend --no-pager --quiet ` +
        '--reverse --short --static --transient --pretty --value',
      value: '-n -o -p --json --lines --output --property --since --until',
      networkTo: '-H --host',
      executes: '-M --debugger --machine --root --image',
    },
  },
  {
    names: ['sysctl'],
    class: 'READ_ONLY',
    does: 'shows parameters of the kernel',
    operands: 'any',
    inspect: 'assignment-writes',
    options: {
      plain:
        `${HELP} -a -A -b -d -e -h -i -l -n -N -o -q -t -T -V -x -X --all --binary --deprecated --dry-run ` +
        '--ignore --names --quiet --values',
      value: '-B -r --pattern',
      writes: '-f -p -w --load --system --write',
    },
  },
  {
    names: ['modprobe', 'insmod', 'rmmod', 'kmod', 'depmod', 'kldload', 'kldunload', 'bpftool', 'dkms'],
    class: 'UNKNOWN',
    does: 'changes the code of the kernel',
    operands: 'any',
  },
  {
    names: [
      'shutdown',
      'reboot',
      'halt',
      'poweroff',
      'kexec',
      'telinit',
      'init',
      'pm-suspend',
      'pm-hibernate',
      'fastboot',
      'fasthalt',
    ],
    class: 'DESTRUCTIVE',
    tier: 3,
    does: 'stops the machine',
    operands: 'any',
  },
  {
    // A format of tmux can execute (`#(command)`), so that only the bare listing is free.
    names: ['tmux'],
    class: 'UNKNOWN',
    does: 'executes commands in a terminal of its own',
    operands: 'any',
    subcommands: sameFor('ls, list-sessions, list-windows, list-panes, list-clients', {
      class: 'READ_ONLY',
      does: 'lists sessions',
      operands: 'none',
    }),
    options: { informs: '-V', executes: '-c -f -F', value: '-L -S' },
  },
  {
    names: ['screen'],
    class: 'READ_ONLY',
    does: 'lists sessions',
    style: 'single_dash',
    operands: 'none',
    inspect: 'screen-list',
    options: { plain: '-list -ls -v', executes: '-c -d -D -m -r -R -S -x -X' },
  },
  {
    names: ['script', 'scriptreplay', 'expect', 'dtach', 'abduco', 'byobu', 'zellij', 'ttyd'],
    class: 'UNKNOWN',
    does: 'executes commands in a terminal of its own',
    operands: 'any',
    options: { executes: '-c --command' },
  },
  {
    names: ['sleep', 'gsleep', 'usleep', 'wait4path'],
    class: 'READ_ONLY',
    does: 'waits',
    operands: 'any',
    options: { plain: HELP },
  },
];
