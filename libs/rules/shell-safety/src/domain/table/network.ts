import type { Behaviour, ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';
import { sameFor } from './same-for.js';

const NMCLI: Behaviour = { class: 'READ_ONLY', does: 'shows network settings', operands: 'none' };

/** Programs that show and change the network settings of the host. */
export const NETWORK_PROGRAMS: readonly ProgramRow[] = [
  {
    // Objects and verbs can be abbreviated (`ip a`, `ip addr del`), so a function reads them.
    names: ['ip'],
    class: 'READ_ONLY',
    does: 'shows network settings',
    style: 'single_dash',
    operands: 'any',
    inspect: 'iproute',
    options: {
      plain:
        '-0 -4 -6 -a -all -B -br -brief -c -color -c=never -c=auto -d -details -D -h -human -human-readable ' +
        '-iec -j -json -M -N -Numeric -o -oneline -p -pretty -r -resolve -s -statistics -stats -t -timestamp ' +
        '-ts -tshort -V -Version -ss',
      value: '-f -family -l -loops -n -netns -rc -rcvbuf',
      executes: '-b -batch',
      executesHidden: '-force',
    },
  },
  {
    names: ['tc', 'bridge'],
    class: 'READ_ONLY',
    does: 'shows network settings',
    style: 'single_dash',
    operands: 'any',
    inspect: 'iproute',
    options: {
      plain:
        '-4 -6 -br -brief -c -color -compressvlans -d -details -g -graph -h -iec -j -json -nm -names -o ' +
        '-oneline -p -pretty -r -raw -s -statistics -stats -t -timestamp -ts -V -Version',
      value: '-cf -conf -f -family -n -netns',
      executes: '-b -batch',
      executesHidden: '-force',
    },
  },
  {
    names: ['ifconfig', 'iwconfig'],
    class: 'READ_ONLY',
    does: 'shows interfaces',
    operands: 'any',
    inspect: 'one-interface',
    options: { plain: '-a -C -l -L -m -r -s -u -v --help --version' },
  },
  {
    names: ['route'],
    class: 'READ_ONLY',
    does: 'shows routes',
    operands: 'none',
    subcommands: { get: { class: 'READ_ONLY', does: 'shows a route', operands: 'any', inspect: 'no-host-name' } },
    options: {
      plain: `${HELP} -4 -6 -C -e -F -n -v -V --cache --extend --fib --numeric --verbose`,
      value: '-A',
      writes: '-f',
    },
  },
  {
    names: ['arp'],
    class: 'READ_ONLY',
    does: 'shows neighbours',
    operands: 'none',
    options: {
      plain: `${HELP} -a -e -h -l -n -v -V -x --all --numeric --verbose`,
      value: '-A -H -i -p -t --device --hw-type --protocol',
      writes: '-d -D -f -F -s -S --delete --file --set --use-device',
    },
  },
  {
    names: ['iw'],
    class: 'UNKNOWN',
    does: 'controls radios',
    operands: 'any',
    subcommands: sameFor('dev, list, phy, reg get', { class: 'READ_ONLY', does: 'shows radios', operands: 'none' }),
  },
  {
    names: ['brctl'],
    class: 'WRITE',
    does: 'changes bridges',
    operands: 'any',
    subcommands: sameFor('show, showmacs, showstp', { class: 'READ_ONLY', does: 'shows bridges', operands: 'any' }),
  },
  {
    names: ['ethtool'],
    class: 'READ_ONLY',
    does: 'shows a network card',
    style: 'single_dash',
    operands: 'any',
    inspect: 'one-interface',
    options: {
      plain:
        '-a -c -d -e -g -h -i -I -j -k -l -m -n -P -S -T -u -x --driver --help --include-statistics --json ' +
        '--module-info --register-dump --show-channels --show-coalesce --show-eee --show-features --show-fec ' +
        '--show-module --show-offload --show-pause --show-permaddr --show-priv-flags --show-ring --show-rxfh ' +
        '--show-time-stamping --statistics --version',
      writes:
        '-A -C -E -f -G -K -L -N -p -Q -r -s -t -U -W -X --change --change-eeprom --flash --identify ' +
        '--negotiate --offload --pause --reset --set-channels --set-eee --set-priv-flags --set-ring --test',
    },
  },
  {
    names: ['nmcli'],
    class: 'READ_ONLY',
    does: 'shows network settings',
    operands: 'none',
    subcommands: {
      ...sameFor(
        'general, general status, device, device status, dev, dev status, d, connection, con, c, radio',
        NMCLI,
      ),
      ...sameFor('device show, dev show, connection show, con show, c show, d show', { ...NMCLI, operands: 'any' }),
      ...sameFor('networking connectivity, dev wifi list, device wifi list', NMCLI),
    },
    options: {
      plain: '-a -h -o -p -t -v --active --help --overview --pretty --terse --version',
      value: '-c -e -f -g -m -w --colors --escape --fields --get-values --mode --wait',
      executes: '-s --ask --show-secrets',
    },
  },
  {
    names: ['ss'],
    class: 'READ_ONLY',
    does: 'lists connections',
    operands: 'any',
    inspect: 'ss-filter',
    options: {
      plain:
        `${HELP} -0 -4 -6 -a -b -d -e -E -h -H -i -l -m -M -n -o -O -p -Q -s -S -t -T -u -V -w -W -x -z -Z --all ` +
        '--bpf --cgroup --context --contexts --dccp --events --extended --inet-sockopt --info --ipv4 --ipv6 ' +
        '--listening --memory --mptcp --no-header --no-queues --numeric --oneline --options --packet --processes ' +
        '--raw --sctp --summary --tcp --threads --tipc --tipcinfo --tos --udp --unix --vsock --xdp',
      value: '-A -f --family --query --socket',
      reads: '-F --filter',
      writesTo: '-D --diag',
      destroys: '-K --kill',
      network: '-r --resolve',
      executes: '-N --net',
    },
  },
  {
    names: ['netstat'],
    class: 'READ_ONLY',
    does: 'lists connections',
    operands: 'any',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -A -b -B -c -C -d -e -F -g -h -i -l -L -m -M -n -N -o -p -q -Q -r -R -s -S -t -T -u ` +
        '-U -v -V -w -W -x -X -Z --all --cache --context --continuous --extend --fib --groups --inet --inet6 ' +
        '--interfaces --libxo --listening --masquerade --numeric --numeric-hosts --numeric-ports --numeric-users ' +
        '--program --programs --raw --route --sctp --statistics --symbolic --tcp --timers --udp --unix --verbose ' +
        '--wide',
      value: '-f -I --protocol',
    },
  },
  {
    names: [
      'ifup',
      'ifdown',
      'netplan',
      'dhclient',
      'dhcpcd',
      'wpa_supplicant',
      'wpa_cli',
      'wg',
      'wg-quick',
      'openvpn',
      'tailscale',
      'hostapd',
      'dnsmasq',
      'rfkill',
      'ipconfig',
      'ifrename',
      'nmtui',
      'tunctl',
      'vconfig',
      'ifenslave',
      'ovs-vsctl',
      'ovs-ofctl',
    ],
    class: 'UNKNOWN',
    does: 'changes network settings',
    operands: 'any',
  },
];
