import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';

/** Programs that print, cut, sort and count text. Sources: the manuals of GNU coreutils 9, util-linux, FreeBSD and macOS. */
export const TEXT_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['cat', 'gcat'],
    class: 'READ_ONLY',
    does: 'reads files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -A -b -e -E -l -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number ` +
        '--squeeze-blank --show-tabs --show-nonprinting',
    },
  },
  {
    names: ['tac', 'gtac'],
    class: 'READ_ONLY',
    does: 'reads files backwards',
    operands: 'reads',
    options: { plain: `${HELP} -b -r --before --regex`, value: '-s --separator' },
  },
  {
    names: ['rev'],
    class: 'READ_ONLY',
    does: 'reverses the characters of each line',
    operands: 'reads',
    options: { plain: `${HELP} -h -V -0 --zero` },
  },
  {
    names: ['nl'],
    class: 'READ_ONLY',
    does: 'numbers the lines of files',
    operands: 'reads',
    options: {
      plain: `${HELP} -p --no-renumber`,
      value:
        '-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering ' +
        '--header-numbering --line-increment --join-blank-lines --number-format --number-separator ' +
        '--starting-line-number --number-width',
    },
  },
  {
    names: ['head', 'ghead'],
    class: 'READ_ONLY',
    does: 'reads the start of files',
    operands: 'reads',
    options: {
      plain: `${HELP} ${DIGITS} -q -v -z --quiet --silent --verbose --zero-terminated`,
      value: '-n -c --lines --bytes',
    },
  },
  {
    names: ['tail', 'gtail'],
    class: 'READ_ONLY',
    does: 'reads the end of files',
    operands: 'reads',
    options: {
      plain: `${HELP} ${DIGITS} -f -F -r -q -v -z --quiet --silent --verbose --retry --zero-terminated`,
      optional: '--follow',
      value: '-n -c -b -s --lines --bytes --blocks --pid --sleep-interval --max-unchanged-stats',
    },
  },
  {
    names: ['wc', 'gwc'],
    class: 'READ_ONLY',
    does: 'counts lines, words and bytes',
    operands: 'reads',
    options: {
      plain: `${HELP} -c -l -m -w -L --bytes --chars --lines --words --max-line-length`,
      value: '--total',
      reads: '--files0-from',
    },
  },
  {
    names: ['cut', 'gcut'],
    class: 'READ_ONLY',
    does: 'prints columns of files',
    operands: 'reads',
    options: {
      plain: `${HELP} -n -s -w -z --complement --only-delimited --zero-terminated`,
      value: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter',
    },
  },
  {
    names: ['tr', 'gtr'],
    class: 'READ_ONLY',
    does: 'replaces characters of its input',
    operands: 'any',
    options: { plain: `${HELP} -c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1` },
  },
  {
    names: ['sort', 'gsort'],
    class: 'READ_ONLY',
    does: 'sorts lines',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order ` +
        '--ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort ' +
        '--numeric-sort --random-sort --reverse --version-sort --merge --stable --unique --zero-terminated ' +
        '--debug --mmap --qsort --mergesort --heapsort --radixsort',
      optional: '--check',
      value: '-k -t -S --key --field-separator --buffer-size --batch-size --parallel --sort',
      reads: '--random-source --files0-from',
      writesTo: '-o --output -T --temporary-directory',
      executes: '--compress-program',
    },
  },
  {
    names: ['uniq', 'guniq'],
    class: 'READ_ONLY',
    does: 'drops repeated lines',
    operands: 'reads',
    inspect: 'second-operand-writes',
    options: {
      plain: `${HELP} ${DIGITS} -c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated`,
      optional: '--all-repeated --group',
      value: '-f -s -w --skip-fields --skip-chars --check-chars',
    },
  },
  {
    names: ['comm', 'gcomm'],
    class: 'READ_ONLY',
    does: 'compares sorted files',
    operands: 'reads',
    options: {
      plain: `${HELP} -1 -2 -3 -i -f -z --check-order --nocheck-order --total --zero-terminated`,
      value: '--output-delimiter',
    },
  },
  {
    names: ['join', 'gjoin'],
    class: 'READ_ONLY',
    does: 'joins files on a column',
    operands: 'reads',
    options: {
      plain: `${HELP} -i -z --ignore-case --check-order --nocheck-order --header --zero-terminated`,
      value: '-a -e -j -o -t -v -1 -2',
    },
  },
  {
    names: ['paste', 'gpaste'],
    class: 'READ_ONLY',
    does: 'puts the lines of files beside each other',
    operands: 'reads',
    options: { plain: `${HELP} -s -z --serial --zero-terminated`, value: '-d --delimiters' },
  },
  {
    names: ['fold', 'gfold'],
    class: 'READ_ONLY',
    does: 'wraps lines',
    operands: 'reads',
    options: { plain: `${HELP} ${DIGITS} -b -c -s --bytes --characters --spaces`, value: '-w --width' },
  },
  {
    names: ['fmt', 'gfmt'],
    class: 'READ_ONLY',
    does: 'fills paragraphs',
    operands: 'reads',
    options: {
      plain: `${HELP} ${DIGITS} -c -s -t -u -m -n --crown-margin --split-only --tagged-paragraph --uniform-spacing`,
      value: '-p -w -g -d -l --prefix --width --goal',
    },
  },
  {
    names: ['pr'],
    class: 'READ_ONLY',
    does: 'lays text out in pages',
    operands: 'reads',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -c -d -f -F -J -m -p -r -t -T -v --across --show-control-chars --double-space ` +
        '--form-feed --join-lines --merge --no-file-warnings --omit-header --omit-pagination --show-nonprinting',
      optional: '-e -i -n -s -S --expand-tabs --output-tabs --number-lines --separator --sep-string',
      value:
        '-D -h -l -N -o -w -W --columns --pages --date-format --header --length --first-line-number --indent ' +
        '--width --page-width',
    },
  },
  {
    names: ['column'],
    class: 'READ_ONLY',
    does: 'lays text out in columns',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -d -e -h -J -L -m -n -t -V -x --fillrows --json --keep-empty-lines --table --table-header-repeat ` +
        '--table-maxout --table-noheadings',
      value:
        '-c -C -E -H -i -l -N -o -O -p -r -R -s -S -T -W --columns --output-separator --output-width ' +
        '--separator --table-column --table-columns --table-columns-limit --table-hide --table-name ' +
        '--table-noextreme --table-order --table-right --table-truncate --table-wrap --tree --tree-id ' +
        '--tree-parent --use-spaces',
    },
  },
  {
    names: ['expand', 'unexpand'],
    class: 'READ_ONLY',
    does: 'replaces tabs or spaces',
    operands: 'reads',
    options: { plain: `${HELP} ${DIGITS} -a -i --all --first-only --initial`, value: '-t --tabs' },
  },
  {
    names: ['col', 'colrm'],
    class: 'READ_ONLY',
    does: 'filters control characters of its input',
    operands: 'any',
    options: { plain: `${HELP} -b -f -h -p -x`, value: '-l' },
  },
  {
    names: ['ul'],
    class: 'READ_ONLY',
    does: 'prints files with underlining',
    operands: 'reads',
    options: { plain: `${HELP} -i`, value: '-t' },
  },
  {
    names: ['tsort', 'asa'],
    class: 'READ_ONLY',
    does: 'sorts lines by their dependencies',
    operands: 'reads',
    options: { plain: `${HELP} -d -l -q -w` },
  },
  {
    names: ['shuf', 'gshuf'],
    class: 'READ_ONLY',
    does: 'shuffles lines',
    operands: 'reads',
    options: {
      plain: `${HELP} -e -r -z --echo --repeat --zero-terminated`,
      value: '-i -n --input-range --head-count',
      reads: '--random-source',
      writesTo: '-o --output',
    },
  },
  {
    names: ['seq', 'gseq', 'jot'],
    class: 'READ_ONLY',
    does: 'prints numbers',
    operands: 'any',
    options: {
      plain: `${HELP} ${DIGITS} -c -r -n -w --equal-width`,
      value: '-b -f -p -s -t --format --separator --terminator',
    },
  },
  {
    names: ['factor', 'gfactor', 'expr', 'gexpr', 'yes', 'primes', 'cal', 'ncal'],
    class: 'READ_ONLY',
    does: 'prints text that it computes from its operands',
    operands: 'any',
    style: 'none',
  },
  {
    names: ['bc'],
    class: 'READ_ONLY',
    does: 'calculates',
    operands: 'reads',
    options: {
      plain: `${HELP} -h -i -l -q -s -v -w --interactive --mathlib --quiet --standard --warn`,
      value: '-e --expression -S --scale',
      reads: '-f --file',
    },
  },
  {
    names: ['dc'],
    class: 'UNKNOWN',
    does: 'calculates; a program for it can execute commands with !',
    operands: 'reads',
  },
  {
    names: ['numfmt', 'gnumfmt'],
    class: 'READ_ONLY',
    does: 'formats numbers',
    operands: 'any',
    options: {
      plain: `${HELP} -z --debug --grouping --zero-terminated`,
      optional: '--header',
      value: '-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit',
    },
  },
];
