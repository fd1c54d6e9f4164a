import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const USAGE = { class: 'READ_ONLY', does: 'prints its version or usage', operands: 'none' } as const;
const INSTALLS: Behaviour = { class: 'NETWORK', does: 'fetches packages, and executes their set-up' };
const REMOVES: Behaviour = { class: 'DESTRUCTIVE', does: 'removes packages' };
const UPDATES: Behaviour = { class: 'NETWORK', does: 'fetches lists or packages' };

const read = (options: Options, operands: Behaviour['operands'] = 'any', does = 'lists packages'): Behaviour => ({
  class: 'READ_ONLY',
  does,
  options,
  operands,
});

const APT_READ: Options = {
  plain:
    '-a --all-versions -q --quiet --installed --upgradable --manual-installed -v --verbose -n --names-only -f --full --recurse -i --important',
  optional: '--no-all-versions --no-recommends --no-suggests',
};

/** `-c` and `-o` make apt execute programs (`-o APT::Update::Pre-Invoke::=…`, `-o Dir::Bin::…`). */
const APT_OPTIONS: Options = {
  plain: '-h --help -v --version -y --yes --assume-yes -q --quiet',
  executes: '-o --option -c --config-file',
};

/** Package managers of systems; those of languages stand in files of their own. */
export const PACKAGE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['apt', 'apt-get', 'aptitude'],
    style: 'gnu',
    ...USAGE,
    options: APT_OPTIONS,
    subcommands: {
      ...sameFor('list, search, show, policy, depends, rdepends, showsrc', read(APT_READ)),
      ...sameFor('install, upgrade, full-upgrade, dist-upgrade, reinstall, build-dep, satisfy', INSTALLS),
      ...sameFor('update, download, source, changelog', UPDATES),
      ...sameFor('remove, purge, autoremove, autopurge, clean, autoclean', REMOVES),
      ...sameFor('edit-sources, mark', { class: 'WRITE', does: 'changes the sources or states of packages' }),
    },
  },
  {
    names: ['apt-cache'],
    style: 'gnu',
    ...USAGE,
    options: APT_OPTIONS,
    subcommands: {
      ...sameFor('search, show, showpkg, policy, madison, depends, rdepends, pkgnames, stats, showsrc', read(APT_READ)),
    },
  },
  {
    names: ['apt-mark'],
    style: 'gnu',
    ...USAGE,
    options: APT_OPTIONS,
    subcommands: {
      ...sameFor('showauto, showmanual, showhold, showinstall', read({})),
      ...sameFor('auto, manual, hold, unhold', { class: 'WRITE', does: 'changes the states of packages' }),
    },
  },
  {
    names: ['apt-key', 'add-apt-repository', 'dpkg-reconfigure', 'unattended-upgrade', 'apt-file'],
    class: 'UNKNOWN',
    does: 'changes packages or their sources',
  },
  {
    names: ['dpkg'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'lists packages or their files',
    options: {
      plain:
        '-l --list -L --listfiles -s --status -S --search -p --print-avail --get-selections --print-architecture ' +
        '--print-foreign-architectures --audit -C --verify -V -c --contents -I --info --version --help --no-pager --compare-versions',
      writes:
        '-i --install -x --extract -e --control --configure --set-selections --unpack -X --vextract -R --raw-extract -b --build',
      destroys: '-r --remove -P --purge',
      executes: '--pre-invoke --post-invoke',
    },
    operands: 'reads',
  },
  {
    names: ['dpkg-query'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'lists packages or their files',
    options: {
      plain:
        '-l --list -L --listfiles -s --status -S --search -p --print-avail -W --show --control-list --version --help --no-pager',
      value: '-f --showformat',
    },
    operands: 'any',
  },
  {
    names: ['rpm'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'asks about packages',
    // Query formats and macros expand `%(command)`: -E, -D, --eval and --qf stay unknown.
    options: {
      plain:
        '-q --query -a --all -i -l --list --last --scripts --conflicts --whatrequires --whatprovides -c --configfiles -d --docfiles -R --requires --provides --changelog -p --info --version',
      reads: '-f --file',
      executes: '-E --eval -D --define --pipe --qf --queryformat --rcfile --macros --root --dbpath',
      writes: '-U --upgrade -F --freshen --install --import --initdb --rebuilddb --setperms',
      destroys: '-e --erase',
    },
    inspect: 'rpm-query',
    operands: 'any',
  },
  {
    names: ['yum', 'dnf', 'microdnf', 'zypper'],
    style: 'gnu',
    ...USAGE,
    options: {
      plain: '-h --help --version -q --quiet -y -v --verbose -C --cacheonly',
      executes: '-c --config --installroot --setopt --repofrompath',
    },
    subcommands: {
      ...sameFor('list, info, search, repolist, provides, whatprovides, repoquery, se, if, lr', {
        ...read({ plain: '--installed --available --all --updates --showduplicates -l --list -i' }),
        network: true,
      }),
      history: { ...read({}, 'none', 'lists transactions'), network: true },
      'history info': read({}, 'any', 'shows a transaction'),
      ...sameFor('history undo, history redo, history rollback, history replay', INSTALLS),
      ...sameFor(
        'install, update, upgrade, reinstall, downgrade, groupinstall, in, up, makecache, check-update',
        INSTALLS,
      ),
      ...sameFor('remove, erase, autoremove, clean, rm', REMOVES),
    },
  },
  {
    names: ['apk'],
    style: 'gnu',
    ...USAGE,
    options: {
      plain: '-h --help -V --version -q --quiet -v --verbose',
      networkTo: '-X --repository',
      executes: '-p --root --keys-dir',
    },
    subcommands: {
      ...sameFor('info, list, search, policy, stats', {
        ...read({
          plain:
            '-a --all -d --description -e --installed -L --contents -I -u --upgradable -s --size -R --depends -x --exact',
        }),
        network: true,
      }),
      ...sameFor('add, update, upgrade, fix, fetch', INSTALLS),
      ...sameFor('del, cache clean', REMOVES),
    },
  },
  {
    names: ['pacman'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'asks about packages',
    options: {
      plain:
        '-Q --query -h --help -V --version -i --info -l --list -e --explicit -m --foreign -n --native -q --quiet -t -k -d --deps',
      reads: '-o --owns',
      writes: '-U --upgrade -D --database -S --sync',
      destroys: '-R --remove',
      executes: '--config --hookdir --root -r --dbpath -b',
    },
    operands: 'any',
  },
  {
    names: ['brew'],
    style: 'gnu',
    ...USAGE,
    options: { plain: '-h --help -v --version --prefix --cellar --cache --repository' },
    subcommands: {
      ...sameFor('list, ls, info, leaves, deps, uses, config, desc, outdated, doctor, services list', {
        ...read({
          plain: '--versions -v --verbose -1 --cask --formula --installed --tree -r --greedy -q --quiet',
          optional: '--json',
        }),
        inspect: 'plain-names',
        network: true,
      }),
      ...sameFor('install, upgrade, update, tap, fetch, reinstall, search', INSTALLS),
      ...sameFor('uninstall, remove, rm, cleanup, autoremove, untap', REMOVES),
    },
  },
  {
    names: ['snap', 'flatpak'],
    style: 'gnu',
    ...USAGE,
    options: { plain: '-h --help --version' },
    subcommands: {
      ...sameFor('list, info, services, connections, interfaces, changes, version', {
        ...read({ plain: '--all --app --runtime --columns --verbose --abs-time' }),
        network: true,
      }),
      ...sameFor('install, refresh, update, find, search, download', INSTALLS),
      ...sameFor('remove, uninstall', REMOVES),
      run: { class: 'UNKNOWN', does: 'executes a program' },
    },
  },
  // composer loads plug-ins of the project, even for the version.
  { names: ['composer'], class: 'UNKNOWN', does: 'installs or executes packages', loadsProject: true },
  {
    names: [
      'cpan',
      'cpanm',
      'luarocks',
      'nix',
      'nix-env',
      'nix-shell',
      'nix-build',
      'guix',
      'port',
      'choco',
      'winget',
      'scoop',
    ],
    class: 'UNKNOWN',
    does: 'installs or executes packages',
  },
];
