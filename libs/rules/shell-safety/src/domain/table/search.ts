import type { ProgramRow } from '../program-row.js';
import { DIGITS, HELP } from './option-groups.js';

const NEWER = ['a', 'B', 'c', 'm']
  .flatMap((left) => ['a', 'B', 'c', 'm', 't'].map((right) => `-newer${left}${right}`))
  .join(' ');

/** Programs that search in files and for files. */
export const SEARCH_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['grep', 'egrep', 'fgrep', 'ggrep'],
    class: 'READ_ONLY',
    does: 'searches in files',
    operands: 'pattern_then_reads',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -b -c -E -F -G -h -H -i -I -l -L -n -o -O -p -P -q -s -S -T -u -U -v -V -w -x ` +
        '-y -z -Z --basic-regexp --binary --byte-offset --count --extended-regexp ' +
        '--files-with-matches --files-without-match --fixed-strings --ignore-case --initial-tab --invert-match ' +
        '--line-buffered --line-number --line-regexp --no-filename --no-group-separator --no-ignore-case ' +
        '--no-messages --null --null-data --only-matching --perl-regexp --quiet --silent --text ' +
        '--unix-byte-offsets --with-filename --word-regexp',
      optional: '--color --colour',
      value:
        '-A -B -C -D -e -m --after-context --before-context --binary-files --context --devices ' +
        '--exclude --exclude-dir --group-separator --include --include-dir --label --max-count --regexp',
      recurses: '-r -R --dereference-recursive --recursive',
      reads: '-f --file --exclude-from',
    },
  },
  {
    names: ['zgrep', 'zegrep', 'zfgrep', 'bzgrep', 'xzgrep', 'zstdgrep', 'lzgrep'],
    class: 'READ_ONLY',
    does: 'searches in compressed files',
    operands: 'pattern_then_reads',
    options: {
      plain:
        `${HELP} ${DIGITS} -a -b -c -E -F -h -H -i -l -L -n -o -P -q -s -v -V -w -x --count --extended-regexp ` +
        '--fixed-strings --ignore-case --invert-match --line-number --no-filename --no-messages --only-matching ' +
        '--quiet --text --with-filename --word-regexp',
      optional: '--color --colour',
      value: '-A -B -C -e -m --after-context --before-context --context --max-count --regexp',
      reads: '-f --file',
    },
  },
  {
    names: ['rg'],
    class: 'READ_ONLY',
    recursive: true,
    does: 'searches in files',
    operands: 'pattern_then_reads',
    options: {
      plain:
        `${HELP} -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -0 -. ` +
        '--auto-hybrid-regex --binary --block-buffered --byte-offset --case-sensitive --column --count ' +
        '--count-matches --crlf --debug --files --files-with-matches --files-without-match --fixed-strings ' +
        '--follow --glob-case-insensitive --heading --hidden --ignore-case --ignore-file-case-insensitive ' +
        '--include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns-preview ' +
        '--mmap --multiline --multiline-dotall --no-auto-hybrid-regex --no-binary --no-block-buffered ' +
        '--no-byte-offset --no-column --no-config --no-context-separator --no-crlf --no-encoding --no-filename ' +
        '--no-fixed-strings --no-follow --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude ' +
        '--no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs ' +
        '--no-invert-match --no-json --no-line-buffered --no-line-number --no-max-columns-preview --no-messages ' +
        '--no-mmap --no-multiline --no-multiline-dotall --no-one-file-system --no-pcre2 --no-pcre2-unicode ' +
        '--no-pre --no-require-git --no-search-zip --no-stats --no-text --no-trim --no-unicode --null --null-data ' +
        '--one-file-system --only-matching --passthrough --passthru --pcre2 --pcre2-version --pretty --quiet ' +
        '--smart-case --sort-files --stats --stop-on-nonmatch --text --trace --trim --type-list --unicode ' +
        '--unrestricted --vimgrep --with-filename --word-regexp',
      value:
        '-A -B -C -d -e -E -g -j -m -M -r -t -T --after-context --before-context --color --colors --context ' +
        '--context-separator --dfa-size-limit --encoding --engine --field-context-separator ' +
        '--field-match-separator --generate --glob --hyperlink-format --iglob --max-columns --max-count ' +
        '--max-depth --max-filesize --maxdepth --path-separator --pre-glob --regex-size-limit --regexp ' +
        '--replace --sort --sortr --threads --type --type-add --type-clear --type-not',
      reads: '-f --file --ignore-file',
      executes: '--hostname-bin --pre',
      executesHidden: '-z --search-zip',
    },
  },
  {
    names: ['ag', 'ack', 'ack-grep'],
    class: 'READ_ONLY',
    recursive: true,
    does: 'searches in files',
    operands: 'pattern_then_reads',
    options: {
      plain:
        `${HELP} -a -c -D -f -F -h -H -i -l -L -n -o -q -Q -r -R -s -S -t -u -U -v -V -w -0 --ackmate --all-text ` +
        '--all-types --break --case-sensitive --color --column --count --debug --files-with-matches ' +
        '--files-without-matches --filename --fixed-strings --flush --follow --group --heading --hidden ' +
        '--ignore-case --invert-match --line-numbers --list-file-types --literal --match --multiline ' +
        '--no-filename --no-follow --no-recurse --noaffinity --nobreak --nocolor --nofilename --nofollow ' +
        '--nogroup --noheading --nomultiline --nonumbers --nopager --no-pager --noenv --norecurse --null ' +
        '--numbers --one-device --only-matching --passthru --parallel --print-all-files --print0 --recurse ' +
        '--search-binary --search-files --silent --skip-vcs-ignores --smart-case --stats --stats-only ' +
        '--unrestricted --vimgrep --word-regexp --help-types --cc --cpp --css --go --html --java --js --json --md ' +
        '--perl --php --python --ruby --rust --shell --sql --ts --xml --yaml',
      value:
        '-A -B -C -g -G -m -W --after --after-context --before --before-context --color-line-number ' +
        '--color-match --color-path --context --depth --file-search-regex --ignore --ignore-dir --max-count ' +
        '--type --width --workers',
      reads: '-p --path-to-ignore',
      executes: '--ackrc --output --pager',
      executesHidden: '-z --search-zip',
    },
  },
  {
    names: ['fd', 'fdfind'],
    class: 'READ_ONLY',
    does: 'searches for files',
    operands: 'pattern_then_reads',
    options: {
      plain:
        `${HELP} -0 -1 -a -F -g -h -H -i -I -L -p -q -s -u -V --absolute-path --case-sensitive --fixed-strings ` +
        '--follow --full-path --glob --has-results --hidden --ignore --ignore-case --ignore-contain --ignore-vcs ' +
        '--list-file-types --no-follow --no-global-ignore-file --no-hidden --no-ignore --no-ignore-parent ' +
        '--no-ignore-vcs --no-require-git --one-file-system --print0 --prune --quiet --regex --relative-path ' +
        '--require-git --show-errors --unrestricted',
      optional: '--strip-cwd-prefix --hyperlink',
      value:
        '-c -d -e -E -j -o -S -t --and --base-directory --batch-size --change-newer-than --change-older-than ' +
        '--changed-before --changed-within --color --exact-depth --exclude --extension --format --max-depth ' +
        '--max-results --maxdepth --min-depth --newer --older --owner --path-separator --search-path --size ' +
        '--threads --type',
      reads: '--ignore-file',
      executesWords: '-x -X --exec --exec-batch',
      executesHidden: '-l --list-details',
    },
  },
  {
    names: ['find', 'gfind'],
    class: 'READ_ONLY',
    does: 'searches for files',
    style: 'single_dash',
    operands: 'reads',
    options: {
      plain:
        '-a -and -d -daystart -depth -E -empty -executable -false -follow -H -help --help -ignore_readdir_race ' +
        '-L -ls -mount -nogroup -noignore_readdir_race -noleaf -not -nouser -nowarn -o -O0 -O1 -O2 -O3 -or -P ' +
        '-print -print0 -prune -quit -readable -s -true -version --version -warn -writable -x -X -xdev',
      value:
        `${NEWER} -amin -anewer -atime -Bmin -Bnewer -Btime -cmin -cnewer -context -ctime -D -flags -fstype -gid ` +
        '-group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mnewer ' +
        '-mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user ' +
        '-wholename -xtype',
      reads: '-f -files0-from',
      destroys: '-delete',
      writesTo: '-fls -fprint -fprint0 -fprintf',
      executesWords: '-exec -execdir -ok -okdir',
    },
  },
  {
    names: ['locate', 'mlocate', 'plocate', 'slocate'],
    class: 'READ_ONLY',
    does: 'searches for files in an index',
    operands: 'any',
    options: {
      plain:
        `${HELP} -0 -A -b -c -e -h -H -i -L -N -p -P -q -r -S -V -w --all --basename --count --existing --follow ` +
        '--ignore-case --literal --nofollow --null --quiet --regex --statistics --wholename',
      value: '-l -n --limit',
      reads: '-d --database',
    },
  },
  {
    names: ['mdfind'],
    class: 'READ_ONLY',
    does: 'searches for files in an index',
    style: 'single_dash',
    operands: 'any',
    options: { plain: '-0 -count -interpret -literal -live', value: '-attr -name -onlyin -s' },
  },
  {
    names: ['which', 'whereis', 'gwhich'],
    class: 'READ_ONLY',
    does: 'names the files of programs',
    operands: 'any',
    options: {
      plain:
        `${HELP} -a -b -h -l -m -p -q -s -u -v -V --all --skip-alias --skip-dot --skip-functions --skip-tilde ` +
        '--tty-only',
      value: '-B -f -M -S',
    },
  },
  {
    names: ['tree'],
    class: 'READ_ONLY',
    does: 'lists files as a tree',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -a -A -c -C -d -D -f -F -g -h -i -J -l -n -N -p -q -Q -r -s -S -t -u -U -v -x -X --compress ` +
        '--device --dirsfirst --du --fflinks --filesfirst --fromfile --fromtabfile --gitignore --ignore-case ' +
        '--info --inodes --matchdirs --metafirst --nolinks --noreport --opt-toggle --prune --si',
      value: '-H -I -L -P -T --charset --filelimit --sort --timefmt',
      reads: '--gitfile --hintro --houtro --infofile',
      writes: '-R',
      writesTo: '-o',
    },
  },
  {
    names: ['ls', 'gls', 'dir', 'vdir', 'eza', 'exa'],
    class: 'READ_ONLY',
    does: 'lists files',
    operands: 'reads',
    options: {
      plain:
        `${HELP} -1 -@ -% -, -a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -k -l -L -m -M -n -N -o -O -p -P -q ` +
        '-Q -r -R -s -S -t -u -U -v -W -x -X -y -Z --accessed --all --almost-all --author --binary --blocks ' +
        '--blocksize --changed --context --created --dereference --dereference-command-line ' +
        '--dereference-command-line-symlink-to-dir --directory --dired --escape --extended --file-type ' +
        '--full-time --git --git-ignore --git-repos --group --group-directories-first --group-directories-last ' +
        '--header --hide-control-chars --human-readable --inode --inodes --kibibytes --links --literal --long ' +
        '--modified --mounts --no-filesize --no-git --no-group --no-permissions --no-quotes --no-time --no-user ' +
        '--numeric --numeric-uid-gid --octal-permissions --oneline --only-dirs --only-files --quote-name ' +
        '--recurse --reverse --show-control-chars --show-symlinks --si --size --total-size --tree --zero',
      optional: '--classify --color --colour --hyperlink --icons',
      value:
        '-I -T -w --block-size --format --hide --ignore --ignore-glob --indicator-style --level --quoting-style ' +
        '--sort --tabsize --time --time-style --width',
    },
  },
];
