import { literal, unknown } from './read-word.js';
import { holdsSecrets, namesCode, namesSecret } from './paths.js';

const word = (pattern: string): ReturnType<typeof literal> => ({
  ...unknown(pattern, 'one', '', 0, 0),
  patterns: [pattern],
});

describe('a path that holds secrets', () => {
  it.each([
    '/etc/shadow',
    '/etc//shadow',
    '/etc/./shadow',
    '/etc/x/../shadow',
    '../../etc/shadow',
    '/ETC/Shadow',
    'shadow',
    '~/.ssh',
    '~/.ssh/id_rsa',
    '/home/a/.ssh/config',
    '$HOME/.aws/credentials'.replace('$HOME', '**'),
    '.env',
    'app/.env.production',
    '.config/gcloud/application_default_credentials.json',
    '~/.config/gcloud/x',
    '~/.docker/config.json',
    '~/.kube/config',
    '/proc/1/environ',
    '/proc/self/environ',
    'server.pem',
    'tls/private.key',
    '/home/a/.countersign-runner/key.json',
    '.countersign/runner/snapshots',
    '../data/next-key.json',
    '.git-credentials',
    ...[
      '../ada.token',
      '../other-project/secrets.txt',
      'token',
      'a/runner-token',
      'api_token',
      'id_work',
      'id_ed25519_sk',
      'id_rsa.bak',
    ],
    '--file=/etc/shadow',
    'HEAD:.env',
    '@.env',
    '/etc/sh*',
    '/etc/*',
    '/etc/?hadow',
    '/e*/sh*',
    '~/.s*/id_*',
    '.e*',
    '**/shadow',
    '/etc/**',
    '*.pem',
  ])('%s', (path) => {
    expect(namesSecret(word(path))).toBe(true);
  });

  it.each([
    'monkey.json',
    '.countersignature',
    '/etc/passwd',
    'src/env.ts',
    '.env.example',
    'env',
    'id_rsa.pub',
    ...['id_work.pub', 'src/id_map.ts', 'token/x.ts', 'tokens', 'src/token.ts'],
    '~/.ssh/known_hosts',
    'shadow.css',
    'src/shadow/x',
    'x.keys',
    '*',
    '**',
    '*.ts',
    '*.json',
    'src/*.ts',
    'src/**/*.ts',
    '**/**',
    '**.ts',
    's*c/index.ts',
    '.',
    '..',
    '/',
    '',
    'credentials/x.ts',
  ])('none: %s', (path) => {
    expect(namesSecret(word(path))).toBe(false);
  });

  it.each(['/', '/etc', '/etc/', '~', '/home', '/home/a', '/root', '~/.ssh', '/proc'])('is below %s', (path) => {
    expect(holdsSecrets(word(path))).toBe(true);
  });

  it.each(['.', 'src', '/usr/include', '/tmp/x', '/home/a/src'])('is not below %s', (path) => {
    expect(holdsSecrets(word(path))).toBe(false);
  });
});

describe('a file that is code for somebody', () => {
  it.each([
    '.git/hooks/pre-commit',
    'x/.git/config',
    '.mcp.json',
    '.claude/settings.json',
    'package.json',
    'app/package.json',
    'Makefile',
    'makefile',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '~/.bashrc',
    '~/.zshenv',
    '/etc/cron.d/x',
    '/usr/bin/x',
    '../../usr/bin/x',
    '.vscode/tasks.json',
    'Dockerfile.prod',
    '.envrc',
    'pack*.json',
    '**/package.json',
    ...[
      '.git',
      'x/.GIT',
      '.vscode/',
      './.github',
      '.cursor',
      '.husky',
      '.cargo',
      '.config',
      'a/.local',
      '/etc',
      '/var',
      '../../usr',
      '/',
    ],
    ...[
      '.terraform',
      '.terraform/providers/x/p',
      '.terraform.lock.hcl',
      'rust-toolchain',
      'rust-toolchain.toml',
      '.tool-versions',
    ],
    ...[
      'mise.toml',
      '.python-version',
      'go.mod',
      'go.work',
      'Cargo.toml',
      'global.json',
      '.mvn/extensions.xml',
      'gradle-wrapper.properties',
    ],
    ...[
      'Taskfile.yaml',
      'compose.override.yaml',
      'docker-compose.override.yml',
      '.gitlab-ci.yaml',
      'azure-pipelines.yaml',
      'action.yml',
    ],
    ...[
      'cloudbuild.yml',
      'appveyor.yaml',
      'lefthook.yaml',
      '.pre-commit-config.yml',
      'Containerfile',
      'opencode.json',
      '.opencode/plugin/a.ts',
    ],
    ...[
      'CLAUDE.local.md',
      '.kiro',
      '.junie/guidelines.md',
      '.zed/tasks.json',
      '.yarn/releases/y.cjs',
      '.yarn/plugins/p.cjs',
      '.pnp.cjs',
    ],
    ...[
      'node_modules',
      'node_modules/.bin/jest',
      'a/node_modules/b/index.js',
      '.venv/bin/python',
      'venv/bin/pip',
      'pytest.ini',
      'flake.nix',
    ],
    ...[
      'jest.config.mjs',
      'a/eslint.config.JS',
      'vite.config.mts',
      '.babelrc.json',
      '.eslintrc',
      '.mocharc.cjs',
      '.bazelrc',
      'shell.nix',
    ],
    ...['.psqlrc', '.gdbinit', '.lldbinit', '.Rprofile', '.irbrc', '.pryrc', 'toxfile.py', 'build.rs'],
  ])('%s', (path) => {
    expect(namesCode(word(path))).toBe(true);
  });

  it.each([
    'src/a.ts',
    'README.md',
    'package.json.md',
    'git/hooks/x',
    '/tmp/x',
    'docs/Makefile.txt',
    'usr/bin/x',
    '*.ts',
    ...[
      'library',
      'usr',
      'var',
      'etc',
      'tools',
      'venv.md',
      'src/config.ts',
      'compose.ts',
      'action.ts',
      'git',
      '.',
      'a/.gitkeep',
      'terraform/x.tf',
    ],
  ])('none: %s', (path) => {
    expect(namesCode(word(path))).toBe(false);
  });
});
