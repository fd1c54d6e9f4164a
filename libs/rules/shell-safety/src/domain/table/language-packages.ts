import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const USAGE = { class: 'READ_ONLY', does: 'prints its version or usage', operands: 'none' } as const;
const HELP: Options = { plain: '-h --help -V --version' };
const INSTALLS: Behaviour = {
  class: 'NETWORK',
  does: 'fetches packages, and executes their set-up',
  options: {
    plain: '-U --upgrade --user --no-deps --dev --no-cache-dir --pre --force-reinstall --no-dev -D -y --yes',
    value: '--group --extra --extras --with --without -n --name',
    reads: '-r --requirement -c --constraint -e --editable',
  },
};
const REMOVES: Behaviour = { class: 'DESTRUCTIVE', does: 'removes packages' };
const UPDATES: Behaviour = { class: 'NETWORK', does: 'fetches lists or packages' };

const read = (options: Options, operands: Behaviour['operands'] = 'any', does = 'lists packages'): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options,
  operands,
});

/** Package managers of Python and Ruby. A package executes its set-up when it is installed. */
export const LANGUAGE_PACKAGE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['pip', 'pip3'],
    style: 'gnu',
    ...USAGE,
    options: {
      plain:
        '-h --help -V --version -q --quiet -v --verbose --disable-pip-version-check --no-color --no-input --isolated --no-python-version-warning',
      value: '--timeout --retries',
      identifies: '--client-cert',
      networkTo: '--proxy --cert --trusted-host -i --index-url --extra-index-url -f --find-links',
      writesTo: '--log --cache-dir --report',
      executes: '--python --keyring-provider',
    },
    subcommands: {
      // `--path` is not listed: pip starts git in the folders that packages of such a path name.
      ...sameFor(
        'list, freeze, show, check, inspect, debug, help',
        read({
          plain:
            '-l --local --user -f --files --not-required -e --editable --include-editable --exclude-editable --all --pre',
          value: '--format --exclude',
          reads: '-r --requirement',
          network: '-o --outdated -u --uptodate',
        }),
      ),
      // These files keep passwords of indexes.
      ...sameFor('config list, config get', { class: 'WRITE', does: 'reads its configuration' }),
      config: { class: 'UNKNOWN', does: 'changes its configuration, which names indexes and programs' },
      'cache list': read({ value: '--format' }),
      'cache info': read({}),
      'cache dir': read({}),
      ...sameFor('cache purge, cache remove, uninstall', REMOVES),
      ...sameFor('install, wheel', INSTALLS),
      ...sameFor('download, search, index, index versions', UPDATES),
      hash: read({ value: '-a --algorithm' }, 'reads', 'computes digests of files'),
    },
  },
  {
    // Most words start the interpreter of the project's own environment.
    names: ['pipx', 'uv', 'pipenv', 'pdm', 'hatch', 'rye'],
    style: 'gnu',
    ...USAGE,
    options: {
      plain: '-h --help -V --version -q --quiet -n --no-interaction --no-ansi',
      executes: '--directory --project --config-file -C -P --python',
    },
    subcommands: {
      ...sameFor('tool list, cache dir, self version', read({ plain: '--show-paths --show-version-specifiers' })),
      ...sameFor('list, show, env info, env list, graph, check', {
        class: 'BUILD_TEST',
        does: "starts the project's interpreter",
      }),
      ...sameFor('pip list, pip show, pip freeze, pip tree, pip check, tree', {
        class: 'BUILD_TEST',
        does: "starts the project's interpreter",
      }),
      ...sameFor(
        'install, sync, add, update, upgrade, lock, tool install, pip install, pip sync, pip compile, self update',
        INSTALLS,
      ),
      ...sameFor('run, runpip, shell, tool run, build, init', {
        class: 'UNKNOWN',
        does: 'executes code of the project',
      }),
      ...sameFor('publish, search', UPDATES),
      ...sameFor('remove, uninstall, uninstall-all, pip uninstall, cache clean, cache clear, env remove', REMOVES),
    },
  },
  {
    // poetry loads plug-ins from the project's folder `.poetry`, even for the version.
    names: ['poetry'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'loads plug-ins of the project',
    loadsProject: true,
    subcommands: sameFor('install, sync, add, update, lock, self update, publish', INSTALLS),
  },
  { names: ['uvx'], class: 'NETWORK', does: 'fetches a package, and executes it' },
  {
    names: ['conda', 'mamba', 'micromamba'],
    style: 'gnu',
    ...USAGE,
    options: { plain: '-h --help -V --version' },
    subcommands: {
      ...sameFor(
        'list, info, env list',
        read({ plain: '--json -e --explicit --export -f --full-name --envs -a --all', value: '-n --name -p --prefix' }),
      ),
      ...sameFor('install, create, update, upgrade, search, env create, env update', INSTALLS),
      ...sameFor('remove, uninstall, clean, env remove', REMOVES),
      run: { class: 'UNKNOWN', does: 'executes a program' },
      config: { class: 'UNKNOWN', does: 'reads or changes its configuration, which names channels and folders' },
    },
  },
  {
    // A Gemfile is a program: even `bundle list` executes it.
    names: ['bundle', 'bundler'],
    style: 'gnu',
    loadsProject: true,
    class: 'UNKNOWN',
    does: "executes the project's Gemfile",
    subcommands: {
      ...sameFor('list, show, info, outdated, check, env', {
        class: 'BUILD_TEST',
        does: "executes the project's Gemfile",
      }),
      ...sameFor('install, update, add', INSTALLS),
    },
  },
  {
    names: ['gem'],
    style: 'gnu',
    ...USAGE,
    options: HELP,
    subcommands: {
      ...sameFor(
        'list, environment, env, contents, dependency, which',
        read({ plain: '-l --local -a --all -d --details --versions' }),
      ),
      ...sameFor('install, update, fetch, push, search, add', INSTALLS),
      ...sameFor('uninstall, cleanup, clean', REMOVES),
    },
  },
];
