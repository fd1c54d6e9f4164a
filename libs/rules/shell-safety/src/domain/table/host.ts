import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';
import { sameFor } from './same-for.js';

/** Programs that describe the host, its hardware, its clock and its users. */
export const HOST_PROGRAMS: readonly ProgramRow[] = [
  {
    names: [
      'uname',
      'guname',
      'tty',
      'logname',
      'hostid',
      'lsb_release',
      'whoami',
      'gwhoami',
      'arch',
      'mesg',
      'runlevel',
    ],
    class: 'READ_ONLY',
    does: 'describes the host or the user',
    operands: 'none',
    options: {
      plain:
        `${HELP} -a -c -d -i -K -m -n -o -p -r -s -u -U -v --all --codename --description ` +
        '--hardware-platform --id --kernel-name --kernel-release --kernel-version --machine --nodename ' +
        '--operating-system --processor --release --short --quiet --silent',
    },
  },
  {
    names: ['sw_vers'],
    class: 'READ_ONLY',
    does: 'describes the system',
    style: 'single_dash',
    operands: 'none',
    options: { plain: '-buildVersion -productName -productVersion -productVersionExtra' },
  },
  {
    names: ['hostname', 'domainname', 'dnsdomainname', 'nisdomainname', 'ypdomainname'],
    class: 'READ_ONLY',
    does: 'prints the name of the host',
    operands: 'none',
    options: {
      plain:
        '-a -A -d -f -h -i -I -s -v -V -y --alias --all-fqdns --all-ip-addresses --domain --fqdn --help ' +
        '--ip-address --long --nis --short --verbose --version --yp',
      writes: '-b --boot',
      writesTo: '-F --file',
    },
  },
  {
    names: ['id', 'gid', 'groups', 'who', 'users', 'pinky', 'last', 'lastb', 'lastlog', 'members'],
    class: 'READ_ONLY',
    does: 'lists users',
    operands: 'any',
    options: {
      network: '-d --dns --lookup',
      plain:
        `${HELP} -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -A -b -c -e -F -g -G -h -H -i -l -L -m -M -n -p -P -q -r -R -s -T -u -U -w -W -x -z -Z ` +
        '--acc-expiration --all --boot --context --count --dead --failed --fulltimes --fullnames --group ' +
        '--groups --heading --hostlast --ip --ips --last --login --message --mesg --name --nohostname ' +
        '--notruncate --process --real --runlevel --short --system --system-accs --time --user --user-accs ' +
        '--users --writable --zero',
      value: '-f -t -B --file --limit --present --since --time-format --until -S',
    },
  },
  {
    // hosts, ahosts, networks and netgroup may ask a server; shadow and gshadow hold the hashes of passwords.
    names: ['getent'],
    class: 'UNKNOWN',
    does: 'looks up a system database',
    operands: 'any',
    subcommands: {
      ...sameFor('passwd, group, services, protocols, rpc, initgroups', {
        class: 'READ_ONLY',
        does: 'looks up users, groups or services',
        operands: 'any',
      }),
      ...sameFor('hosts, ahosts, ahostsv4, ahostsv6, networks, ethers, netgroup', {
        class: 'NETWORK',
        does: 'asks a server of names',
        operands: 'any',
      }),
      ...sameFor('shadow, gshadow', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'reads hashes of passwords',
        operands: 'any',
      }),
    },
    // glibc loads libnss_NAME.so.2 for `-s NAME`, from the current folder too if the name holds a slash.
    options: { plain: '-A --help --no-addrconfig --no-idn --version', executesHidden: '-s --service -i' },
  },
  {
    names: ['date', 'gdate'],
    class: 'READ_ONLY',
    does: 'prints the time',
    operands: 'any',
    inspect: 'date-format',
    options: {
      plain: '-j -n -R -u --debug --help --resolution --rfc-email --rfc-2822 --uct --universal --utc --version',
      optional: '-I --iso-8601',
      value: '-d -r -v -z --date --reference --rfc-3339',
      writes: '-a -f -s -t --file --set',
    },
  },
  {
    names: ['hwclock', 'ntpdate', 'chronyd', 'ntpd', 'sntp', 'adjtimex', 'tzselect'],
    class: 'WRITE',
    does: 'sets the clock',
    operands: 'any',
  },
  {
    names: ['printenv', 'gprintenv'],
    class: 'READ_ONLY',
    tier: 2,
    does: 'prints the environment, which can hold secrets',
    operands: 'any',
    options: { plain: `${HELP} -0 --null` },
  },
  {
    names: ['locale'],
    class: 'READ_ONLY',
    does: 'shows the language settings',
    operands: 'any',
    options: { plain: `${HELP} -a -c -k -m -v --all-locales --category-name --charmaps --keyword-name --verbose` },
  },
  {
    names: ['getconf', 'lsmod', 'lsscsi'],
    class: 'READ_ONLY',
    does: 'describes the host',
    operands: 'any',
    options: { plain: `${HELP} -a -d -g -H -i -l -L -s -t -v -V -w` },
  },
  {
    names: ['sensors', 'modinfo', 'acpi', 'ioreg', 'system_profiler'],
    class: 'READ_ONLY',
    does: 'describes the hardware',
    style: 'single_dash',
    operands: 'any',
    options: {
      plain:
        '-0 -A -a -b -f -h -i -j -l -r -t -u -V -x -json -xml --author --description --filename --help --license ' +
        '--null --parameters --version -listDataTypes',
      value: '-F -c -n -p -w -d -detailLevel --field',
      executes: '-k --basedir --set-version',
      writes: '-s --set',
    },
  },
  {
    names: ['lshw', 'dmidecode'],
    class: 'READ_ONLY',
    does: 'describes the hardware',
    style: 'single_dash',
    operands: 'any',
    options: {
      plain:
        '-businfo -disable -enable -html -json -notime -numeric -quiet -sanitize -short -xml --help ' +
        '--version --quiet --no-quirks -q -u -h -V',
      value: '-C -c -class -s -t -H --handle --string --type',
      reads: '-d --dev-mem --from-dump',
      writesTo: '-dump --dump-bin --oem-string',
      executesHidden: '-X',
    },
  },
  {
    names: ['lscpu', 'lsmem'],
    class: 'READ_ONLY',
    does: 'describes processors or memory',
    operands: 'none',
    options: {
      plain:
        `${HELP} -a -b -B -c -h -J -n -P -r -V -x -y --all --bytes --hex --json --noheadings --offline --online ` +
        '--output-all --pairs --physical --raw',
      optional: '-C -e -p --caches --extended --parse --summary',
      value: '-o -s -S --output --split --sysroot',
    },
  },
  {
    names: ['lsblk'],
    class: 'READ_ONLY',
    does: 'lists disks',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -A -b -d -D -f -h -i -J -l -m -M -n -N -O -p -P -r -s -S -t -v -V -y -z --all --ascii --bytes ` +
        '--discard --fs --inverse --json --list --merge --nodeps --noempty --noheadings --nvme --output-all ' +
        '--pairs --paths --perms --raw --scsi --shell --topology --virtio --zoned',
      optional: '-T --tree',
      value: '-e -E -I -o -w -x --dedup --exclude --include --output --sort --sysroot --width',
    },
  },
  {
    names: ['lsusb'],
    class: 'READ_ONLY',
    does: 'lists USB devices',
    operands: 'none',
    options: { plain: `${HELP} -h -t -v -V --tree --verbose`, value: '-d -D -s' },
  },
  {
    names: ['lspci'],
    class: 'READ_ONLY',
    does: 'lists PCI devices',
    operands: 'none',
    options: {
      plain: `${HELP} -b -D -k -m -n -P -t -v -x`,
      value: '-d -s',
      reads: '-F -i -p',
      network: '-q -Q',
      writes: '-A -G -H -M -O',
    },
  },
  {
    names: ['nvidia-smi'],
    class: 'READ_ONLY',
    does: 'shows graphics cards',
    style: 'single_dash',
    operands: 'none',
    subcommands: {
      topo: {
        class: 'READ_ONLY',
        does: 'shows how graphics cards are connected',
        operands: 'none',
        options: { plain: '-m' },
      },
      pmon: { class: 'READ_ONLY', does: 'shows processes of graphics cards', operands: 'none' },
    },
    options: {
      plain: '-h -L -q -u -x --help --list-gpus --query --unit --version --xml-format',
      value:
        '-d -i -l -lms --display --format --id --loop --loop-ms --query-accounted-apps --query-compute-apps ' +
        '--query-gpu --query-supported-clocks',
      writes: '-ac -am -c -caa -cc -e -lgc -lmc -mig -p -pl -pm -r -rac -rgc -rmc --gpu-reset',
      writesTo: '-f --filename',
    },
  },
];
