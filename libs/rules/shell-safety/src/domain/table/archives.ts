import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';

/** Programs that pack, unpack and list archives. */
export const ARCHIVE_PROGRAMS: readonly ProgramRow[] = [
  {
    // A tar without -c, -r, -u, -x, -A or --delete lists. Its old style (`tar xf`) needs a function.
    names: ['tar', 'gtar', 'bsdtar'],
    class: 'READ_ONLY',
    does: 'lists an archive',
    operands: 'any',
    inspect: 'tar',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -B -d -h -i -j -J -k -l -m -n -o -O -p -P -R -s -S -t -v -w -W -z -Z ` +
        '--absolute-names --anchored --auto-compress --block-number --bzip2 --check-links --compare --diff ' +
        '--compress --full-time --gunzip --gzip --ignore-case --ignore-command-error --ignore-failed-read ' +
        '--ignore-zeros --keep-newer-files --keep-old-files --list --lzip --lzma --lzop --no-anchored ' +
        '--no-auto-compress --no-ignore-case --no-quote-chars --no-recursion --no-same-owner ' +
        '--no-same-permissions --no-seek --no-unquote --no-wildcards --no-wildcards-match-slash --null ' +
        '--numeric-owner --one-file-system --preserve-order --quote --read-full-records --recursion --same-order ' +
        '--same-owner --same-permissions --seek --show-defaults --show-omitted-dirs --show-snapshot-field-ranges ' +
        '--show-stored-names --sparse --to-stdout --touch --utc --verbose --verify --wildcards ' +
        '--wildcards-match-slash --xz --zstd --force-local --exclude-backups --exclude-caches --exclude-vcs',
      optional: '--checkpoint --occurrence --totals',
      value:
        '--warning -b -C -H -K -N -V --after-date --blocking-factor --directory --exclude --exclude-tag --format ' +
        '--label --level --newer --newer-mtime --quoting-style --record-size --sort --starting-file ' +
        '--strip-components --transform --xform --group --owner --mode --mtime --include',
      reads: '-f -X --exclude-from --file',
      writes:
        '-A --backup -c -r -u -x --append --catenate --concatenate --create --extract --get --update ' +
        '--overwrite --unlink-first --recursive-unlink -U',
      writesTo: '--index-file -g --listed-incremental --volno-file',
      destroys: '--delete --remove-files',
      executes:
        '-T --files-from -F -I --checkpoint-action --info-script --new-volume-script --rmt-command --rsh-command --to-command ' +
        '--use-compress-program',
      // At the end of a volume, tar takes `!` of its input for a request for a shell.
      executesHidden: '-L -M --multi-volume --tape-length',
    },
  },
  {
    names: [
      ...['gzip', 'gunzip', 'pigz', 'unpigz', 'compress', 'uncompress', 'brotli', 'bzip2', 'bunzip2', 'pbzip2', 'lzip'],
      ...['xz', 'unxz', 'lzma', 'unlzma', 'zstd', 'unzstd'],
    ],
    class: 'READ_ONLY',
    does: 'packs or unpacks text',
    operands: 'reads',
    inspect: 'compress-to-stdout',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -c -d -e -f -h -H -k -l -L -n -N -q -s -t -v -V -z --ascii --best --check ` +
        '--compress --decompress --extreme --fast --force --info --keep --list --name --no-name --no-sparse ' +
        '--no-sync --quiet --rsyncable --single-stream --small --sparse --stdout --synchronous --test ' +
        '--to-stdout --uncompress --verbose',
      recurses: '-r --recursive',
      value: '-b -C -F -M -p -S -T --block-size --format --memlimit --suffix --threads --processes',
      destroys: '--rm',
      writesTo: '-o --output --output-dir-flat --output-dir-mirror',
    },
  },
  {
    names: ['zcat', 'gzcat', 'bzcat', 'xzcat', 'lzcat', 'zstdcat', 'lz4cat'],
    class: 'READ_ONLY',
    does: 'reads compressed files',
    operands: 'reads',
    options: { plain: `${HELP} -f -h -q -v -V --force --quiet --verbose` },
  },
  {
    names: ['zdiff', 'zcmp', 'bzdiff', 'bzcmp', 'xzdiff', 'xzcmp'],
    class: 'READ_ONLY',
    does: 'compares compressed files',
    operands: 'reads',
    options: { plain: `${HELP} -b -c -i -q -s -u -w -y -N` },
  },
  {
    names: ['zip'],
    class: 'WRITE',
    does: 'packs files',
    operands: 'writes',
    options: {
      plain: `${HELP} ${DIGITS} -D -e -f -g -h -j -k -l -o -q -r -R -u -v -X -y`,
      value: '-b -i -n -P -t -x',
      writesTo: '-O --out',
      destroys: '-d -m --delete --move',
      executes: '-TT --unzip-command',
      executesHidden: '-T --test',
    },
  },
  {
    names: ['unzip'],
    class: 'READ_ONLY',
    does: 'lists an archive',
    operands: 'reads',
    inspect: 'unzip-list',
    options: {
      writes: '-T',
      plain: '-1 -2 -a -b -c -C -f -h -j -l -L -m -M -n -N -o -p -q -s -t -u -U -v -V -W -X -z -Z --help --version',
      value: '-P -x',
      writesTo: '-d',
    },
  },
  {
    names: ['zipinfo', 'lsar'],
    class: 'READ_ONLY',
    does: 'lists an archive',
    operands: 'reads',
    options: { plain: '-1 -2 -C -h -l -m -M -s -t -T -v -z -L', value: '-x' },
  },
  {
    names: ['7z', '7za', '7zr', '7zz', 'unrar', 'rar'],
    class: 'UNKNOWN',
    does: 'may unpack files that the line does not show',
    style: 'single_dash',
    operands: 'writes',
    subcommands: {
      a: { class: 'WRITE', does: 'packs files', operands: 'writes' },
      l: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads', options: { plain: '-ba -bd -r -slt -y' } },
      t: { class: 'READ_ONLY', does: 'tests an archive', operands: 'reads', options: { plain: '-bd -r -y' } },
      v: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads' },
      lb: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads' },
      lt: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads' },
      vb: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads' },
      vt: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads' },
    },
    options: { writesTo: '-o -w' },
  },
  {
    names: ['ar'],
    class: 'UNKNOWN',
    does: 'changes an archive, or unpacks files that the line does not show',
    operands: 'writes',
    subcommands: {
      t: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads', inspect: 'response-file' },
      tv: { class: 'READ_ONLY', does: 'lists an archive', operands: 'reads', inspect: 'response-file' },
      p: { class: 'READ_ONLY', does: 'prints files of an archive', operands: 'reads', inspect: 'response-file' },
    },
    options: { executes: '--plugin', writesTo: '--output' },
  },
  {
    names: ['cpio', 'pax', 'unar'],
    class: 'UNKNOWN',
    does: 'may unpack files that the line does not show',
    operands: 'writes',
    options: { executes: '--rsh-command --rmt-command' },
  },
  {
    names: ['rpm2cpio'],
    class: 'READ_ONLY',
    does: 'prints the archive in a package',
    operands: 'reads',
  },
];
