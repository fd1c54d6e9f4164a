import type { Finding, Inspect } from '../inspection.js';

/** Paths of the API of Proxmox that only show state on GET. Others answer tickets, files of guests, or open consoles. */
const READS =
  /^\/?(version|cluster\/(status|resources|nextid|ha(\/(status(\/(current|manager_status))?|resources|groups))?|tasks|options|log|replication|backup|config\/nodes)|nodes(\/[\w.-]+(\/(status|version|tasks|qemu|lxc|storage|network|services|time|dns|subscription|rrddata|disks\/list|(qemu|lxc)(\/\d+(\/(status\/current|config|snapshot|pending|rrddata))?)?|storage\/[\w.-]+\/(status|content)))?)?|storage(\/[\w.-]+)?|pools(\/[\w.-]+)?)\/?$/;

/** A path of the API that is not known as a read. */
export const pveshPath: Inspect = (_words, _row, call): readonly Finding[] =>
  call.operands
    .slice(0, 1)
    .filter(({ value }) => value === null || !READS.test(value))
    .map((at) => ({
      kind: 'effect',
      class: 'UNKNOWN',
      code: 'shell.unknown_path',
      does: 'asks a path of the API that may do more than show state',
      at,
    }));
