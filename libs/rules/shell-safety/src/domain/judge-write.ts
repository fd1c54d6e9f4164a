import type { Argument } from './inspection.js';
import { effectAt, type Effect } from './effect.js';
import { namesCode, namesSecret } from './paths.js';

/** Writing there keeps nothing. */
const HARMLESS = /^\/dev\/(?:null|stdout|stderr|tty|fd\/(?:[0-9]+|\*\*))$/;
/** Disks, memory and the kernel's own triggers: nobody can bring back the overwritten content. */
const DEVICE =
  /^\/dev\/(?!(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|console)$|(?:fd|shm|pts|tcp|udp|mqueue)\/)|^\/proc\/(?:sysrq-trigger|kcore)|^\/sys\/(?:power|firmware)\//;
const isRooted = (pattern: string): boolean => pattern.startsWith('/');
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

/** The effect of writing to a path, or null for a path that keeps nothing. `verb` completes "the line … PATH". */
export function writeEffect(target: Argument, verb = 'writes'): Effect | null {
  const { patterns, text } = target;
  if (patterns.some(isRooted)) {
    if (patterns.every((pattern) => HARMLESS.test(pattern))) return null;
    if (patterns.some((pattern) => DEVICE.test(pattern.replace(/\/+/g, '/')))) {
      return effectAt(target, 'DESTRUCTIVE', 3, 'shell.writes_device', `The line ${verb} the device ${text}.`);
    }
    if (patterns.some((pattern) => NETWORK.test(pattern))) return networkEffect(target);
  }
  if (namesCode(target) || namesSecret(target)) {
    return effectAt(
      target,
      'UNKNOWN',
      2,
      'shell.writes_code',
      `The line ${verb} ${text}, which another program executes, obeys or trusts.`,
    );
  }
  if (target.value === null) {
    return effectAt(target, 'UNKNOWN', 2, 'shell.writes_unknown_file', `The line ${verb} a file that ${text} decides.`);
  }
  return effectAt(target, 'WRITE', 2, 'shell.writes_file', `The line ${verb} ${text}.`);
}

/** The effect of opening one of bash's network paths, or null. */
export function networkEffect(target: Argument): Effect | null {
  if (
    !target.patterns.some(
      (pattern) => NETWORK.test(pattern) || (/^(?:\/(?:d|\*|\?)|\*\*)/.test(pattern) && reachesNetwork(pattern)),
    )
  )
    return null;
  return effectAt(
    target,
    'NETWORK',
    2,
    'shell.opens_connection',
    `The line opens a network connection, ${target.text}.`,
  );
}

/** True if an unknown beginning could make the path one of bash's network paths. */
const reachesNetwork = (pattern: string): boolean => /^(?:\*\*|\/\*\*|\/dev\/\*\*)/.test(pattern);
