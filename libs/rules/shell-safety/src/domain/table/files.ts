import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';

/** Programs that describe files and file systems without changing them. */
export const FILE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['stat', 'gstat'],
    class: 'READ_ONLY',
    does: 'describes files',
    operands: 'reads',
    options: {
      plain: `${HELP} -f -F -H -l -L -n -q -r -s -t -x --dereference --file-system --terse`,
      value: '-c --cached --format --printf',
    },
  },
  {
    names: ['du', 'gdu'],
    class: 'READ_ONLY',
    does: 'sums the sizes of files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -0 -a -A -b -c -D -g -h -H -k -l -L -m -n -P -r -s -S -x --all --apparent-size --bytes ` +
        '--count-links --dereference --dereference-args --human-readable --inodes --no-dereference --null ' +
        '--one-file-system --separate-dirs --si --summarize --total',
      optional: '--time',
      value: '-B -d -I -t --block-size --exclude --max-depth --threshold --time-style',
      reads: '-X --exclude-from --files0-from',
    },
  },
  {
    names: ['df', 'gdf'],
    class: 'READ_ONLY',
    does: 'shows the space of file systems',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -b -c -g -h -H -i -I -k -l -m -n -P -T -v -Y --all --human-readable --inodes --local ` +
        '--no-sync --portability --print-type --si --sync --total',
      optional: '--output',
      value: '-B -t -x --block-size --exclude-type --type',
    },
  },
  {
    names: ['readlink', 'realpath', 'greadlink', 'grealpath'],
    class: 'READ_ONLY',
    does: 'resolves paths',
    operands: 'any',
    options: {
      plain:
        `${HELP} -e -E -f -L -m -n -P -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing ` +
        '--logical --no-newline --no-symlinks --physical --quiet --silent --strip --verbose --zero',
      value: '--relative-base --relative-to',
    },
  },
  {
    names: ['basename', 'dirname', 'gbasename', 'gdirname'],
    class: 'READ_ONLY',
    does: 'prints a part of a path',
    operands: 'any',
    options: { plain: `${HELP} -a -z --multiple --zero`, value: '-s --suffix' },
  },
  {
    names: ['pathchk', 'namei'],
    class: 'READ_ONLY',
    does: 'describes the parts of a path',
    operands: 'any',
    options: {
      plain:
        `${HELP} -h -l -m -n -o -p -P -v -V -x -Z --long --modes --mountpoints --nosymlinks --owners ` +
        '--portability --vertical',
    },
  },
  {
    names: ['lsattr', 'getfacl', 'getcap'],
    class: 'READ_ONLY',
    does: 'shows attributes of files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -a -c -d -e -E -h -l -L -n -p -P -R -s -t -v -V --absolute-names --access --all-effective ` +
        '--default --logical --no-effective --numeric --omit-header --one-file-system --physical --recursive ' +
        '--skip-base --tabular',
    },
  },
  {
    names: ['getfattr'],
    class: 'READ_ONLY',
    does: 'shows extended attributes of files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -d -h -L -P -R --absolute-names --dump --logical --no-dereference --only-values --physical ` +
        '--recursive',
      value: '-e -m -n --encoding --match --name',
    },
  },
  {
    names: ['xattr'],
    class: 'READ_ONLY',
    does: 'shows extended attributes of files',
    operands: 'reads',
    options: { plain: '-h -l -r -s -v -x', value: '-p', writes: '-w', destroys: '-c -d' },
  },
  {
    names: ['lsof'],
    class: 'READ_ONLY',
    does: 'lists open files',
    operands: 'any',
    inspect: 'no-host-name',
    options: {
      plain: `-a -b -C -E -h -K -l -M -n -N -O -P -Q -R -t -U -v -V -w -X`,
      optional: '-i -F -L -T',
      value: '-c -d -e -f -g -o -p -r -s -S -u -x -z +c +d +D +E +f +L +M +r +w',
      reads: '-A -k -m',
      writes: '-D',
    },
  },
  {
    names: ['fuser'],
    class: 'READ_ONLY',
    does: 'lists the processes that use a file',
    operands: 'any',
    inspect: 'no-host-name',
    options: {
      plain:
        '-a -c -f -i -I -l -m -M -s -u -v -V -4 -6 --all --help --interactive --ipv4 --ipv6 --ismountpoint ' +
        '--list-signals --mount --silent --user --verbose --version',
      value: '-n --namespace',
      destroys: '-k --kill',
    },
  },
  {
    names: ['mountpoint', 'findmnt'],
    class: 'READ_ONLY',
    does: 'shows where file systems are mounted',
    operands: 'any',
    options: {
      plain:
        '-a -A -b -C -d -D -e -f -h -i -I -J -k -l -m -n -P -q -r -R -s -u -U -v -V -x -y --all --ascii --bytes ' +
        '--canonicalize --deleted --df --evaluate --first-only --fstab --fs-devno --help --invert --json ' +
        '--kernel --list --mtab --noheadings --nofollow --nofsroot --notruncate --nocanonicalize --pairs ' +
        '--quiet --raw --real --pseudo --shadowed --submounts --tree --uniq --verbose --verify --version ' +
        '--vfs-all',
      value:
        '-c -M -N -o -O -p -Q -S -t -T -w --direction --dfs --mountpoint --options --output --source --target ' +
        '--task --timeout --types',
      reads: '-F --tab-file',
    },
  },
];
