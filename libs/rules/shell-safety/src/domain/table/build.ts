import type { Behaviour, Options, ProgramRow } from '../program-row.js';
import { sameFor } from './same-for.js';

const BUILDS: Behaviour = { class: 'BUILD_TEST', does: 'builds or tests, executing code of the project' };
const INSTALLS: Behaviour = { class: 'NETWORK', does: 'fetches and builds packages' };

/** Builds by a tool that the project configures. */
const PROJECT_BUILDS: Pick<ProgramRow, 'class' | 'does' | 'options' | 'subcommands'> = {
  ...BUILDS,
  options: {
    plain:
      '-h --help -v --version -q --quiet -B --batch-mode -o --offline -U -e -X -ntp --no-daemon --stacktrace --info --parallel --continue --rerun-tasks',
    value: '-pl -P -T -x --tests',
    optional: '-DskipTests -Dtest',
    executes: '-f --file -s --settings -I --init-script -D',
  },
  subcommands: sameFor('deploy, publish, release:perform', { class: 'NETWORK', does: 'publishes what it builds' }),
};

/** An option that is listed keeps a build in its own class; one that is not makes it UNKNOWN. */
const CARGO_BUILD: Options = {
  plain:
    '--release -r --all --workspace --all-targets --all-features --no-default-features --lib --bins --tests --no-run --keep-going --all-files',
  value: '-p --package --features -F -j --jobs --target --profile --bin --test --example --message-format --exclude',
  executes: '--manifest-path --target-dir',
};
const GO_BUILD: Options = {
  plain: '-v -race -short -cover -n -x -json -failfast -benchmem -trimpath -a',
  value:
    '-run -count -timeout -bench -benchtime -parallel -tags -p -covermode -coverpkg -ldflags -gcflags -mod -cpu -shuffle -skip',
};

/**
 * Compilers, build tools, tests and linters. All of them execute code of the project: build files, plug-ins, configurations that
 * are programs, and tests. Even `make -n` runs `$(shell …)` and lines that begin with `+`.
 */
export const BUILD_PROGRAMS: readonly ProgramRow[] = [
  {
    // `rust-toolchain.toml` names the folder of the toolchain, which rustup executes even for the version.
    names: ['cargo'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes the toolchain that the project names',
    loadsProject: true,
    options: {
      plain: '-h --help -V --version --list -q --quiet -v --verbose --offline --locked --frozen',
      value: '--color --explain',
      executes: '--config -C -Z',
    },
    subcommands: {
      // `rustc` is asked about the target, which build.rustc of the project's configuration may replace.
      ...sameFor('metadata, tree, pkgid, verify-project', {
        class: 'BUILD_TEST',
        does: "reads the project's packages",
      }),
      ...sameFor('build, b, check, c, test, t, bench, doc, d, clippy, rustc, rustdoc, miri, nextest, nextest run', {
        ...BUILDS,
        options: CARGO_BUILD,
      }),
      fmt: { ...BUILDS, options: { plain: '--all --check' } },
      ...sameFor('run, r', { class: 'BUILD_TEST', does: 'builds and executes the project', options: CARGO_BUILD }),
      ...sameFor(
        'install, add, update, fetch, search, publish, login, owner, yank, generate-lockfile, audit',
        INSTALLS,
      ),
      ...sameFor('new, init, fix, vendor, package', { class: 'WRITE', does: 'writes files of the project' }),
      ...sameFor('clean, remove, rm, uninstall', { class: 'DESTRUCTIVE', does: 'removes what was built or installed' }),
    },
  },
  {
    // The line `toolchain` of go.mod names the program that `go` executes in its place, and that it fetches if it is absent.
    names: ['go'],
    style: 'single_dash',
    class: 'UNKNOWN',
    does: 'executes the toolchain that the project names',
    loadsProject: true,
    options: { plain: '-h -help' },
    subcommands: {
      env: {
        class: 'UNKNOWN',
        does: 'prints or changes its settings, by the toolchain that the project names',
        options: { plain: '-json -changed', writes: '-w -u' },
        operands: 'any',
      },
      // A package with cgo or a go.mod with `toolchain` makes these compile or fetch.
      ...sameFor('list, doc, mod graph, mod why, mod verify', {
        class: 'BUILD_TEST',
        does: 'reads packages, and may fetch them',
        options: { executes: '-toolexec -exec -overlay -modfile' },
      }),
      ...sameFor('build, test, vet, tool, fix', {
        ...BUILDS,
        options: {
          ...GO_BUILD,
          executes: '-toolexec -exec -vettool -overlay -modfile',
          writesTo: '-o -coverprofile -cpuprofile -memprofile -trace',
        },
      }),
      ...sameFor('run, generate', { class: 'UNKNOWN', does: 'executes a program or commands of the source' }),
      ...sameFor('get, install, mod download, mod tidy, work sync', INSTALLS),
      ...sameFor('mod init, mod edit, mod vendor, work init, work use, fmt', {
        class: 'WRITE',
        does: 'writes files of the project',
      }),
      clean: { class: 'DESTRUCTIVE', does: 'removes what was built or fetched' },
    },
  },
  {
    names: ['gofmt'],
    style: 'single_dash',
    class: 'READ_ONLY',
    does: 'formats source to the output',
    options: { plain: '-l -d -s -e', value: '-r', writes: '-w', writesTo: '-cpuprofile' },
    operands: 'reads',
  },
  {
    // `global.json` may name the folder of the SDK, which is executed even for the version.
    names: ['dotnet'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes a program',
    loadsProject: true,
    options: { plain: '--info --list-sdks --list-runtimes' },
    subcommands: {
      ...sameFor('build, test, publish, pack, msbuild, run, watch, format, list', BUILDS),
      ...sameFor('restore, add, tool, workload, nuget', INSTALLS),
      ...sameFor('clean, remove', { class: 'DESTRUCTIVE', does: 'removes what was built' }),
    },
  },
  {
    names: ['make', 'gmake', 'ninja', 'cmake', 'ctest', 'cpack', 'meson', 'scons', 'rake', 'just', 'task'],
    style: 'gnu',
    ...BUILDS,
    options: {
      informs: '-v -V',
      plain: '-n --dry-run --just-print -s --silent --quiet -k --keep-going -B --always-make -i -w -q --question',
      optional: '-j --jobs',
      value: '--target --config --parallel',
      reads: '-C --directory --build',
      executes: '--eval -E -P -f --file --makefile',
    },
  },
  {
    // A project's .mvn/extensions.xml, its wrapper and its tools/bazel are executed even for the version.
    names: ['mvn', 'mvnw', 'gradle', 'gradlew', 'sbt', 'lein', 'bazel', 'bazelisk', 'buck2'],
    style: 'gnu',
    ...PROJECT_BUILDS,
    loadsProject: true,
  },
  { names: ['ant', 'msbuild', 'xcodebuild', 'swift'], style: 'gnu', ...PROJECT_BUILDS },
  {
    names: [
      'gcc',
      'g++',
      'cc',
      'c++',
      'clang',
      'clang++',
      'javac',
      'kotlinc',
      'scalac',
      'ghc',
      'nasm',
      'as',
      'ld',
      'nvcc',
      'zig',
    ],
    style: 'gnu',
    class: 'BUILD_TEST',
    does: 'compiles, and writes what it built',
    options: {
      informs: '-v -V -vV -version -dumpversion -dumpmachine',
      writesTo: '-o --output',
      executes: '-wrapper -fplugin -B -specs --sysroot',
    },
  },
  {
    // Each starts programs of the toolchain that `rust-toolchain.toml` names, even for the version.
    names: ['rustc', 'rustdoc', 'rustfmt', 'rust-analyzer', 'rustup'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes the toolchain that the project names',
    loadsProject: true,
    options: { writesTo: '-o --out-dir' },
  },
  {
    names: ['strip', 'objcopy', 'ranlib', 'install_name_tool', 'patchelf'],
    class: 'WRITE',
    does: 'changes compiled files',
  },
  {
    names: ['tsc', 'eslint', 'prettier', 'stylelint', 'biome', 'vite', 'rollup', 'esbuild', 'babel', 'swc'],
    style: 'gnu',
    class: 'BUILD_TEST',
    does: 'checks or builds, by a configuration that is code',
    options: {
      plain: '--check --list-different -l --noEmit --strict --watch --quiet --cache --pretty --build -b',
      value: '--max-warnings --ext --format --mode',
      reads: '-p --project --ignore-path',
      writes: '--fix --write -w',
      executes: '--config -c --plugin --parser --resolve-plugins-relative-to',
    },
  },
  {
    // Each executes the copy of itself in node_modules, even for the version.
    names: ['webpack', 'turbo', 'nx', 'lerna', 'gulp', 'grunt', 'ng'],
    style: 'gnu',
    ...BUILDS,
    loadsProject: true,
  },
  {
    // jest and ava execute the copy of themselves in node_modules, even for the version.
    names: ['jest', 'vitest', 'mocha', 'ava', 'tap', 'cypress', 'playwright', 'karma', 'nyc', 'c8'],
    style: 'gnu',
    ...BUILDS,
    loadsProject: true,
    options: {
      plain:
        '--coverage --watch --watchAll --ci --silent --verbose --runInBand -i -b --bail --passWithNoTests --no-coverage --run',
      value: '-t --testNamePattern --testPathPattern --testPathPatterns --maxWorkers -w --reporter --project',
      writes: '-u --updateSnapshot --update',
      executes: '-c --config -r --require',
    },
  },
  {
    // pytest loads conftest.py and tox loads toxfile.py, even for the version.
    names: ['pytest', 'py.test', 'tox', 'nox', 'nose2', 'coverage', 'rspec', 'phpunit', 'prove', 'bats'],
    style: 'gnu',
    ...BUILDS,
    loadsProject: true,
    options: {
      plain: '-v -q -x -s -l --verbose --quiet --exitfirst --lf --last-failed --ff --sw --no-header --no-cov',
      value: '-k -m --maxfail -n --tb --durations --color --cov-report -r -e',
      optional: '--cov',
      executes: '-p -c --rootdir --confcutdir --import-mode',
    },
  },
  {
    names: ['ruff', 'black', 'isort', 'autopep8', 'yapf', 'clang-format', 'shfmt', 'goimports'],
    style: 'gnu',
    class: 'BUILD_TEST',
    does: 'checks or rewrites source',
    options: {
      informs: '-V',
      plain: '--check --diff -q --quiet -v --verbose -l --list-different',
      value: '--line-length --select --ignore --target-version --output-format',
      writes: '--fix --in-place -i -w --write',
      executes: '--config',
    },
    subcommands: sameFor('check, format', {
      class: 'BUILD_TEST',
      does: 'checks or rewrites source',
      options: {
        plain: '--check --diff --statistics --no-fix',
        value: '--select --ignore --output-format',
        writes: '--fix --unsafe-fixes',
      },
    }),
  },
  {
    names: [
      'mypy',
      'pyright',
      'pylint',
      'flake8',
      'bandit',
      'pre-commit',
      'rubocop',
      'golangci-lint',
      'staticcheck',
      'shellcheck',
      'hadolint',
    ],
    style: 'gnu',
    class: 'BUILD_TEST',
    does: 'checks source, with plug-ins of the project',
    options: {
      plain: '--strict -q --quiet -v --verbose --all-files --fix',
      value: '--select --ignore -s --severity -f --format',
      executes: '--config-file --init-hook --load-plugins --python-executable',
    },
  },
];
