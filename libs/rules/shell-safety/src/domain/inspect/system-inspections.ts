import type { Finding, Inspect } from '../inspection.js';
import { copies } from './copies.js';
import { dd } from './dd.js';
import { noHostName, ssFilter } from './host-names.js';
import { iproute } from './iproute.js';
import { operandsNeedMode } from './modes.js';
import { needsOption } from './needs-option.js';
import {
  assignmentWrites,
  comparesFolders,
  compressToStdout,
  dateFormat,
  psEnvironment,
  psOptions,
  responseFile,
  secondOperandWrites,
  serviceStatus,
} from './operand-effects.js';
import { parted } from './parted.js';
import { rm } from './rm.js';
import { tar } from './tar.js';
import { unitProperties } from './unit-properties.js';
import { unitsThatStop } from './units.js';

const without = (shellClass: 'WRITE' | 'UNKNOWN', does: string): Finding => ({
  kind: 'effect',
  class: shellClass,
  code: 'shell.without_reading_option',
  does,
});

const CHANGES_PARTITIONS: Finding = {
  kind: 'effect',
  class: 'DESTRUCTIVE',
  tier: 3,
  code: 'shell.changes_partitions',
  does: 'may destroy partitions, since no option makes it list them',
};

/** The inspections of the tools of files, systems and networks, by the name that their rows give. */
export const SYSTEM_INSPECTIONS: Readonly<Record<string, Inspect>> = {
  'assignment-writes': assignmentWrites,
  'compares-folders': comparesFolders,
  'compress-to-stdout': compressToStdout,
  'crontab-list': needsOption('-l', without('WRITE', 'replaces planned commands, since -l is missing')),
  'date-format': dateFormat,
  'pmset-get': needsOption('-g', without('WRITE', 'changes how the machine saves power')),
  'ps-environment': psEnvironment,
  'ps-options': psOptions,
  'response-file': responseFile,
  'screen-list': needsOption('-list -ls -v', without('UNKNOWN', 'executes commands in a terminal of its own')),
  'second-operand-writes': secondOperandWrites,
  'service-status': serviceStatus,
  'top-batch': needsOption(
    '-b -l -h -v -V --batch --batch-mode --help --version',
    without('UNKNOWN', 'shows a screen from which a person can end processes, since -b is missing'),
  ),
  'unzip-list': needsOption(
    '-c -h -l -p -t -v -z -Z --help --version',
    without('UNKNOWN', 'writes files that the line does not show, since -l is missing'),
  ),
  'fdisk-list': needsOption(
    '-d -F -h -J -l -T -v -V -x --dump --help --json --list --list-details --list-free --list-types --version',
    CHANGES_PARTITIONS,
  ),
  'firewall-list': needsOption(
    '-h -L -S -V --help --list --list-rules --version',
    without('WRITE', 'changes rules of the firewall, since -L is missing'),
  ),
  'gpg-list': needsOption(
    '-k -K --fingerprint --help --list-keys --list-packets --list-public-keys --list-secret-keys --version',
    without('UNKNOWN', 'makes or uses keys'),
  ),
  'networksetup-get': needsOption(
    '-getairportnetwork -getairportpower -getcomputername -getcurrentlocation -getdnsservers -getinfo -getMTU ' +
      '-getmacaddress -getproxybypassdomains -getsearchdomains -getwebproxy -getsecurewebproxy -help ' +
      '-listallhardwareports -listallnetworkservices -listlocations -listnetworkserviceorder -version',
    without('WRITE', 'changes network settings'),
  ),
  'no-host-name': noHostName,
  'one-interface': operandsNeedMode('', 1, 'changes a network setting'),
  'plutil-print': needsOption('-help -lint -p', without('WRITE', 'changes a property list')),
  'scutil-get': needsOption('--dns --get --help --nwi --proxy', without('UNKNOWN', 'reads commands from its input')),
  'sgdisk-list': needsOption(
    '-D -E -f -F -i -L -p -v -V --help --info --list-types --print --verify --version',
    CHANGES_PARTITIONS,
  ),
  'ss-filter': ssFilter,
  'ssh-add-list': needsOption('-l -L', without('WRITE', 'changes the keys of the agent, since -l is missing')),
  'ssh-keygen-list': needsOption('-B -F -l', without('WRITE', 'makes or changes keys, since -l is missing')),
  'tune2fs-list': needsOption('-l', without('WRITE', 'changes a file system, since -l is missing')),
  'unit-properties': unitProperties,
  'units-that-stop': unitsThatStop,
  copies,
  dd,
  iproute,
  parted,
  rm,
  tar,
};
