import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';
import { sameFor } from './same-for.js';

/** Firewalls. */
export const FIREWALL_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['iptables', 'ip6tables', 'ebtables', 'arptables'],
    class: 'READ_ONLY',
    does: 'lists rules of the firewall',
    operands: 'any',
    inspect: 'firewall-list',
    options: {
      plain: `${HELP} -4 -6 -h -L -n -S -v -V -w -x --exact --line-numbers --list --list-rules --numeric --verbose`,
      value: '-t --table',
      writes:
        '-A -D -E -g -I -j -N -P -R --append --delete --goto --insert --jump --new-chain --policy ' +
        '--rename-chain --replace --set-counters',
      destroys: '-F -X -Z --delete-chain --flush --zero',
      executes: '-M --modprobe',
    },
  },
  {
    names: ['iptables-save', 'ip6tables-save'],
    class: 'READ_ONLY',
    does: 'prints rules of the firewall',
    operands: 'none',
    options: { plain: '-c -h -V --counters', value: '-t --table', writesTo: '-f --file', executes: '-M --modprobe' },
  },
  {
    // nft reads all its words as one program, in which `;` begins another command: only whole commands are listed.
    names: ['nft'],
    class: 'UNKNOWN',
    does: 'changes rules of the firewall',
    operands: 'any',
    subcommands: sameFor('list ruleset, list tables, list chains, list sets, list maps', {
      class: 'READ_ONLY',
      does: 'lists rules of the firewall',
      operands: 'none',
    }),
    options: {
      plain: '-a -c -h -j -n -N -s -S -t -T -u -v -V -y --handle --json --numeric --stateless --terse --version',
      executes: '-D -f -i -I --define --file --includepath --interactive',
    },
  },
  {
    names: ['ufw'],
    class: 'WRITE',
    does: 'changes rules of the firewall',
    operands: 'any',
    subcommands: sameFor('status, status verbose, status numbered, version, app list, show added', {
      class: 'READ_ONLY',
      does: 'lists rules of the firewall',
      operands: 'none',
    }),
    options: { plain: '--dry-run --force --help --version' },
  },
  {
    names: ['firewall-cmd'],
    class: 'READ_ONLY',
    does: 'lists rules of the firewall',
    operands: 'none',
    options: {
      plain:
        '-h -q -V --get-active-zones --get-default-zone --get-icmptypes --get-log-denied --get-services ' +
        '--get-zones --help --list-all --list-all-zones --list-forward-ports --list-icmp-blocks ' +
        '--list-interfaces --list-ports --list-protocols --list-rich-rules --list-services --list-source-ports ' +
        '--list-sources --permanent --query-masquerade --query-panic --state --version',
      value:
        '--get-zone-of-interface --info-service --info-zone --policy --query-interface --query-port ' +
        '--query-service --zone',
      writes:
        '--add-interface --add-masquerade --add-port --add-rich-rule --add-service --add-source ' +
        '--change-interface --complete-reload --direct --panic-off --panic-on --reload --remove-port ' +
        '--remove-rich-rule --remove-service --runtime-to-permanent --set-default-zone',
    },
  },
  {
    names: ['pfctl', 'ipset', 'ipfw', 'iptables-restore', 'ip6tables-restore', 'conntrack'],
    class: 'UNKNOWN',
    does: 'changes rules of the firewall',
    operands: 'any',
  },
];
