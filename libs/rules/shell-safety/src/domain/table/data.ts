import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';

/** Programs that dump, encode, hash and compare files. */
export const DATA_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['od', 'god'],
    class: 'READ_ONLY',
    does: 'dumps files',
    operands: 'reads',
    options: {
      plain: `${HELP} -a -b -c -d -D -e -f -F -h -H -i -I -l -L -o -O -s -v -x -X -B --output-duplicates --traditional`,
      optional: '-w --strings --width',
      value: '-A -j -N -S -t --address-radix --skip-bytes --read-bytes --format --endian',
    },
  },
  {
    names: ['hexdump', 'hd'],
    class: 'READ_ONLY',
    does: 'dumps files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -b -c -C -d -h -o -v -V -x -X --canonical --no-squeezing --one-byte-char --one-byte-hex ` +
        '--one-byte-octal --two-bytes-decimal --two-bytes-hex --two-bytes-octal',
      optional: '-L --color',
      value: '-e -n -s --format --length --skip',
      reads: '-f --format-file',
    },
  },
  {
    names: ['xxd'],
    class: 'READ_ONLY',
    does: 'dumps a file',
    style: 'single_dash',
    operands: 'reads',
    inspect: 'second-operand-writes',
    options: {
      plain:
        '-a -autoskip -b -bits -C -capitalize -d -e -E -EBCDIC -h -help -i -include -p -ps -postscript -plain ' +
        '-r -revert -u -uppercase -v -version -t -c8 -c16 -c32 -l16 -l32 -l64 -l128 -l256 -g1 -g2 -g4',
      value: '-c -cols -g -groupsize -l -len -n -name -o -offset -R -s -seek -skip',
    },
  },
  {
    names: ['strings'],
    class: 'READ_ONLY',
    does: 'prints the text in files',
    operands: 'reads',
    inspect: 'response-file',
    options: {
      plain: `${HELP} ${DIGITS} -a -d -f -h -o -v -V -w --all --data --include-all-whitespace --print-file-name`,
      value: '-e -n -s -t -T -U --bytes --encoding --output-separator --radix --target --unicode',
    },
  },
  {
    names: ['nm', 'objdump', 'readelf', 'size'],
    class: 'READ_ONLY',
    does: 'reads binaries',
    operands: 'reads',
    inspect: 'response-file',
    options: {
      plain:
        `${HELP} -a -A -C -d -D -e -f -g -h -l -n -p -P -r -R -s -S -t -T -u -V -W -x --all --all-headers ` +
        '--archive-headers --debug-syms --defined-only --demangle --disassemble --disassemble-all --dynamic ' +
        '--dynamic-reloc --dynamic-syms --extern-only --file-header --file-headers --full-contents --headers ' +
        '--needed-libs --no-sort --notes --print-size --private-headers --program-headers --reloc --relocs ' +
        '--reverse-sort --section-headers --sections --segments --size-sort --source --symbols --syms ' +
        '--undefined-only --wide',
      value: '-j -M --format --radix --section --start-address --stop-address --string-dump --hex-dump',
      executes: '--plugin',
    },
  },
  {
    names: ['ldd'],
    class: 'UNKNOWN',
    does: 'may execute the binary whose libraries it lists',
    operands: 'reads',
  },
  {
    names: ['file'],
    class: 'READ_ONLY',
    does: 'names the kinds of files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -0 -b -c -d -E -h -i -I -k -l -L -n -N -r -s -v --apple --brief --checking-printout --debug ` +
        '--dereference --extension --keep-going --list --mime --mime-encoding --mime-type --no-buffer ' +
        '--no-dereference --no-pad --print0 --raw --special-files',
      value: '-e -F -P --exclude --exclude-quiet --parameter --separator',
      reads: '-f -m --files-from --magic-file',
      // The old times are set again, less exactly than before.
      writes: '-C --compile -p --preserve-date',
      executesHidden: '-z -Z --uncompress --uncompress-noreport',
    },
  },
  {
    names: ['base64', 'base32', 'basenc', 'gbase64'],
    class: 'READ_ONLY',
    does: 'encodes or decodes',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -d -D -h --base16 --base2lsbf --base2msbf --base32 --base32hex --base58 --base64 --base64url ` +
        '--decode --ignore-garbage --z85 -i',
      value: '-b -w --break --wrap',
      reads: '--input',
      writesTo: '-o --output',
    },
  },
  {
    names: [
      'md5sum',
      'sha1sum',
      'sha224sum',
      'sha256sum',
      'sha384sum',
      'sha512sum',
      'b2sum',
      'gmd5sum',
      'gsha256sum',
      'shasum',
      'cksum',
      'sum',
      'crc32',
      'xxhsum',
      'b3sum',
    ],
    class: 'READ_ONLY',
    does: 'prints checksums of files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -0 -b -c -h -p -q -r -t -U -v -w -z --01 --UNIVERSAL --base64 --binary --check --debug ` +
        '--ignore-missing --portable --quiet --raw --status --strict --sysv --tag --text --untagged --warn --zero',
      value: '-a -l --algorithm --length',
    },
  },
  {
    names: ['md5', 'sha1', 'sha256', 'sha512'],
    class: 'READ_ONLY',
    does: 'prints checksums of files',
    operands: 'reads',
    options: { plain: '-p -q -r -t -x -b', value: '-c -s' },
  },
  {
    names: ['diff', 'gdiff', 'colordiff'],
    class: 'READ_ONLY',
    does: 'compares files',
    operands: 'reads',
    inspect: 'compares-folders',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -b -B -c -d -e -E -f -H -i -n -p -q -s -t -T -u -v -w -y -Z --brief --ed ` +
        '--expand-tabs --ignore-all-space --ignore-blank-lines --ignore-case --ignore-file-name-case ' +
        '--ignore-space-change --ignore-tab-expansion --ignore-trailing-space --initial-tab --left-column ' +
        '--minimal --no-dereference --no-ignore-file-name-case --normal --rcs ' +
        '--report-identical-files --show-c-function --side-by-side --speed-large-files --strip-trailing-cr ' +
        '--suppress-blank-empty --suppress-common-lines --text',
      optional: '--color --context --unified',
      value:
        '-C -D -F -I -L -S -U -W --changed-group-format --exclude --GTYPE-group-format --horizon-lines --ifdef ' +
        '--ignore-matching-lines --label --line-format --new-group-format --new-line-format --old-group-format ' +
        '--old-line-format --palette --show-function-line --starting-file --tabsize --unchanged-group-format ' +
        '--unchanged-line-format --width -x',
      // Of a file that the other folder lacks, -N and -P show the whole text.
      recurses: '-r -N -P --new-file --recursive --unidirectional-new-file',
      reads: '-X --exclude-from --from-file --to-file',
      executesHidden: '-l --paginate',
    },
  },
  {
    names: ['cmp', 'gcmp'],
    class: 'READ_ONLY',
    does: 'compares files',
    operands: 'reads',
    options: {
      plain: `${HELP} -b -h -l -s -v -x -z --print-bytes --quiet --silent --verbose`,
      value: '-i -n --bytes --ignore-initial',
    },
  },
  {
    names: ['diff3', 'sdiff'],
    class: 'READ_ONLY',
    does: 'compares files',
    operands: 'reads',
    inspect: 'compares-folders',
    options: {
      plain:
        `${HELP} -3 -a -A -b -B -d -e -E -H -i -l -m -s -t -T -v -W -x -X --easy-only --ed --expand-tabs ` +
        '--ignore-all-space --ignore-blank-lines --ignore-case --initial-tab --left-column --merge --minimal ' +
        '--overlap-only --show-all --show-overlap --speed-large-files --strip-trailing-cr --suppress-common-lines ' +
        '--text',
      value: '-I -L -w --ignore-matching-lines --label --width --tabsize',
      writesTo: '-o --output',
      executes: '--diff-program',
    },
  },
  {
    // The patch names the files.
    names: ['patch'],
    class: 'UNKNOWN',
    does: 'changes files that the line does not show',
    operands: 'writes',
    options: {
      plain:
        `${HELP} -b -c -E -f -l -n -N -R -s -t -T -u -v -Z --backup --batch --binary --dry-run --force --forward ` +
        '--ignore-whitespace --posix --quiet --remove-empty-files --reverse --silent --verbose',
      value: '-B -d -D -F -p -V -Y -z --directory --fuzz --strip --suffix --prefix --basename-prefix --reject-format',
      reads: '-i --input',
      writesTo: '-o -r --output --reject-file',
      executesHidden: '-e -g --ed --get',
    },
  },
  {
    names: ['ptx'],
    class: 'READ_ONLY',
    does: 'makes an index of words',
    operands: 'reads',
    options: {
      plain: `${HELP} -A -O -r -f -T --auto-reference --references --ignore-case --right-side-refs`,
      value: '-F -M -S -W -g -w --flag-truncation --macro-name --sentence-regexp --word-regexp --gap-size --width',
      reads: '-b -i -o --break-file --ignore-file --only-file',
      writes: '-G --traditional',
    },
  },
  {
    names: ['iconv'],
    class: 'READ_ONLY',
    does: 'converts the encoding of text',
    operands: 'reads',
    options: {
      plain: `${HELP} -c -l -s --list --silent --verbose -V`,
      value: '-f -t --from-code --to-code --unicode-subst --byte-subst --widechar-subst',
      writesTo: '-o --output',
    },
  },
  {
    names: ['look'],
    class: 'READ_ONLY',
    does: 'prints lines that begin with a text',
    operands: 'reads',
    options: { plain: `${HELP} -a -d -f -h -V --alternative --alphanum --ignore-case`, value: '-t --terminate' },
  },
];
