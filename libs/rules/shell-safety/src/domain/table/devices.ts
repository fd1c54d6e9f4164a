import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';

const DESTROYS = { class: 'DESTRUCTIVE', tier: 3, does: 'destroys the data of a disk', operands: 'any' } as const;

/** Disks and partitions. */
export const DEVICE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: [
      'mkfs',
      'mke2fs',
      'mkfs.ext2',
      'mkfs.ext3',
      'mkfs.ext4',
      'mkfs.xfs',
      'mkfs.btrfs',
      'mkfs.vfat',
      'mkfs.fat',
      'mkfs.ntfs',
      'mkfs.exfat',
      'mkfs.f2fs',
      'mkfs.minix',
      'mkfs.cramfs',
      'mkfs.jfs',
      'mkfs.reiserfs',
      'mkfs.msdos',
      'mkntfs',
      'mkdosfs',
      'mkswap',
      'newfs',
      'newfs_apfs',
      'newfs_hfs',
      'newfs_msdos',
      'wipefs',
      'cfdisk',
      'cgdisk',
      'gdisk',
      'blkdiscard',
      'sg_format',
      'nwipe',
      'scrub',
    ],
    ...DESTROYS,
  },
  {
    names: ['fdisk', 'sfdisk'],
    class: 'READ_ONLY',
    does: 'lists partitions',
    operands: 'any',
    inspect: 'fdisk-list',
    options: {
      plain:
        `${HELP} -d -F -h -J -l -T -v -V -x --bytes --dump --json --list --list-details --list-free --list-types ` +
        '--verify',
      optional: '-L --color',
      value: '-o --output',
      denied:
        '-A -B -N --activate --delete --discard-free --move-data --part-type --part-uuid --relocate --wipe ' +
        '--wipe-partitions -w -W',
    },
  },
  {
    names: ['sgdisk'],
    class: 'READ_ONLY',
    does: 'lists partitions',
    operands: 'any',
    inspect: 'sgdisk-list',
    options: {
      plain:
        '-D -E -f -F -L -p -v -V --display-alignment --end-of-largest --first-aligned-in-largest ' +
        '--first-in-largest --help --list-types --print --verify --version',
      value: '-i --info',
      denied:
        '-A -c -d -e -g -G -h -l -m -n -N -o -r -R -s -S -t -T -u -U -z -Z --clear --delete --largest-new ' +
        '--load-backup --new --typecode --zap --zap-all',
      writesTo: '-b --backup',
    },
  },
  {
    names: ['hdparm'],
    class: 'UNKNOWN',
    does: 'reads or changes the settings of a disk',
    operands: 'any',
    options: {
      plain: '-C -g -i -I -t -T -v -V',
      denied:
        '--fwdownload --make-bad-sector --security-erase --security-erase-enhanced --trim-sector-ranges ' +
        '--write-sector --yes-i-know-what-i-am-doing',
    },
  },
  {
    names: ['badblocks'],
    class: 'UNKNOWN',
    does: 'tests a disk',
    operands: 'any',
    options: { plain: '-f -n -s -v', value: '-b -c -d -e -i -p -t', writesTo: '-o', denied: '-w' },
  },
  {
    names: ['parted'],
    class: 'READ_ONLY',
    does: 'lists partitions',
    operands: 'any',
    inspect: 'parted',
    options: { plain: `${HELP} -f -h -j -l -m -s -v --fix --json --list --machine --script`, value: '-a --align' },
  },
  {
    names: ['dd', 'gdd', 'dcfldd', 'ddrescue'],
    class: 'WRITE',
    does: 'copies bytes',
    style: 'assignments',
    operands: 'writes',
    inspect: 'dd',
    options: {
      value: 'bs cbs conv count ibs iflag iseek obs oflag oseek seek skip status',
      reads: 'if',
      writesTo: 'of',
    },
  },
];
