import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const read = (does: string, options: Options = {}): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options,
  operands: 'any',
});
const DELETES: Behaviour = { class: 'DESTRUCTIVE', does: 'deletes or ends a guest' };
const USAGE = { class: 'READ_ONLY', does: 'prints its usage', operands: 'none' } as const;

/** Proxmox, libvirt and Ceph. Commands inside a guest, and the monitor of QEMU, execute. */
export const VIRTUALIZATION_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['pvecm'],
    style: 'gnu',
    ...USAGE,
    subcommands: {
      ...sameFor('status, nodes, expected-votes, help', read('shows the cluster', { plain: '-v --verbose' })),
      expected: { class: 'WRITE', does: 'changes how many votes the cluster expects' },
      ...sameFor('add, create, addnode, updatecerts, keygen, apiver, mtunnel, qdevice setup', {
        class: 'WRITE',
        does: 'changes the cluster',
      }),
      ...sameFor('delnode, qdevice remove', { class: 'DESTRUCTIVE', does: 'removes a node from the cluster' }),
    },
  },
  {
    names: ['qm'],
    style: 'gnu',
    ...USAGE,
    subcommands: {
      ...sameFor(
        'list, status, config, pending, listsnapshot, showcmd, help',
        read('shows virtual machines', {
          plain: '--verbose -verbose --current -current --full -full --pretty -pretty',
          value: '--snapshot -snapshot',
        }),
      ),
      ...sameFor(
        'agent, monitor, guest, guest exec, guest exec-status, guest passwd, guest cmd, terminal, vncproxy, sendkey',
        {
          class: 'UNKNOWN',
          does: 'reaches into a virtual machine',
        },
      ),
      ...sameFor(
        'start, resume, suspend, reboot, set, create, clone, resize, snapshot, rescan, unlock, template, cleanup',
        {
          class: 'WRITE',
          does: 'changes a virtual machine',
        },
      ),
      ...sameFor(
        'migrate, remote-migrate, move-disk, move_disk, import, importdisk, importovf, disk import, disk resize, disk move',
        {
          class: 'WRITE',
          does: 'moves a virtual machine or its disks',
        },
      ),
      ...sameFor('destroy, stop, shutdown, reset, rollback, delsnapshot, unlink, disk unlink', DELETES),
      ...sameFor('cloudinit dump, cloudinit pending', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'prints the set-up of a guest',
      }),
    },
  },
  {
    names: ['pct'],
    style: 'gnu',
    ...USAGE,
    subcommands: {
      ...sameFor(
        'list, status, config, pending, listsnapshot, cpusets, df, help',
        read('shows containers', {
          plain: '--verbose -verbose --current -current',
          value: '--snapshot -snapshot',
        }),
      ),
      ...sameFor('exec, enter, console, push, pull, mount, unmount, fsck', {
        class: 'UNKNOWN',
        does: 'reaches into a container',
      }),
      ...sameFor(
        'start, resume, suspend, reboot, set, create, clone, resize, snapshot, migrate, restore, template, unlock',
        {
          class: 'WRITE',
          does: 'changes a container',
        },
      ),
      ...sameFor('destroy, stop, shutdown, rollback, delsnapshot, fstrim', DELETES),
    },
  },
  {
    names: ['pvesh'],
    style: 'gnu',
    ...USAGE,
    subcommands: {
      // Some paths start work on the node or answer tickets, hence not every path is a read.
      ...sameFor(
        'ls, usage, help',
        read('shows paths of the API', { plain: '-v --verbose -r --returns', value: '--output-format' }),
      ),
      get: {
        ...read('reads from the API of the node', {
          plain: '--human-readable --noborder --noheader --noproxy',
          value: '--output-format',
        }),
        inspect: 'pvesh-path',
      },
      ...sameFor('set, create', { class: 'WRITE', does: 'changes the cluster, or executes on a node' }),
      delete: { class: 'DESTRUCTIVE', does: 'deletes from the cluster' },
    },
  },
  {
    names: ['pvesm'],
    style: 'gnu',
    ...USAGE,
    subcommands: {
      ...sameFor(
        'status, list, path, help',
        read('shows storages', {
          value: '--storage -storage --content -content --vmid -vmid --target -target',
          plain: '--enabled -enabled',
        }),
      ),
      ...sameFor('scan, apiinfo, nfsscan, cifsscan, iscsiscan', { class: 'NETWORK', does: 'asks a storage server' }),
      ...sameFor('add, set, alloc, import, export, prune-backups, extractconfig', {
        class: 'WRITE',
        does: 'changes storages',
      }),
      ...sameFor('free, remove', { class: 'DESTRUCTIVE', does: 'deletes a volume or a storage' }),
    },
  },
  {
    names: ['pveversion', 'pveperf', 'pvesubscription', 'pvenode', 'ha-manager', 'pvesr', 'pvereport'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a node of Proxmox',
    options: { informs: '-v -verbose --verbose' },
    subcommands: {
      ...sameFor('status, config, list, task list', {
        ...read('shows the state of the node', { plain: '-v --verbose' }),
        operands: 'none',
      }),
    },
  },
  {
    names: ['vzdump', 'qmrestore', 'pveceph', 'pveam', 'pveum', 'proxmox-backup-client'],
    class: 'UNKNOWN',
    does: 'backs up, restores or changes what a node runs',
    subcommands: {
      ...sameFor(
        'status, available, list, user list, group list, role list, acl list',
        read('shows the state', { plain: '--full -full' }),
      ),
    },
  },
  {
    names: ['virsh'],
    style: 'gnu',
    ...USAGE,
    options: {
      plain: '-q --quiet -h --help -v --version -V -r --readonly',
      networkTo: '-c --connect',
      writesTo: '-l --log',
    },
    subcommands: {
      ...sameFor(
        'list, dominfo, domstate, domblklist, domiflist, domifaddr, domstats, domblkinfo, domblkstat, domifstat',
        read('shows guests', {
          plain:
            '--all --inactive --details --full --name --uuid --title --state-running --human --reason --with-snapshot',
          value: '--source --domain',
        }),
      ),
      // --security-info adds passwords of displays, hence it stays unknown.
      ...sameFor(
        'dumpxml, vcpuinfo, vcpucount, nodeinfo, version, capabilities, hostname, uri, snapshot-list, dommemstat',
        read('shows guests', {
          plain: '--inactive --tree --live --current --config',
        }),
      ),
      ...sameFor(
        'net-list, net-info, net-dumpxml, net-dhcp-leases, pool-list, pool-info, vol-list, vol-info, iface-list',
        read('shows networks and storage', {
          plain: '--all --inactive --details',
          value: '--pool',
        }),
      ),
      ...sameFor(
        'start, define, create, edit, resume, suspend, save, restore, attach-disk, detach-disk, setvcpus, setmem, autostart',
        {
          class: 'WRITE',
          does: 'changes a guest',
        },
      ),
      ...sameFor('migrate, qemu-monitor-command, qemu-agent-command, console, shell, domrename, set-user-password', {
        class: 'UNKNOWN',
        does: 'reaches into a guest',
      }),
      ...sameFor(
        'destroy, undefine, shutdown, reset, reboot, snapshot-delete, snapshot-revert, vol-delete, vol-wipe, pool-destroy, net-destroy',
        DELETES,
      ),
    },
  },
  {
    names: ['ceph'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a storage cluster',
    // `-s` alone shows the status of the cluster.
    options: {
      informs: '-s --status -v',
      value: '-f --format',
      executes: '-c --conf -k --keyring',
      networkTo: '-m -n --name --id',
    },
    subcommands: {
      ...sameFor('status, health, health detail, df, df detail, versions, features, fsid, quorum_status', {
        ...read('shows the cluster'),
        operands: 'none',
      }),
      ...sameFor(
        'osd tree, osd df, osd df tree, osd status, osd stat, osd pool ls, osd pool ls detail, osd perf, osd dump, osd pool stats',
        read('shows disks and pools'),
      ),
      ...sameFor(
        'mon stat, mon dump, mgr stat, mgr services, pg stat, pg dump, mds stat, fs ls, fs status, crash ls, crash info',
        read('shows daemons'),
      ),
      ...sameFor('auth, auth get, auth ls, auth list, auth get-key, config-key get, config-key dump', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'prints keys of the cluster',
      }),
      ...sameFor('osd rm, osd purge, osd destroy, osd pool delete, osd pool rm, fs rm, auth del', {
        class: 'DESTRUCTIVE',
        does: 'deletes data of the cluster',
      }),
      ...sameFor(
        'health mute, health unmute, osd out, osd in, osd set, osd unset, osd reweight, osd pool create, osd pool set, config set, tell, orch',
        {
          class: 'WRITE',
          does: 'changes the cluster',
        },
      ),
    },
  },
  {
    names: ['rbd', 'rados', 'cephadm', 'radosgw-admin', 'ceph-volume'],
    class: 'UNKNOWN',
    does: 'works on a storage cluster',
  },
  {
    names: [
      'VBoxManage',
      'vboxmanage',
      'qemu-system-x86_64',
      'govc',
      'esxcli',
      'vim-cmd',
      'virt-install',
      'multipass',
      'limactl',
    ],
    class: 'UNKNOWN',
    does: 'runs virtual machines',
  },
];
