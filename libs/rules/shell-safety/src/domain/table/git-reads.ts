import type { Behaviour } from '../program-row.js';
import { DIFF_OPTIONS, LOG_OPTIONS, REV_LIST_OPTIONS, SHORTLOG_OPTIONS } from './git-options.js';
import { GIT_MODES } from './git-modes.js';
import { mergeOptions } from './merge-options.js';
import { sameFor } from './same-for.js';

const history = (does: string): Behaviour => ({ class: 'READ_ONLY', does, options: LOG_OPTIONS, operands: 'reads' });

const differences: Behaviour = {
  class: 'READ_ONLY',
  does: 'shows differences between files or commits',
  options: mergeOptions(DIFF_OPTIONS, {
    plain:
      '--cached --staged --merge-base --no-merge-base -0 -1 -2 -3 -m -c --cc --base --ours --theirs --root --stdin -v --no-commit-id',
    optional: '--pretty --format',
    // Of two folders, it compares every file.
    recurses: '--no-index',
  }),
  operands: 'reads',
};

const objects: Behaviour = {
  class: 'READ_ONLY',
  does: 'prints an object of the repository',
  options: {
    plain:
      '-t -s -e -p --allow-unknown-type --mailmap --use-mailmap --buffer --unordered --follow-symlinks --batch-all-objects -z',
    optional: '--batch --batch-check --batch-command',
    executesHidden: '--textconv --filters',
  },
  operands: 'reads',
};

/**
 * Subcommands of git that read. Their verdict assumes a trusted configuration. git runs the pager, fsmonitor, textconv,
 * external diff and signature programs of `.git/config` and the person's own configuration. A clone brings no
 * configuration, and its `.gitattributes` only choose among configured drivers. The runner passes neither configuration
 * nor variables on. `-c`, `--git-dir` and their like would break the assumption, which makes them Tier 2.
 */
export const GIT_READS: Readonly<Record<string, Behaviour>> = {
  ...GIT_MODES,
  status: {
    class: 'READ_ONLY',
    does: 'shows the state of the working tree',
    options: {
      plain:
        '-s --short -b --branch --long -v --verbose -z --null --show-stash --ahead-behind --no-ahead-behind --renames ' +
        '--no-renames --no-column',
      optional: '--porcelain -u --untracked-files --ignored --ignore-submodules --column -M --find-renames',
    },
    operands: 'reads',
  },
  'stash list': history('lists the stash'),
  'stash show': {
    class: 'READ_ONLY',
    does: 'shows what a stash changes',
    options: mergeOptions(DIFF_OPTIONS, {
      plain: '--include-untracked --no-include-untracked --only-untracked -0 -1 -2 -3 --cc',
    }),
    operands: 'any',
  },
  log: history('shows commits'),
  show: history('shows an object'),
  whatchanged: history('shows commits'),
  ...sameFor('reflog show, reflog list, reflog exists', history('shows where references pointed')),
  ...sameFor('diff, diff-tree, diff-index, diff-files', differences),
  'range-diff': {
    class: 'READ_ONLY',
    does: 'compares two ranges of commits',
    options: mergeOptions(DIFF_OPTIONS, {
      plain: '--dual-color --no-dual-color --left-only --right-only --no-notes',
      value: '--creation-factor',
      optional: '--notes',
    }),
    operands: 'any',
  },
  'rev-list': { class: 'READ_ONLY', does: 'lists commits', options: REV_LIST_OPTIONS, operands: 'any' },
  shortlog: { class: 'READ_ONLY', does: 'summarises commits', options: SHORTLOG_OPTIONS, operands: 'any' },
  ...sameFor('blame, annotate', {
    class: 'READ_ONLY',
    does: 'shows who last changed each line',
    options: {
      plain:
        '-b --root --show-stats --progress --no-progress --score-debug -f --show-name -n --show-number -p --porcelain ' +
        '--line-porcelain --incremental -c -t -l -s -e --show-email -w --color-lines --color-by-age --minimal --reverse --first-parent',
      value: '-L --ignore-rev --since --date --encoding',
      optional: '-M -C --abbrev',
      reads: '--contents --ignore-revs-file -S',
    },
    operands: 'reads',
  }),
  grep: {
    class: 'READ_ONLY',
    does: 'searches tracked files',
    options: {
      plain:
        '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --cached --index --exclude-standard ' +
        '--recurse-submodules -v --invert-match -i --ignore-case -w --word-regexp -a --text -I --no-textconv -r --recursive ' +
        '--no-recursive -E --extended-regexp -G --basic-regexp -F --fixed-strings -P --perl-regexp -n --line-number --column ' +
        '-h -H --full-name -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c ' +
        '--count --no-color --break --heading -p --show-function -W --function-context --and --or --not --all-match -q --quiet',
      value: '-e -A --after-context -B --before-context -C --context --max-depth --threads -m --max-count',
      optional: '--color',
      reads: '-f',
      // Files that nobody has committed: `.env` is one of them.
      recurses: '--no-exclude-standard --no-index --untracked',
      executesHidden: '-O --open-files-in-pager --textconv --ext-grep',
    },
    operands: 'pattern_then_reads',
  },
  'ls-files': {
    class: 'READ_ONLY',
    does: 'lists tracked files',
    options: {
      plain:
        '-z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed --directory ' +
        '--no-empty-directory --eol -u --unmerged --resolve-undo --exclude-standard --full-name --recurse-submodules ' +
        '--error-unmatch --debug --deduplicate --sparse',
      value: '-x --exclude --exclude-per-directory --with-tree --format',
      optional: '--abbrev',
      reads: '-X --exclude-from',
    },
    operands: 'any',
  },
  'ls-tree': {
    class: 'READ_ONLY',
    does: 'lists files of a commit',
    options: {
      plain: '-d -r -t -z -l --long --name-only --name-status --object-only --full-name --full-tree',
      value: '--format',
      optional: '--abbrev',
    },
    operands: 'any',
  },
  'cat-file': objects,
  describe: {
    class: 'READ_ONLY',
    does: 'names a commit by its nearest tag',
    options: {
      plain: '--contains --debug --all --tags --long --first-parent --exact-match --always',
      value: '--candidates --match --exclude',
      optional: '--abbrev --dirty --broken',
    },
    operands: 'any',
  },
  'rev-parse': {
    class: 'READ_ONLY',
    does: 'resolves names of the repository',
    options: {
      plain:
        '--show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree ' +
        '--is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --verify -q ' +
        '--quiet --symbolic --symbolic-full-name --all --revs-only --no-revs --flags --no-flags --sq --not ' +
        '--local-env-vars --shared-index-path',
      value: '--default --git-path --resolve-git-dir',
      optional:
        '--short --abbrev-ref --branches --tags --remotes --glob --exclude --disambiguate --since --after --until ' +
        '--before --show-object-format --path-format',
    },
    operands: 'any',
  },
  'for-each-ref': {
    class: 'READ_ONLY',
    does: 'lists references',
    options: {
      plain: '-s --shell -p --perl --python --tcl --ignore-case --no-color --omit-empty --stdin --include-root-refs',
      value: '--count --sort --format --points-at --merged --no-merged --contains --no-contains --exclude',
      optional: '--color',
    },
    operands: 'any',
  },
  'show-ref': {
    class: 'READ_ONLY',
    does: 'lists references',
    options: {
      plain: '--heads --branches --tags --head -d --dereference --verify -q --quiet --exists',
      optional: '-s --hash --abbrev --exclude-existing',
    },
    operands: 'any',
  },
  'merge-base': {
    class: 'READ_ONLY',
    does: 'finds common ancestors',
    options: { plain: '-a --all --octopus --independent --is-ancestor --fork-point' },
    operands: 'any',
  },
  'name-rev': {
    class: 'READ_ONLY',
    does: 'names commits',
    options: {
      plain: '--tags --all --name-only --always --undefined --no-undefined --annotate-stdin',
      value: '--refs --exclude',
    },
    operands: 'any',
  },
  cherry: {
    class: 'READ_ONLY',
    does: 'lists commits that another branch lacks',
    options: { plain: '-v --verbose', optional: '--abbrev' },
    operands: 'any',
  },
  'count-objects': {
    class: 'READ_ONLY',
    does: 'counts objects',
    options: { plain: '-v --verbose -H --human-readable' },
    operands: 'none',
  },
  fsck: {
    class: 'READ_ONLY',
    does: 'checks the repository',
    options: {
      plain:
        '-v --verbose --unreachable --dangling --no-dangling --tags --root --cache --reflogs --no-reflogs --full --no-full ' +
        '--connectivity-only --strict --progress --no-progress --name-objects',
      writes: '--lost-found',
    },
    operands: 'any',
  },
  'check-ignore': {
    class: 'READ_ONLY',
    does: 'says which files are ignored, and why',
    options: { plain: '-q --quiet -v --verbose --stdin -z -n --non-matching --no-index' },
    operands: 'any',
  },
  'check-attr': {
    class: 'READ_ONLY',
    does: 'shows attributes of files',
    options: { plain: '-a --all --cached --stdin -z', value: '--source' },
    operands: 'any',
  },
  ...sameFor('check-ref-format, check-mailmap, get-tar-commit-id, stripspace, column', {
    class: 'READ_ONLY',
    does: 'checks or formats text',
    operands: 'any',
  }),
  var: { class: 'READ_ONLY', does: "prints one of git's variables", operands: 'any' },
  'remote get-url': {
    class: 'READ_ONLY',
    does: 'prints the address of a remote',
    options: { plain: '--push --all' },
    operands: 'any',
  },
  'worktree list': {
    class: 'READ_ONLY',
    does: 'lists worktrees',
    options: { plain: '--porcelain -z -v --verbose', value: '--expire' },
    operands: 'none',
  },
  ...sameFor('notes list, notes show', {
    class: 'READ_ONLY',
    does: 'shows notes of commits',
    options: { value: '--ref' },
    operands: 'any',
  }),
  ...sameFor('submodule status, submodule summary', {
    class: 'READ_ONLY',
    does: 'shows the state of submodules',
    options: { plain: '-q --quiet --cached --recursive --files', value: '-n --summary-limit' },
    operands: 'any',
  }),
  'bisect log': { class: 'READ_ONLY', does: 'shows the steps of a bisection', operands: 'none' },
  'sparse-checkout list': { class: 'READ_ONLY', does: 'lists the paths of a sparse checkout', operands: 'none' },
  ...sameFor('bundle verify, bundle list-heads', {
    class: 'READ_ONLY',
    does: 'reads a bundle',
    options: { plain: '-q --quiet' },
    operands: 'reads',
  }),
  ...sameFor('lfs ls-files, lfs status, lfs version', {
    class: 'READ_ONLY',
    does: 'shows large files',
    options: { plain: '-l --long -s --size -a --all -n --name-only -p --porcelain -j --json' },
    operands: 'any',
  }),
  ...sameFor('version, help', {
    class: 'READ_ONLY',
    does: 'prints its version or its manual',
    options: { plain: '--build-options -a --all -g --guides -v --verbose --no-verbose' },
    operands: 'any',
  }),
  ...sameFor('verify-commit, verify-tag', { class: 'READ_ONLY', tier: 2, does: 'runs gpg on a signature' }),
};
