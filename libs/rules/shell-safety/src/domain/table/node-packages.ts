import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const USAGE = { class: 'READ_ONLY', does: 'prints its version or usage', operands: 'none' } as const;
const INSTALLS: Behaviour = {
  class: 'NETWORK',
  does: 'fetches packages, and executes their scripts',
  options: {
    plain:
      '-D --save-dev -E --save-exact -g --global --save -S --no-save --legacy-peer-deps --ignore-scripts --frozen-lockfile --production',
    value: '--omit --include -w --workspace',
  },
};
const RUNS: Behaviour = {
  class: 'BUILD_TEST',
  does: 'executes scripts of package.json',
  options: {
    plain: '--if-present --workspaces --ignore-scripts --dry-run -r --recursive',
    value: '-w --workspace --filter',
  },
};

/** npm reads options anywhere, `--registry` and `--script-shell` as well: each key of its configuration is an option. */
const NPM_OPTIONS: Options = {
  plain:
    '-h --help -v --version --versions -s --silent -q --quiet -d --verbose --no-color --offline --no-audit --no-fund --no-progress',
  value: '--loglevel',
  optional: '--color --progress --fund',
  networkTo: '--registry --proxy --https-proxy --cafile --ca',
  identifies: '--cert --key --otp',
  executes:
    '--script-shell --userconfig --globalconfig --node-options --shell --git --editor --viewer --browser --prefix -C',
  writesTo: '--cache --logs-dir',
};

const read = (options: Options, does = 'lists packages'): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options,
  operands: 'any',
});

const ASKS_REGISTRY: Behaviour = {
  ...read(
    {
      plain: '-a --all --json -l --long -p --parseable -g --global --package-lock-only',
      value: '--depth --omit --include -w --workspace --audit-level',
      optional: '--workspaces',
    },
    'asks the registry about packages',
  ),
  network: true,
};

/** Package managers of Node. A package executes its scripts when it is installed; `run`, `test` and `exec` are code of the project. */
export const NODE_PACKAGE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['npm'],
    style: 'gnu',
    ...USAGE,
    options: NPM_OPTIONS,
    subcommands: {
      ...sameFor(
        'ls, list, la, ll, explain, why, query, root, prefix',
        read({
          plain: '-a --all --json -l --long -p --parseable -g --global --link --package-lock-only --unicode',
          value: '--depth --omit --include -w --workspace',
          optional: '--workspaces',
        }),
      ),
      help: { class: 'UNKNOWN', does: 'shows a page in the viewer that its configuration names' },
      // These ask the registry of the configuration. A project's .npmrc can name another one, and could send it variables of the
      // environment. The runner passes none that is secret.
      ...sameFor('outdated, ping, search', { ...ASKS_REGISTRY, inspect: 'named-host' }),
      ...sameFor('view, info, show, v', { ...ASKS_REGISTRY, inspect: 'registry-names' }),
      audit: {
        class: 'NETWORK',
        does: 'sends the names and versions of all dependencies to the registry',
        options: { plain: '--json --package-lock-only', value: '--omit --include -w --workspace --audit-level' },
        operands: 'none',
      },
      ...sameFor('audit fix, audit signatures', INSTALLS),
      // Tokens of registries are masked by list, not by get.
      ...sameFor('config get, config list, get, token, profile', {
        class: 'WRITE',
        does: 'reads its configuration, or changes an account',
      }),
      ...sameFor('config, config set, config edit, config delete, set', {
        class: 'UNKNOWN',
        does: 'changes its configuration, which can name programs',
      }),
      ...sameFor('pkg get', read({ plain: '--json' }, 'reads package.json')),
      ...sameFor('pkg set, pkg delete, pkg fix, version', {
        class: 'UNKNOWN',
        does: 'changes package.json, whose scripts are executed',
      }),
      ...sameFor(
        'install, i, in, add, ci, clean-install, install-test, it, update, up, upgrade, link, rebuild, dedupe',
        INSTALLS,
      ),
      ...sameFor('exec, x, init, create', { class: 'UNKNOWN', does: 'fetches a package, and executes it' }),
      ...sameFor('test, t, tst, run test, run build, run lint, run, run-script, start, stop, restart', RUNS),
      // It executes `prepack` and `prepare`, also with --dry-run.
      pack: RUNS,
      ...sameFor('publish, unpublish, deprecate, dist-tag, access, owner, login, logout, adduser, whoami', {
        class: 'NETWORK',
        does: 'changes or asks the registry under an identity',
      }),
      ...sameFor('uninstall, remove, rm, r, un, prune, cache clean', {
        class: 'DESTRUCTIVE',
        does: 'removes packages',
      }),
    },
  },
  { names: ['npx', 'pnpx', 'bunx'], class: 'UNKNOWN', does: 'fetches a package if it is absent, and executes it' },
  {
    // `yarnPath` of a project's .yarnrc.yml names the program that yarn executes, and pnpm loads the project's
    // .pnpmfile.cjs. So no word of either is a read.
    names: ['yarn', 'yarnpkg', 'pnpm', 'corepack'],
    style: 'gnu',
    loadsProject: true,
    options: { plain: '-h --help -v --version' },
    class: 'UNKNOWN',
    does: 'executes what the project names',
    subcommands: {
      ...sameFor('test, t, build, lint, run, start', RUNS),
      ...sameFor('install, i, add, up, update, upgrade, dlx, import, fetch, link, rebuild, dedupe', INSTALLS),
      ...sameFor('ls, list, why, outdated, audit, licenses, info, root, bin', {
        class: 'READ_ONLY',
        tier: 2,
        does: 'lists packages, and loads code that the project names',
      }),
      ...sameFor('publish, login', { class: 'NETWORK', does: 'changes the registry' }),
      ...sameFor('remove, rm, uninstall, prune, store prune', { class: 'DESTRUCTIVE', does: 'removes packages' }),
    },
  },
  {
    names: ['bun', 'deno'],
    style: 'gnu',
    options: { informs: '-v -V --revision' },
    class: 'UNKNOWN',
    does: 'executes a program',
    subcommands: {
      ...sameFor('test, run, build, bench, task, check, lint, compile', RUNS),
      ...sameFor('install, i, add, update, x, create, cache, outdated', INSTALLS),
      fmt: { class: 'WRITE', does: 'rewrites files' },
      ...sameFor('remove, rm', { class: 'DESTRUCTIVE', does: 'removes packages' }),
    },
  },
  {
    names: ['nvm', 'fnm', 'volta', 'nodenv', 'pyenv', 'rbenv'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'chooses or installs versions of a language',
    subcommands: {
      ...sameFor('ls, list, current, versions, version, which, show, toolchain list, target list, component list', {
        class: 'READ_ONLY',
        does: 'lists versions that are installed',
        options: { plain: '--installed --bare -v --verbose' },
        operands: 'any',
      }),
    },
  },
];
