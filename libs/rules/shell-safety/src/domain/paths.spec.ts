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
  ])('none: %s', (path) => {
    expect(namesCode(word(path))).toBe(false);
  });
});
