import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';
import { sameFor } from './same-for.js';

const DESTROYS = { class: 'DESTRUCTIVE', tier: 3, does: 'destroys the data of a disk', operands: 'any' } as const;

/** Volumes, mounts and file systems. */
export const VOLUME_PROGRAMS: readonly ProgramRow[] = [
  {
    // Without operands, mount lists the mounted file systems.
    names: ['mount'],
    class: 'READ_ONLY',
    does: 'lists mounts',
    operands: 'none',
    options: {
      plain: `${HELP} -h -l -v -V --show-labels --verbose`,
      value: '-t --types',
      writes:
        '-a -B -F -m -M -n -r -R -w --all --bind --make-private --make-rprivate --make-rshared --make-rslave ' +
        '--make-shared --make-slave --mkdir --move --rbind --read-only --rw',
      executes: '-i -N -o -O -T --fstab --internal-only --namespace --options --test-opts',
    },
  },
  {
    names: ['umount', 'fusermount', 'fusermount3', 'swapoff'],
    class: 'WRITE',
    does: 'ends mounts',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -A -c -d -f -h -l -n -q -r -R -v -z --all --all-targets --detach-loop --force --lazy --quiet ` +
        '--read-only --recursive --verbose',
      value: '-t -u -O --types',
    },
  },
  {
    names: ['swapon'],
    class: 'READ_ONLY',
    does: 'lists swap space',
    operands: 'none',
    options: {
      plain: `${HELP} -h -s -v -V --bytes --noheadings --raw --summary --verbose`,
      optional: '--show',
      writes: '-a -d -e -f -o -p -L -U --all --discard --fixpgsz --options --priority',
    },
  },
  {
    names: ['losetup'],
    class: 'READ_ONLY',
    does: 'lists loop devices',
    operands: 'none',
    options: {
      plain: `${HELP} -a -h -J -l -n -V --all --json --list --noheadings --raw`,
      value: '-j -O --associated --output',
      writes:
        '-b -c -d -D -f -L -o -P -r --detach --detach-all --direct-io --find --nooverlap --offset --partscan ' +
        '--read-only --set-capacity --show --sizelimit',
    },
  },
  {
    names: ['blkid'],
    class: 'READ_ONLY',
    does: 'lists file systems',
    operands: 'any',
    options: {
      plain:
        `${HELP} -d -D -h -i -k -l -p -V --info --list-filesystems --list-one --no-encoding --no-part-details ` +
        '--probe',
      value:
        '-H -L -n -o -O -s -S -t -u -U --hint --label --match-spec --match-tag --match-token --match-types ' +
        '--offset --output --size --usages --uuid',
      writes: '-g --garbage-collect',
      writesTo: '-c --cache-file',
    },
  },
  {
    names: ['lvs', 'vgs', 'pvs', 'lvdisplay', 'vgdisplay', 'pvdisplay', 'lvscan', 'lvmdiskscan', 'pvscan', 'vgscan'],
    class: 'READ_ONLY',
    does: 'lists volumes',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -A -C -h -m -P -q -s -S -v --all --colon --columns --history --maps --nameprefixes ` +
        '--noheadings --nolocking --readonly --rows --segments --short --unbuffered --unquoted --verbose -c',
      value: '-o -O --options --reportformat --select --separator --sort --units',
      writes: '--cache --mknodes --notifydbus',
      executes: '--config --devicesfile --profile --commandprofile',
    },
  },
  {
    names: [
      'lvremove',
      'vgremove',
      'pvremove',
      'lvreduce',
      'vgreduce',
      'vgsplit',
      'lvm',
      'dmsetup',
      'cryptsetup',
      'mdadm',
    ],
    class: 'DESTRUCTIVE',
    does: 'deletes or changes volumes',
    operands: 'any',
    style: 'single_dash',
    options: { denied: '--zero-superblock' },
    subcommands: sameFor('luksFormat, luksErase, erase, reencrypt, remove_all, wipe_table', DESTROYS),
  },
  {
    names: [
      'lvcreate',
      'vgcreate',
      'pvcreate',
      'lvextend',
      'vgextend',
      'lvresize',
      'pvresize',
      'lvchange',
      'vgchange',
      'pvmove',
      'resize2fs',
      'xfs_growfs',
      'growpart',
      'partprobe',
      'e2label',
      'fsck',
      'e2fsck',
      'xfs_repair',
      'fstrim',
      'kpartx',
      'eject',
      'quotaon',
      'setquota',
      'edquota',
    ],
    class: 'WRITE',
    does: 'changes volumes or file systems',
    operands: 'any',
  },
  {
    names: ['tune2fs'],
    class: 'READ_ONLY',
    does: 'describes a file system',
    operands: 'reads',
    inspect: 'tune2fs-list',
    options: { plain: '-l' },
  },
  {
    names: ['dumpe2fs', 'xfs_info', 'e2freefrag', 'filefrag', 'quota', 'repquota'],
    class: 'READ_ONLY',
    does: 'describes file systems',
    operands: 'reads',
    options: { plain: '-a -b -e -f -g -h -k -l -p -q -s -u -v -V -x' },
  },
  {
    names: ['smartctl'],
    class: 'READ_ONLY',
    does: 'shows the health of disks',
    operands: 'any',
    options: {
      plain:
        '-a -A -c -h -H -i -j -V -x --all --attributes --capabilities --health --help --info --json --scan ' +
        '--scan-open --version --xall',
      value:
        '-d -f -g -n -q -r -T -v --badsum --device --format --get --nocheck --quietmode --report ' +
        '--tolerance --vendorattribute',
      writes: '-l --log -o -s -S -t -X --abort --offlineauto --saveauto --set --smart --test',
      reads: '-B -F --drivedb --firmwarebug',
    },
  },
  {
    names: ['nvme'],
    class: 'UNKNOWN',
    does: 'controls disks',
    operands: 'any',
    subcommands: {
      ...sameFor('list, list-subsys, smart-log, error-log, id-ctrl, id-ns, show-regs, version', {
        class: 'READ_ONLY',
        does: 'describes disks',
        operands: 'any',
        options: { plain: '-v -H --verbose --human-readable', value: '-o -n --output-format --namespace-id' },
      }),
      ...sameFor('format, sanitize, delete-ns, write, write-zeroes, dsm', DESTROYS),
    },
  },
  {
    names: ['zpool', 'zfs'],
    class: 'UNKNOWN',
    does: 'controls pools of disks',
    operands: 'any',
    subcommands: {
      ...sameFor('status, list, get, iostat, history, version, events, userspace, groupspace, holds', {
        class: 'READ_ONLY',
        does: 'describes pools of disks',
        operands: 'any',
        options: { plain: '-D -e -g -H -i -j -l -L -p -P -q -r -v -x', value: '-d -o -s -S -t -T', executes: '-c' },
      }),
      ...sameFor('destroy, labelclear', DESTROYS),
      ...sameFor('rollback, detach, remove, offline', {
        class: 'DESTRUCTIVE',
        does: 'drops data or disks of a pool',
        operands: 'any',
      }),
    },
  },
  {
    names: ['btrfs'],
    class: 'UNKNOWN',
    does: 'controls a file system',
    operands: 'any',
    subcommands: sameFor(
      'filesystem df, filesystem show, filesystem usage, filesystem du, subvolume list, subvolume show, ' +
        'device stats, device usage, scrub status, balance status',
      {
        class: 'READ_ONLY',
        does: 'describes a file system',
        operands: 'reads',
        options: { plain: '-a -b -d -h -k -m -p -s -t -T -u' },
      },
    ),
  },
];
