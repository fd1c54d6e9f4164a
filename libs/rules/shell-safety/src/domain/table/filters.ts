import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';

/** Programs that carry a small language of their own. Where the language can write or execute, a function reads it. */
export const FILTER_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['sed', 'gsed'],
    class: 'READ_ONLY',
    does: 'filters text',
    operands: 'pattern_then_reads',
    inspect: 'sed',
    options: {
      plain:
        `${HELP} -a -E -n -r -s -u -z --debug --null-data --posix --quiet --regexp-extended --sandbox --separate ` +
        '--silent --unbuffered',
      value: '-e --expression',
      writes: '-i -I --in-place',
      executes: '-f --file',
    },
  },
  {
    names: ['awk', 'gawk', 'mawk', 'nawk', 'original-awk'],
    class: 'READ_ONLY',
    does: 'filters text',
    operands: 'pattern_then_reads',
    inspect: 'awk',
    options: {
      plain:
        `${HELP} -b -c -C -g -h -k -M -n -N -O -P -r -s -S -t -V --bignum --characters-as-bytes --copyright --csv ` +
        '--gen-pot --lint-old --no-optimize --non-decimal-data --optimize --posix --re-interval --sandbox ' +
        '--traditional --use-lc-numeric',
      optional: '-L --lint',
      value: '-e -F -v --assign --field-separator --source',
      writes: '-d -o -p --dump-variables --pretty-print --profile',
      executes: '-E -f -i -l -W --exec --file --include --load',
      executesHidden: '-D -I --debug --trace',
    },
  },
  {
    names: ['jq', 'gojq', 'jaq'],
    class: 'READ_ONLY',
    does: 'filters JSON',
    operands: 'pattern_then_reads',
    inspect: 'jq-program',
    options: {
      plain:
        `${HELP} -a -c -C -e -h -j -M -n -r -R -s -S -V --args --ascii-output --build-configuration ` +
        '--color-output --compact-output --exit-status --join-output --jsonargs --monochrome-output --null-input ' +
        '--raw-input --raw-output --raw-output0 --seq --slurp --sort-keys --stream --stream-errors --tab ' +
        '--unbuffered',
      value: '--arg --argjson --indent',
      reads: '-f --from-file -L --library-path',
      writes: '-i --in-place',
    },
  },
  {
    names: ['yq', 'xq', 'tomlq'],
    class: 'READ_ONLY',
    does: 'filters YAML, XML or TOML',
    operands: 'pattern_then_reads',
    inspect: 'jq-program',
    subcommands: {
      e: { class: 'READ_ONLY', does: 'filters YAML', operands: 'pattern_then_reads' },
      ea: { class: 'READ_ONLY', does: 'filters YAML', operands: 'pattern_then_reads' },
      eval: { class: 'READ_ONLY', does: 'filters YAML', operands: 'pattern_then_reads' },
      'eval-all': { class: 'READ_ONLY', does: 'filters YAML', operands: 'pattern_then_reads' },
    },
    options: {
      plain:
        `${HELP} -0 -c -C -e -h -j -m -M -n -N -P -r -R -S -v -V -y -Y --color --colors --compact-output ` +
        '--exit-status --no-color --no-colors --no-doc --null-input --nul-output --prettyPrint --raw-output ' +
        '--sort-keys --string-interpolation --tojson --unwrapScalar --verbose --yaml-output --yaml-roundtrip',
      value:
        '-a -I -o -p -q -x --arg --argjson --attr --extract --front-matter --header-preprocess --indent ' +
        '--input-format --output-format --query --xml-attribute-prefix --xml-content-name --xpath',
      reads: '-f --from-file -L',
      writes: '-i -s --in-place --inplace --split-exp --split-exp-file',
      executesHidden: '--security-enable-system-operator',
    },
  },
];
