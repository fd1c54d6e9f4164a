import type { Argument, Inspect } from '../inspection.js';
import { isAimed, matchesGlob } from '../match-glob.js';

/** Units that stop the machine when they start, or leave a console alone. */
const STOPS: readonly string[] = [
  ...['poweroff', 'reboot', 'halt', 'kexec', 'soft-reboot', 'shutdown', 'final', 'umount', 'exit', 'ctrl-alt-del'],
  ...['rescue', 'emergency', 'sleep', 'suspend', 'hibernate', 'hybrid-sleep', 'suspend-then-hibernate'],
  ...['runlevel0', 'runlevel1', 'runlevel6', 'initrd-switch-root', 'factory-reset', 'system-update'],
];
const UNITS: readonly string[] = STOPS.flatMap((name) => [
  name,
  `${name}.target`,
  `${name}.service`,
  `systemd-${name}.service`,
  `systemd-${name}`,
]);

/** `systemctl start poweroff.target` does what `systemctl poweroff` does. */
export const unitsThatStop: Inspect = (_words, _row, { operands }) =>
  operands.filter(stops).map((at) => ({
    kind: 'effect',
    class: 'DESTRUCTIVE',
    tier: 3,
    code: 'shell.stops_host',
    does: `starts ${at.text}, which stops the machine`,
    at,
  }));

const stops = ({ patterns }: Argument): boolean =>
  patterns.some((pattern) => isAimed(pattern) && UNITS.some((unit) => matchesGlob(pattern, unit)));
