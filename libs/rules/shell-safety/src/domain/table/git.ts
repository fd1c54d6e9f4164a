import type { ProgramRow } from '../program-row.js';
import { GIT_READS } from './git-reads.js';
import { GIT_WRITES } from './git-writes.js';
import { sameFor } from './same-for.js';

const HELP = '-h --help --version';

/**
 * git, older version control, and the command lines of forges. git has no row for aliases. An alias is an unknown
 * subcommand, and git lets none replace a subcommand of its own.
 */
export const GIT_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['git'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'prints its version or usage',
    operands: 'none',
    inspect: 'git',
    options: {
      plain:
        `${HELP} -v --no-pager -P --no-replace-objects --no-optional-locks --no-lazy-fetch --no-advice --literal-pathspecs ` +
        '--glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path',
      // Another folder is another working folder, as after `cd`.
      reads: '-C',
      // Each chooses a configuration, or a folder of git's own programs; `-c core.pager=…` even spells the program out.
      executes: '-c --config-env --exec-path --git-dir --work-tree --namespace --super-prefix --attr-source',
      executesHidden: '-p --paginate --bare',
    },
    subcommands: { ...GIT_WRITES, ...GIT_READS },
  },
  {
    names: ['svn'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a Subversion repository',
    subcommands: {
      ...sameFor('info, status, st, stat, propget, pget, proplist, plist, help', {
        class: 'READ_ONLY',
        does: 'shows the state of the working copy',
        options: {
          plain: `${HELP} -v --verbose -q --quiet -R --recursive --xml --no-ignore --non-interactive`,
          value: '--depth --show-item',
        },
        operands: 'reads',
        inspect: 'named-host',
      }),
      ...sameFor(
        'log, diff, cat, list, ls, blame, update, up, checkout, co, commit, ci, switch, export, import, merge',
        {
          class: 'NETWORK',
          does: 'reaches the server of the repository',
          options: { executes: '--diff-cmd --diff3-cmd --editor-cmd --config-option --config-dir' },
        },
      ),
      ...sameFor('add, mkdir, move, mv, copy, cp, propset, resolve, resolved, changelist, lock, unlock', {
        class: 'WRITE',
        does: 'changes the working copy',
      }),
      ...sameFor('delete, rm, revert, cleanup', { class: 'DESTRUCTIVE', does: 'discards files or changes' }),
    },
  },
  {
    names: ['hg'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'works on a Mercurial repository',
    // `--config` defines aliases that run shell commands, `-R` and `--cwd` choose another configuration.
    options: { executes: '--config -R --repository --cwd', plain: '-q --quiet -v --verbose' },
    subcommands: {
      ...sameFor(
        'status, st, log, branch, branches, tags, bookmarks, heads, parents, summary, id, identify, root, files, paths',
        {
          class: 'READ_ONLY',
          does: 'shows the state of the repository',
          options: {
            plain: '-m -a -r -d -c -u -i -n -A --all -g --git --stat -p --patch -G --graph -M --no-merges -t -b',
            value: '-l --limit --template -T --color',
          },
          operands: 'none',
        },
      ),
      ...sameFor('pull, push, clone, incoming, outgoing', { class: 'NETWORK', does: 'reaches another repository' }),
      ...sameFor('add, commit, update, merge, graft, rebase, tag, bookmark', {
        class: 'WRITE',
        does: 'changes the repository',
      }),
      ...sameFor('remove, rm, revert, strip, purge, rollback', {
        class: 'DESTRUCTIVE',
        does: 'discards files or changes',
      }),
    },
  },
];
