import { PathList } from './path-list.js';

/** Both endings of YAML: most tools that read one also read the other. */
const yaml = (...stems: readonly string[]): string => stems.map((stem) => `${stem}.yml ${stem}.yaml`).join(' ');

const GIT =
  '.git .git/ HEAD .hg/ .hgrc .gitattributes .gitmodules .gitconfig .config/git/ .husky .husky/ .githooks/ ' +
  `lefthook.toml lefthook.json .lefthook.toml .lefthook.json ${yaml('.pre-commit-config', 'lefthook', '.lefthook')}`;

/** Agents and editors: their settings name servers and hooks, and their instructions are obeyed. */
const AGENTS =
  '.mcp.json mcp.json .claude/ CLAUDE.md CLAUDE.local.md AGENTS.md AGENT.md GEMINI.md .claude.json .codex/ .gemini/ .cursor/ ' +
  '.cursorrules .windsurf/ .windsurfrules .continue/ .roo/ .clinerules .clinerules/ .kiro/ .junie/ .zed/ opencode.json opencode.jsonc ' +
  `.opencode/ .config/countersign/ .local/state/countersign/ .vscode/ .idea/ .devcontainer/ .devcontainer.json .editorconfig ${yaml('.aider.conf')}`;

const PIPELINES =
  '.github/ .circleci/ Jenkinsfile .buildkite/ .ci/ .woodpecker/ .gitea/ .forgejo/ .gitlab/ .azure-pipelines/ ' +
  yaml('.gitlab-ci', '.travis', 'azure-pipelines', 'bitbucket-pipelines', '.drone', '.woodpecker', 'cloudbuild') +
  ` ${yaml('appveyor', '.appveyor', 'action')}`;

const NODE =
  'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnp.cjs ' +
  '.pnp.loader.mjs .yarn/ node_modules/ bunfig.toml .babelrc* .eslintrc* .mocharc* .prettierrc* .swcrc ' +
  ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((ending) => `*.config.${ending}`).join(' ');

const BUILDS =
  'Makefile GNUmakefile *.mk CMakeLists.txt justfile .justfile Rakefile Gemfile Procfile Vagrantfile Tiltfile Dockerfile Dockerfile.* ' +
  'Containerfile Containerfile.* docker-compose.* compose.*.yml compose.*.yaml ' +
  `${yaml('Taskfile', 'Taskfile.dist', 'compose')} setup.py setup.cfg pyproject.toml tox.ini toxfile.py noxfile.py pytest.ini ` +
  '.pytest.ini conftest.py sitecustomize.py usercustomize.py *.pth Pipfile .venv/ venv/bin/ venv/lib/ .poetry/ ' +
  'build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradlew gradle-wrapper.properties gradle-wrapper.jar ' +
  'mvnw pom.xml .mvn/ build.xml build.rs Cargo.toml .cargo/ go.mod go.work .bazelrc .bazeliskrc tools/bazel flake.nix default.nix shell.nix ' +
  '.terraform/ .terraform.lock.hcl global.json';

/** Files by which a program chooses the version, and so the program, that it executes. */
const VERSIONS =
  'rust-toolchain rust-toolchain.toml .tool-versions mise.toml mise.local.toml .mise.toml .mise.local.toml .mise/ .config/mise/ .python-version';

const SHELLS =
  '.envrc .env .env.* .direnv/ .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin ' +
  '.zlogout .inputrc .config/fish/ .cshrc .tcshrc .kshrc .xprofile .xinitrc .xsession .vimrc .exrc .gvimrc .vim/ .config/nvim/ .emacs ' +
  '.emacs.d/ .tmux.conf .screenrc .lesskey .curlrc .wgetrc .psqlrc .gdbinit .lldbinit .Rprofile .irbrc .pryrc .ssh/ .gnupg/ .aws/ .kube/ ' +
  '.docker/ .config/autostart/ .config/systemd/ .local/bin/ .local/lib/ .local/share/ Library/LaunchAgents/ Library/LaunchDaemons/ ' +
  'authorized_keys crontab';

const SYSTEM =
  '/etc/ /usr/ /bin/ /sbin/ /lib/ /lib64/ /boot/ /opt/ /root/ /var/spool/cron/ /var/spool/at/ /proc/ /sys/ /System/ /Library/ ' +
  '/Applications/';

/** Files that somebody's program executes: writing them is writing code (CVE-2025-59536), never an ordinary write. */
export const CODE_PATHS = new PathList([GIT, AGENTS, PIPELINES, NODE, BUILDS, VERSIONS, SHELLS, SYSTEM].join(' '));
