import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { mergeOptions } from './merge-options.js';
import { pflag } from './pflag.js';
import { sameFor } from './same-for.js';

/** `-R` may begin with a host, which `named-repository-host` sees. `--web` opens a browser, `--show-token` is left unknown. */
const SHARED: Options = {
  value:
    '-R --repo --json -q --jq -t --template -L --limit -s --state -l --label -A --author -a --assignee -S --search',
  executesHidden: '-w --web',
};

const read = (does: string, options: Options = {}): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options: mergeOptions(SHARED, options),
  operands: 'any',
  network: true,
  inspect: 'named-repository-host',
});

const WRITES: Readonly<Record<string, Behaviour>> = {
  ...sameFor(
    'pr create, pr comment, pr edit, pr review, pr ready, pr reopen, pr lock, pr unlock, pr update-branch, mr create',
    {
      class: 'NETWORK',
      does: 'writes to the forge',
    },
  ),
  ...sameFor(
    'issue create, issue comment, issue edit, issue reopen, issue transfer, issue pin, issue lock, issue develop',
    {
      class: 'NETWORK',
      does: 'writes to the forge',
    },
  ),
  ...sameFor(
    'pr merge, pr close, issue close, issue delete, release delete, repo delete, repo archive, run delete, run cancel',
    {
      class: 'DESTRUCTIVE',
      does: 'merges, closes or deletes on the forge',
    },
  ),
  ...sameFor(
    'secret delete, variable delete, label delete, gist delete, cache delete, ssh-key delete, workflow disable',
    {
      class: 'DESTRUCTIVE',
      does: 'deletes from the forge',
    },
  ),
  ...sameFor(
    'repo create, repo edit, repo fork, repo clone, repo sync, release create, release upload, release download',
    {
      class: 'NETWORK',
      does: 'copies data to or from the forge',
    },
  ),
  ...sameFor(
    'workflow run, workflow enable, run rerun, run download, secret set, variable set, label create, gist create',
    {
      class: 'NETWORK',
      does: 'writes to the forge, or starts its jobs',
    },
  ),
  ...sameFor(
    'api, browse, codespace, ssh-key add, gpg-key add, auth login, auth logout, auth refresh, auth setup-git',
    {
      class: 'NETWORK',
      does: 'reaches the forge with the credentials of the person',
    },
  ),
  'config get': { class: 'READ_ONLY', tier: 2, does: 'can print a credential' },
  'auth token': { class: 'READ_ONLY', tier: 2, does: 'prints a credential' },
  ...sameFor('pr checkout, mr checkout', { class: 'WRITE', does: 'changes the working tree' }),
  ...sameFor('alias set, extension install, extension exec, extension upgrade, config set', {
    class: 'UNKNOWN',
    does: 'installs or names programs',
  }),
};

const USAGE = { class: 'READ_ONLY', does: 'prints its version or usage', operands: 'none' } as const;

/** Command lines of forges. Reads reach the forge that is configured; another host asks. */
export const FORGE_PROGRAMS: readonly ProgramRow[] = [
  pflag({
    names: ['gh'],
    ...USAGE,
    options: { plain: '-h --help --version' },
    subcommands: {
      ...WRITES,
      ...sameFor(
        'pr list, pr ls, pr status, issue list, issue ls, issue status',
        read('lists requests and issues', {
          plain: '-d --draft -c --conflict-status',
          value: '-B --base -H --head --app --mention -m --milestone',
        }),
      ),
      ...sameFor('pr view, issue view', read('shows a request or an issue', { plain: '-c --comments' })),
      'pr diff': read('shows the changes of a request', { plain: '--patch --name-only', value: '--color' }),
      'pr checks': read('shows the checks of a request', {
        plain: '--watch --required --fail-fast',
        value: '-i --interval',
      }),
      'run list': read('lists runs', {
        plain: '--all',
        // -w and -s have other meanings elsewhere.
        value: '-b --branch -c --commit --created -e --event --status -u --user --workflow',
      }),
      'run view': read('shows a run', {
        plain: '--log --log-failed --exit-status -v --verbose',
        value: '-j --job --attempt',
      }),
      'run watch': read('follows a run', { plain: '--exit-status --compact', value: '-i --interval' }),
      ...sameFor(
        'release list, release ls, release view, workflow list, workflow ls, workflow view, cache list, label list',
        read('lists releases, workflows or labels', {
          plain: '--all --exclude-drafts --exclude-pre-releases -y --yaml',
          value: '-O --order --sort -r --ref -k --key',
        }),
      ),
      ...sameFor(
        'repo view, repo list, repo ls, ruleset list, ruleset view, ruleset check, org list, project list, project view',
        read('shows repositories', {
          plain: '--fork --source --archived --no-archived',
          value: '-b --branch --language --topic --visibility --owner --format',
        }),
      ),
      ...sameFor(
        'secret list, variable list, ssh-key list, gpg-key list, gist list, status',
        read('lists names', { value: '-e --env -o --org' }),
      ),
      ...sameFor('alias list, extension list, config list, auth status', {
        class: 'READ_ONLY',
        does: 'shows its settings',
        options: { plain: '-a --active', value: '-h --hostname --host' },
        operands: 'any',
      }),
      ...sameFor('search, search code, search issues, search prs, search repos, search commits, gist view', {
        class: 'NETWORK',
        does: 'sends words to the forge',
      }),
    },
  }),
  pflag({
    names: ['glab'],
    ...USAGE,
    options: { plain: '-h --help -v --version' },
    subcommands: {
      ...WRITES,
      ...sameFor(
        'mr list, mr view, mr diff, issue list, issue view, ci list, ci status, ci view, pipeline list, repo view, release list',
        {
          class: 'READ_ONLY',
          does: 'lists requests and issues',
          options: {
            plain: '-A --all -c --closed -M --merged -d --draft --comments --system-logs',
            value:
              '-R --repo -F --output -p --page -P --per-page -l --label --author --assignee -b --branch --search --color',
            executesHidden: '-w --web',
          },
          operands: 'any',
          network: true,
          inspect: 'named-repository-host',
        },
      ),
    },
  }),
  { names: ['hub', 'tea', 'jira', 'bb'], class: 'NETWORK', does: 'reaches a forge, or runs git' },
];
