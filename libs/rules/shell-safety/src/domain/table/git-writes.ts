import type { Behaviour, Options } from '../program-row.js';
import { sameFor } from './same-for.js';

/** Options that these subcommands share, or that git refuses with an error. */
const CHANGE_OPTIONS: Options = {
  plain:
    '-A --all -u --update -v --verbose -n --dry-run -p --patch -N --intent-to-add --no-ff --ff-only --ff --squash --no-edit ' +
    '--continue --abort --skip --quit --no-commit -x --check --index --cached --3way --stat -q --quiet',
  value: '-m --message --strategy -X -b --initial-branch',
  executesHidden: '-e --edit -i --interactive -S --gpg-sign',
  destroys: '-f --force',
};
/** The line shows none of the files that these write. */
const WRITES_TREE: Behaviour = {
  class: 'UNKNOWN',
  does: 'writes files that the line does not show',
  options: CHANGE_OPTIONS,
};
const SETTINGS: Behaviour = { class: 'UNKNOWN', does: "changes git's configuration, which can name programs" };
const STASH_OPTIONS: Options = {
  plain: '-u --include-untracked -k --keep-index -p --patch -q --quiet -S --staged --index',
  value: '-m --message',
};
const NETWORK_OPTIONS = '--upload-pack --receive-pack --exec';

/** Subcommands of git that change the repository, reach for another one, or execute programs. */
export const GIT_WRITES: Readonly<Record<string, Behaviour>> = {
  ...sameFor('add, stage', {
    class: 'WRITE',
    does: 'puts files into the index',
    options: CHANGE_OPTIONS,
    operands: 'reads',
  }),
  ...sameFor('init, pull-request, rerere', {
    class: 'WRITE',
    does: 'changes the repository or its working tree',
    options: CHANGE_OPTIONS,
  }),
  mv: { class: 'WRITE', does: 'moves files', options: CHANGE_OPTIONS, operands: 'writes', inspect: 'copies' },
  ...sameFor('am, apply, cherry-pick, revert, merge, checkout-index, read-tree', WRITES_TREE),
  commit: {
    class: 'WRITE',
    does: 'records a commit, and runs the hooks of the repository',
    options: {
      plain:
        '-a --all -p --patch -v --verbose -q --quiet --no-edit --amend -s --signoff -n --no-verify --allow-empty --dry-run ' +
        '--no-gpg-sign',
      reads: '-F --file -t --template',
      value: '-m --message -C --reuse-message --author --date --fixup --squash',
      executesHidden: '-e --edit -S --gpg-sign',
    },
  },
  ...sameFor('write-tree, commit-tree, hash-object, mktag, mktree, update-index, update-ref, replace, pack-refs', {
    class: 'WRITE',
    does: 'writes to the repository',
  }),
  ...sameFor('pack-objects, index-pack, unpack-objects, repack, commit-graph, multi-pack-index, fast-export', {
    class: 'WRITE',
    does: 'writes objects of the repository',
  }),
  // Its input decides, also with --version: a report of the crash is written then.
  'fast-import': { class: 'UNKNOWN', does: 'writes the objects and references that its input names' },
  ...sameFor('stash push, stash save, stash store, stash create', {
    class: 'WRITE',
    does: 'puts changes aside',
    options: STASH_OPTIONS,
  }),
  ...sameFor('stash apply, stash pop, stash branch', { ...WRITES_TREE, options: STASH_OPTIONS }),
  ...sameFor('stash drop, stash clear', { class: 'DESTRUCTIVE', does: 'deletes changes that were put aside' }),
  ...sameFor('checkout, switch', {
    class: 'WRITE',
    does: 'changes the working tree to another state',
    inspect: 'git-checkout',
    options: { destroys: '-f --force --discard-changes -B -C', plain: '-q --quiet', value: '-b -c' },
  }),
  restore: { class: 'DESTRUCTIVE', does: 'discards changes of files', inspect: 'git-checkout' },
  reset: {
    class: 'WRITE',
    does: 'moves a branch',
    options: { destroys: '--hard --merge --keep', plain: '--soft --mixed -q --quiet' },
  },
  ...sameFor('clean, rm', { class: 'DESTRUCTIVE', does: 'deletes files' }),
  ...sameFor('filter-branch, filter-repo', {
    class: 'DESTRUCTIVE',
    does: 'rewrites the history by commands',
    options: {
      executes:
        '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter',
    },
  }),
  ...sameFor('gc, prune, prune-packed, reflog expire, reflog delete, reflog drop', {
    class: 'DESTRUCTIVE',
    does: 'deletes objects or references that are no longer reachable',
  }),
  'reflog write': { class: 'WRITE', does: 'writes where a reference pointed' },
  rebase: {
    class: 'UNKNOWN',
    does: 'rewrites commits, and writes files that the line does not show',
    options: { executes: '-x --exec', executesHidden: '-i --interactive --edit-todo', value: '--onto -s --strategy' },
  },
  bisect: { class: 'UNKNOWN', does: 'checks out one commit after another' },
  'bisect run': { class: 'UNKNOWN', does: 'runs a command for each commit', operands: 'command' },
  ...sameFor('bisect view, bisect visualize, gui, gitk, citool, difftool, mergetool, instaweb, web--browse, daemon', {
    class: 'UNKNOWN',
    does: 'starts another program',
    options: { executes: '-x --extcmd', executesHidden: '-t --tool' },
  }),
  'submodule foreach': { class: 'UNKNOWN', does: 'runs a command in each submodule', operands: 'command' },
  ...sameFor('submodule update, submodule add', { class: 'NETWORK', does: 'fetches submodules' }),
  ...sameFor(
    'submodule init, submodule deinit, submodule sync, submodule set-url, submodule set-branch, submodule absorbgitdirs',
    SETTINGS,
  ),
  ...sameFor('config set, config unset, config rename-section, config remove-section, config edit', SETTINGS),
  // An address can name a program: `ext::sh`.
  ...sameFor('remote add, remote rename, remote set-url, remote set-head, remote set-branches', SETTINGS),
  ...sameFor('remote remove, remote rm', { class: 'DESTRUCTIVE', does: 'forgets a remote repository' }),
  ...sameFor('remote show, remote update, remote prune', { class: 'NETWORK', does: 'asks a remote repository' }),
  ...sameFor('notes add, notes append, notes copy, notes edit, notes merge, notes remove, notes prune', {
    class: 'WRITE',
    does: 'changes notes of commits',
  }),
  ...sameFor('worktree add, worktree move, worktree lock, worktree unlock, worktree repair', {
    class: 'WRITE',
    does: 'changes the worktrees',
  }),
  ...sameFor('worktree remove, worktree prune', { class: 'DESTRUCTIVE', does: 'deletes a worktree' }),
  ...sameFor('sparse-checkout, maintenance, hook', {
    class: 'UNKNOWN',
    does: 'changes how the repository is kept, or executes hooks',
  }),
  bundle: { class: 'WRITE', does: 'writes a bundle' },
  archive: {
    class: 'WRITE',
    does: 'packs a commit',
    options: { writesTo: '-o --output', networkTo: '--remote', executes: '--exec', value: '--format --prefix' },
  },
  'format-patch': { class: 'WRITE', does: 'writes patches', options: { writesTo: '-o --output-directory --output' } },
  ...sameFor('fetch, pull, clone, ls-remote, fetch-pack', {
    class: 'NETWORK',
    does: 'reads from another repository',
    options: {
      executes: `${NETWORK_OPTIONS} -u -c --config --template`,
      plain:
        '--all --tags -t -p --prune -q --quiet -v --verbose --rebase --no-rebase --ff-only --bare --mirror --single-branch --no-tags ' +
        '--recursive --recurse-submodules --dry-run --heads --unshallow --no-checkout',
      value: '-b --branch --depth -o --origin -j --jobs --filter',
      destroys: '-f --force',
    },
  }),
  ...sameFor('push, send-pack', {
    class: 'NETWORK',
    does: 'writes to another repository',
    options: {
      destroys: '-f --force --force-with-lease --force-if-includes -d --delete --mirror --prune',
      executes: NETWORK_OPTIONS,
      plain: '--all --tags --follow-tags -n --dry-run -q --quiet -v --verbose -u --set-upstream',
    },
  }),
  ...sameFor(
    'lfs, lfs fetch, lfs pull, lfs push, send-email, imap-send, request-pull, svn, p4, http-fetch, http-push',
    {
      class: 'NETWORK',
      does: 'reaches another server',
    },
  ),
  ...sameFor('credential, credential-store, credential-cache', {
    class: 'UNKNOWN',
    does: 'reads or stores a password',
  }),
};
