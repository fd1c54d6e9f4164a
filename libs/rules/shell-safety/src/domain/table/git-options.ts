import type { Options } from '../program-row.js';
import { mergeOptions } from './merge-options.js';

/** Single digits, because `-25` is read as the bundle of `-2` and `-5`. */
const COUNTS = '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9';

/**
 * Options of everything in git that prints differences. `--textconv` and `--ext-diff` run the programs that the configuration
 * names; git's default does so for some readers, which the assumption at `GIT_READ_PROGRAMS` covers.
 */
export const DIFF_OPTIONS: Options = {
  plain:
    '-p -u --patch -s --no-patch --raw --patch-with-raw --patch-with-stat --no-stat --numstat --shortstat --summary ' +
    '--no-summary --compact-summary --no-compact-summary --name-only --name-status --cumulative --check --full-index ' +
    '--no-full-index --binary --no-binary --no-color --no-color-moved --no-color-moved-ws --no-relative --text --no-text -a -w -b ' +
    '--ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines --minimal ' +
    '--patience --histogram --indent-heuristic --no-indent-heuristic -W --function-context --no-function-context -R -z -q ' +
    '--quiet --exit-code --no-exit-code --pickaxe-all --pickaxe-regex --find-copies-harder --irreversible-delete -D ' +
    '--rename-empty --no-rename-empty --no-renames --no-prefix --default-prefix --no-ext-diff --no-textconv -r -t ' +
    '--follow --no-follow --ita-invisible-in-index --ita-visible-in-index --no-abbrev',
  value:
    '-S -G -l -I --ignore-matching-lines --diff-filter --find-object --anchored --diff-algorithm --color-moved-ws ' +
    '--word-diff-regex --ws-error-highlight --inter-hunk-context --line-prefix --src-prefix --dst-prefix --stat-count ' +
    '--stat-width --stat-name-width --stat-graph-width --output-indicator-new --output-indicator-old ' +
    '--output-indicator-context --skip-to --rotate-to',
  optional:
    '-U --unified --color --color-moved --color-words --word-diff --stat --dirstat --dirstat-by-file -X --abbrev -M ' +
    '--find-renames -C --find-copies -B --break-rewrites --ignore-submodules --submodule --relative',
  reads: '-O',
  writesTo: '--output',
  executesHidden: '--ext-diff --textconv',
};

/** Options that choose and order commits. `--show-signature` runs gpg on data of the commit. */
const REVISION_OPTIONS: Options = {
  plain:
    `${COUNTS} --all --merges --no-merges --first-parent --exclude-first-parent-only --reverse --date-order ` +
    '--author-date-order --topo-order -g --walk-reflogs --cherry --cherry-pick --cherry-mark --left-right --left-only ' +
    '--right-only --boundary --simplify-by-decoration --full-history --dense --sparse --simplify-merges --show-pulls ' +
    '--parents --children --not --remove-empty --do-walk --abbrev-commit --no-abbrev-commit --relative-date -i ' +
    '--regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --basic-regexp --all-match --invert-grep ' +
    '--ignore-missing --merge --single-worktree --reflog --stdin --graph --no-graph --oneline --log-size --no-notes ' +
    '--no-expand-tabs --no-min-parents --no-max-parents',
  value:
    '-n --max-count --skip --since --after --until --before --since-as-filter --max-age --min-age --author --committer ' +
    '--grep --grep-reflog --glob --exclude --date --encoding',
  optional:
    '--branches --tags --remotes --pretty --format --ancestry-path --no-walk --notes --show-notes --expand-tabs ' +
    '--min-parents --max-parents',
  executesHidden: '--show-signature',
};

export const LOG_OPTIONS: Options = mergeOptions(DIFF_OPTIONS, REVISION_OPTIONS, {
  plain:
    '--source --no-source --mailmap --use-mailmap --no-mailmap --no-use-mailmap --clear-decorations --no-decorate ' +
    '--full-diff -m -c --cc --dd --combined-all-paths --no-diff-merges',
  value: '--decorate-refs --decorate-refs-exclude --diff-merges',
  // `-L 1,5:file` prints the file.
  reads: '-L',
  optional: '--decorate',
});

export const REV_LIST_OPTIONS: Options = mergeOptions(REVISION_OPTIONS, {
  plain:
    '--count --objects --objects-edge --header --timestamp --quiet --no-commit-header --commit-header --no-object-names -z',
  optional: '--abbrev --disk-usage --missing',
});

/** `-n` and `--committer` take no value here. */
export const SHORTLOG_OPTIONS: Options = {
  plain: '-s --summary -e --email -n --numbered -c --committer --all --no-merges --merges --first-parent --no-mailmap',
  value: '--group --since --after --until --before --author --grep --max-count --skip',
  optional: '-w --branches --tags --remotes --format',
};
