import type { Behaviour } from '../program-row.js';
import { LOG_OPTIONS } from './git-options.js';
import { sameFor } from './same-for.js';

/**
 * Subcommands of git that read or write by their options and the number of their operands. The functions that `inspect` names
 * tell `git tag -l v1` from `git tag v1`. git refuses two modes at once, so that none can hide behind another.
 */
export const GIT_MODES: Readonly<Record<string, Behaviour>> = {
  branch: {
    class: 'READ_ONLY',
    does: 'lists branches',
    options: {
      plain:
        '-a --all -r --remotes -v --verbose --show-current -i --ignore-case --no-color --no-column --no-abbrev -l --list --omit-empty -q --quiet',
      value: '--contains --no-contains --merged --no-merged --points-at --sort --format',
      optional: '--color --column --abbrev',
      destroys: '-d -D --delete',
      writes:
        '-m -M --move -c -C --copy -f --force -t --track --no-track --unset-upstream --create-reflog --recurse-submodules',
      writesTo: '-u --set-upstream-to',
      executesHidden: '--edit-description',
    },
    operands: 'any',
    inspect: 'git-branch',
  },
  tag: {
    class: 'READ_ONLY',
    does: 'lists tags',
    options: {
      plain: '-l --list -i --ignore-case --no-color --no-column --omit-empty',
      value: '--contains --no-contains --merged --no-merged --points-at --sort --format',
      optional: '-n --color --column',
      destroys: '-d --delete',
      writes: '-a --annotate -f --force --create-reflog',
      executesHidden: '-s --sign -v --verify -e --edit',
    },
    operands: 'any',
    inspect: 'git-tag',
  },
  config: {
    class: 'READ_ONLY',
    does: "reads git's configuration",
    options: {
      plain:
        '-l --list --get --get-all --get-regexp --global --system --local --worktree --show-origin --show-scope --name-only -z --null --bool --int ' +
        '--bool-or-int --bool-or-str --path --expiry-date --includes --no-includes --fixed-value --show-names',
      value: '--type --blob --default',
      reads: '-f --file',
      writes: '--add --replace-all --unset --unset-all --remove-section --rename-section',
      executesHidden: '-e --edit',
    },
    operands: 'any',
    inspect: 'git-config',
  },
  ...sameFor('config list, config get', {
    class: 'READ_ONLY',
    does: "reads git's configuration",
    options: {
      plain:
        '--all --regexp --global --system --local --worktree --show-origin --show-scope --name-only -z --null --includes ' +
        '--no-includes --fixed-value --show-names --bool --int',
      value: '--type --default --blob --value',
      reads: '-f --file',
    },
    operands: 'any',
    inspect: 'git-settings',
  }),
  remote: {
    class: 'READ_ONLY',
    does: 'lists remote repositories',
    options: { plain: '-v --verbose' },
    operands: 'none',
  },
  stash: {
    class: 'WRITE',
    does: 'puts changes aside',
    options: {
      plain: '-u --include-untracked -k --keep-index -p --patch -q --quiet -S --staged',
      value: '-m --message',
    },
  },
  reflog: { class: 'READ_ONLY', does: 'shows where references pointed', options: LOG_OPTIONS, operands: 'none' },
  worktree: { class: 'UNKNOWN', does: 'works on worktrees' },
  notes: { class: 'READ_ONLY', does: 'lists notes', options: { value: '--ref' }, operands: 'none' },
  submodule: {
    class: 'READ_ONLY',
    does: 'shows the state of submodules',
    options: { plain: '-q --quiet --cached' },
    operands: 'none',
  },
  'symbolic-ref': {
    class: 'READ_ONLY',
    does: 'prints the reference that a name stands for',
    options: { plain: '-q --quiet --short --recurse --no-recurse', destroys: '-d --delete', writes: '-m' },
    operands: 'any',
    inspect: 'git-symbolic-ref',
  },
};
