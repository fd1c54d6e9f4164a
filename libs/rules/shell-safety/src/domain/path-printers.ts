type Names = ReadonlySet<string>;

const names = (text: string): Names => new Set(text === '' ? [] : text.split(' '));

/** A program that prints paths, with the options by which it prints nothing else. */
interface Lister {
  /** The options that it needs for that; without one, it always does. */
  readonly needs: Names;
  /** The options by which it ends each path by NUL. */
  readonly byNul: Names;
  /** Further options with which it still prints whole paths that no repository hides, and no other text. */
  readonly allows: Names;
}

/** A program that prints lines of its input as they are, with the options by which it does so. */
interface Filter {
  /** True if a pattern stands in front. */
  readonly takesPattern: boolean;
  /** The options by which NUL ends a line. */
  readonly byNul: Names;
  readonly allows: Names;
}

const LINES = '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -n --lines -q --quiet';
const PATTERNS =
  '-i -E -F -G -P -w -x -v -s -e --ignore-case --extended-regexp --fixed-strings --basic-regexp --perl-regexp --word-regexp ' +
  '--line-regexp --invert-match --no-messages --regexp';

const FD: Lister = {
  needs: names(''),
  byNul: names('-0 --print0'),
  allows: names(
    '-1 -d -e -E -F -g -i -j -p -s -S -t --case-sensitive --exact-depth --exclude --extension --fixed-strings --full-path --glob ' +
      '--ignore-case --max-depth --max-results --min-depth --regex --size --threads --type --changed-before --changed-within',
  ),
};
const GREP: Lister = {
  needs: names('-l -L --files-with-matches --files-without-match'),
  byNul: names('-Z --null'),
  allows: names(
    `${PATTERNS} -a -h -H -I -n -r -R -U --binary-files --dereference-recursive --exclude --exclude-dir --include --line-number ` +
      '--no-filename --recursive --text --with-filename',
  ),
};
const GREP_FILTER: Filter = {
  takesPattern: true,
  byNul: names('-z --null-data'),
  allows: names(`${PATTERNS} -a -m --max-count --text`),
};

/**
 * Programs that print paths. An option that is not listed here may print any text, parts of paths, or paths that are hidden. ls prints the
 * names of folders between those of files, and has no `byNul` therefore.
 */
export const LISTERS: Readonly<Record<string, Lister>> = {
  find: {
    needs: names(''),
    byNul: names('-print0'),
    allows: names(
      '-a -amin -and -anewer -atime -cmin -cnewer -ctime -daystart -depth -empty -executable -false -gid -group -ilname -iname -inum ' +
        '-ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mount -mtime -name -newer -newermt -nogroup -not -nouser ' +
        '-o -or -path -perm -P -print -prune -quit -readable -regex -regextype -samefile -size -true -type -uid -user -wholename ' +
        '-writable -xdev -xtype',
    ),
  },
  fd: FD,
  fdfind: FD,
  ls: {
    needs: names(''),
    byNul: names(''),
    allows: names(
      '-1 -c -d -p -q -r -R -S -t -u -U -v -X --directory --group-directories-first --recursive --reverse --sort --time',
    ),
  },
  'git ls-files': {
    needs: names(''),
    byNul: names('-z'),
    allows: names(
      '-c -d -m -x --no-pager --cached --deduplicate --deleted --error-unmatch --exclude --exclude-standard --full-name --modified',
    ),
  },
  'git diff': {
    needs: names('--name-only'),
    byNul: names('-z'),
    allows: names(
      '-b -G -M -R -S -w --no-pager --cached --diff-filter --find-renames --ignore-all-space --ignore-space-change --merge-base --no-color ' +
        '--no-ext-diff --no-renames --pickaxe-regex --staged',
    ),
  },
  'git grep': {
    needs: names('-l --files-with-matches --name-only'),
    byNul: names('-z --null'),
    allows: names(
      `${PATTERNS} -a -I -n --no-pager --all-match --and --cached --full-name --line-number --max-depth --no-color --not --or --text`,
    ),
  },
  grep: GREP,
  egrep: GREP,
  rg: {
    needs: names('-l --files --files-with-matches --files-without-match'),
    byNul: names('-0 --null'),
    allows: names(
      '-a -e -F -g -i -j -n -N -P -s -S -t -T -U -v -w -x --case-sensitive --fixed-strings --glob --iglob --ignore-case ' +
        '--invert-match --line-number --max-depth --max-filesize --multiline --no-config --no-messages --pcre2 --regexp --smart-case ' +
        '--sort --sortr --text --threads --type --type-not --word-regexp',
    ),
  },
  ag: {
    needs: names('-l -g --files-with-matches'),
    byNul: names('-0 --print0 --null'),
    allows: names(
      '-G -i -Q -s -S -v -w --case-sensitive --depth --file-search-regex --ignore --ignore-case --literal --nocolor --smart-case',
    ),
  },
};

/** Programs that print lines of their input. An option that is not listed here may cut lines, or print other text. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  grep: GREP_FILTER,
  egrep: GREP_FILTER,
  rg: {
    takesPattern: true,
    byNul: names('--null-data'),
    allows: names(
      '-e -F -i -N -P -s -S -v -w -x --case-sensitive --fixed-strings --ignore-case --invert-match --pcre2 --regexp --smart-case',
    ),
  },
  head: { takesPattern: false, byNul: names('-z --zero-terminated'), allows: names(LINES) },
  tail: { takesPattern: false, byNul: names('-z --zero-terminated'), allows: names(LINES) },
  sort: {
    takesPattern: false,
    byNul: names('-z --zero-terminated'),
    allows: names(
      '-b -d -f -g -h -i -k -M -n -r -R -s -t -u -V --dictionary-order --field-separator --human-numeric-sort --ignore-case ' +
        '--ignore-leading-blanks --key --numeric-sort --random-sort --reverse --stable --unique --version-sort',
    ),
  },
  uniq: {
    takesPattern: false,
    byNul: names('-z --zero-terminated'),
    allows: names('-d -f -i -s -u -w --check-chars --ignore-case --repeated --skip-chars --skip-fields --unique'),
  },
};
