import type { ProgramRow } from '../program-row.js';
import { HELP } from './option-groups.js';

/**
 * Pagers and manuals. A pager at a terminal executes commands behind `!`, and its environment can name others
 * (`LESSOPEN`). So a pager alone asks a person; `man` and `bat` print without one if no terminal is there.
 */
export const PAGER_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['less', 'more', 'most', 'pg', 'zless', 'zmore', 'bzless', 'bzmore', 'xzless', 'xzmore', 'zstdless', 'lnav'],
    class: 'READ_ONLY',
    tier: 2,
    does: 'shows files in a pager, which can execute commands',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -a -A -c -C -d -e -E -f -F -g -G -i -I -J -K -l -L -m -M -n -N -q -Q -r -R -s -S -u -U -V -w -W ` +
        '-X --chop-long-lines --ignore-case --LINE-NUMBERS --line-numbers --no-init --quit-at-eof --QUIT-AT-EOF ' +
        '--quit-if-one-screen --RAW-CONTROL-CHARS --raw-control-chars --squeeze-blank-lines',
      value: '-b -h -j -p -x -y -z --buffers --jump-target --pattern --tabs --window',
      writesTo: '-o -O --log-file --LOG-FILE',
      executes: '-k --lesskey-file --lesskey-src --lesskey-content',
    },
  },
  {
    names: ['bat', 'batcat'],
    class: 'READ_ONLY',
    does: 'reads files',
    operands: 'reads',
    subcommands: { cache: { class: 'WRITE', does: 'changes the cache of bat', operands: 'any' } },
    options: {
      plain:
        `${HELP} -A -f -h -L -n -p -P -u -V --acknowledgements --cache-dir --config-dir --config-file ` +
        '--diagnostic --force-colorization --list-languages --list-themes --no-custom-assets --no-lessopen ' +
        '--no-pager --number --plain --show-all --unbuffered',
      value:
        '-H -l -m -r --binary --color --decorations --file-name --highlight-line --ignored-suffix --italic-text ' +
        '--language --line-range --map-syntax --nonprintable-notation --paging --squeeze-limit --strip-ansi ' +
        '--style --tabs --terminal-width --theme --theme-dark --theme-light --wrap',
      writes: '--generate-config-file',
      executes: '--pager',
      executesHidden: '-d --diff --lessopen',
    },
  },
  {
    names: ['man'],
    class: 'READ_ONLY',
    does: 'shows a page of the manual',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -a -d -f -i -I -k -K -V -w -W -7 --all --apropos --ascii --debug --global-apropos ` +
        '--ignore-case --match-case --names-only --no-hyphenation --no-justification --no-subpages --path --regex ' +
        '--usage --whatis --where --where-cat --wildcard --location --location-cat',
      optional: '--warnings',
      value: '-e -E -L -m -R -s -S --encoding --extension --locale --recode --sections --systems',
      executes: '-r --prompt -C -M -p -P -T --config-file --manpath --pager --preprocessor --troff-device',
      executesHidden: '-c -D -H -l -t -X -Z --catman --default --ditroff --gxditview --html --local-file --troff',
    },
  },
  {
    names: ['apropos', 'whatis'],
    class: 'READ_ONLY',
    does: 'searches the manual',
    operands: 'any',
    options: {
      plain: `${HELP} -a -d -e -l -r -v -V -w --and --debug --exact --long --regex --verbose --wildcard`,
      value: '-L -m -s --locale --section --sections --systems',
      executes: '-C -M --config-file --manpath',
    },
  },
  {
    names: ['info', 'pinfo'],
    class: 'READ_ONLY',
    tier: 2,
    does: 'shows a manual in a pager, which can execute commands',
    operands: 'any',
  },
];
