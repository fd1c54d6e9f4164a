import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';

/** Programs that create, change, move and delete files. */
export const FILE_CHANGE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['rm', 'grm'],
    class: 'DESTRUCTIVE',
    does: 'deletes files',
    operands: 'writes',
    inspect: 'rm',
    options: {
      plain:
        `${HELP} -d -f -i -I -P -r -R -v -W -x --dir --force --no-preserve-root --one-file-system --recursive ` +
        '--verbose',
      optional: '--interactive --preserve-root',
    },
  },
  {
    names: ['rmdir', 'grmdir'],
    class: 'DESTRUCTIVE',
    does: 'deletes empty folders',
    operands: 'writes',
    options: { plain: `${HELP} -p -v --ignore-fail-on-non-empty --parents --verbose` },
  },
  {
    names: ['unlink', 'gunlink'],
    class: 'DESTRUCTIVE',
    does: 'deletes a file',
    operands: 'writes',
    options: { plain: HELP },
  },
  {
    names: ['shred', 'gshred', 'srm', 'wipe'],
    class: 'DESTRUCTIVE',
    tier: 3,
    does: 'overwrites files so that nobody can restore them',
    operands: 'writes',
  },
  {
    names: ['truncate', 'gtruncate', 'fallocate'],
    class: 'DESTRUCTIVE',
    does: 'cuts files',
    operands: 'writes',
    options: {
      plain:
        `${HELP} -c -d -n -o -p -v -x -z --collapse-range --dig-holes --insert-range --io-blocks --keep-size ` +
        '--no-create --posix --punch-hole --zero-range',
      value: '-l -r -s --length --offset --reference --size',
    },
  },
  {
    names: ['trash', 'trash-put'],
    class: 'WRITE',
    does: 'moves files to the bin',
    operands: 'writes',
  },
  {
    names: ['cp', 'gcp'],
    class: 'WRITE',
    does: 'copies files',
    operands: 'writes',
    inspect: 'copies',
    options: {
      plain:
        `${HELP} -a -c -d -f -H -i -l -L -n -N -p -P -r -R -s -T -u -v -V -x -X -Z --archive --attributes-only ` +
        '--copy-contents --debug --dereference --force --interactive --keep-directory-symlink --link --no-clobber ' +
        '--no-dereference --no-target-directory --one-file-system --parents --recursive --remove-destination ' +
        '--strip-trailing-slashes --symbolic-link --verbose',
      optional: '-b --backup --context --preserve --reflink --update',
      value: '-S --no-preserve --sparse --suffix',
      writesTo: '-t --target-directory',
    },
  },
  {
    names: ['mv', 'gmv'],
    class: 'WRITE',
    does: 'moves files',
    operands: 'writes',
    inspect: 'copies',
    options: {
      plain:
        `${HELP} -f -h -i -n -T -u -v -Z --context --debug --exchange --force --interactive --no-clobber ` +
        '--no-copy --no-target-directory --strip-trailing-slashes --verbose',
      optional: '-b --backup --update',
      value: '-S --suffix',
      writesTo: '-t --target-directory',
    },
  },
  {
    names: ['ln', 'gln', 'link', 'symlink'],
    class: 'WRITE',
    does: 'makes links',
    operands: 'writes',
    inspect: 'copies',
    options: {
      plain:
        `${HELP} -d -f -F -h -i -L -n -P -r -s -T -v -w --directory --force --interactive --logical ` +
        '--no-dereference --no-target-directory --physical --relative --symbolic --verbose',
      optional: '-b --backup',
      value: '-S --suffix',
      writesTo: '-t --target-directory',
    },
  },
  {
    names: ['install', 'ginstall'],
    class: 'WRITE',
    does: 'copies files and sets their modes',
    operands: 'writes',
    inspect: 'copies',
    options: {
      plain:
        `${HELP} -c -C -d -D -p -s -T -v -Z --compare --debug --directory --no-target-directory ` +
        '--preserve-context --preserve-timestamps --strip --verbose',
      optional: '-b --backup --context',
      value: '-g -m -o -S --group --mode --owner --suffix',
      writesTo: '-t --target-directory',
      executes: '--strip-program',
    },
  },
  { names: ['ditto'], class: 'UNKNOWN', does: 'copies all that a folder holds', operands: 'writes' },
  {
    // `rename` of Perl executes its first operand, `gio launch` its second.
    names: ['rename', 'prename', 'mmv', 'gio'],
    class: 'UNKNOWN',
    does: 'changes files by an expression or a verb',
    operands: 'writes',
  },
  {
    names: ['mkdir', 'gmkdir'],
    class: 'WRITE',
    does: 'makes folders',
    operands: 'writes',
    options: { plain: `${HELP} -p -v -Z --parents --verbose`, optional: '--context', value: '-m --mode' },
  },
  {
    names: ['mkfifo', 'mknod'],
    class: 'WRITE',
    does: 'makes special files',
    operands: 'writes',
    options: { plain: `${HELP} -Z`, optional: '--context', value: '-m --mode' },
  },
  {
    names: ['mktemp', 'gmktemp'],
    class: 'WRITE',
    does: 'makes a temporary file',
    operands: 'writes',
    options: {
      plain: `${HELP} -d -q -t -u -V --directory --dry-run --quiet`,
      optional: '--tmpdir',
      value: '-p --suffix',
    },
  },
  {
    names: ['touch', 'gtouch'],
    class: 'WRITE',
    does: 'makes files or sets their times',
    operands: 'writes',
    options: {
      plain: `${HELP} -a -c -f -h -m --no-create --no-dereference`,
      value: '-A -d -r -t --date --reference --time',
    },
  },
  {
    names: ['chmod', 'gchmod'],
    class: 'WRITE',
    does: 'changes the modes of files',
    operands: 'writes',
    options: {
      plain:
        `${HELP} -c -C -E -f -h -H -L -n -N -P -R -v --changes --dereference --no-dereference --no-preserve-root ` +
        '--preserve-root --quiet --recursive --silent --verbose -r -w -x',
      value: '--reference',
    },
  },
  {
    names: ['chown', 'chgrp', 'gchown', 'gchgrp'],
    class: 'WRITE',
    does: 'changes the owners of files',
    operands: 'writes',
    options: {
      plain:
        `${HELP} -c -f -h -H -L -n -P -R -v -x --changes --dereference --no-dereference --no-preserve-root ` +
        '--preserve-root --quiet --recursive --silent --verbose',
      value: '--from --reference',
    },
  },
  {
    names: ['chattr', 'chflags', 'setfacl', 'setfattr', 'setcap', 'chcon', 'restorecon', 'semanage', 'setsebool'],
    class: 'WRITE',
    does: 'changes the attributes of files',
    operands: 'writes',
  },
  {
    names: ['sync', 'gsync', 'fsync'],
    class: 'WRITE',
    does: 'writes buffers to the disk',
    operands: 'any',
    options: { plain: `${HELP} -d -f --data --file-system` },
  },
  {
    names: ['dos2unix', 'unix2dos', 'mac2unix', 'unix2mac'],
    class: 'WRITE',
    does: 'changes the line ends of files',
    operands: 'writes',
    options: {
      plain: `${HELP} -b -f -k -l -n -o -q -v --force --keepdate --quiet --newfile --oldfile`,
      value: '-c --convmode',
    },
  },
  {
    names: ['split', 'gsplit', 'csplit'],
    class: 'WRITE',
    does: 'writes the pieces of a file',
    operands: 'writes',
    options: {
      plain:
        `${HELP} -d -e -k -q -s -u -x -z --elide-empty-files --keep-files --quiet --silent --suppress-matched ` +
        '--unbuffered --verbose',
      optional: '--numeric-suffixes --hex-suffixes',
      value:
        '-a -b -C -f -l -n -t --additional-suffix --bytes --digits --line-bytes --lines --number --prefix ' +
        '--separator --suffix-format --suffix-length',
      executes: '--filter',
    },
  },
  {
    names: ['tee', 'gtee', 'sponge'],
    class: 'WRITE',
    does: 'writes its input to files',
    operands: 'writes',
    options: { plain: `${HELP} -a -i -p --append --ignore-interrupts`, optional: '--output-error' },
  },
];
