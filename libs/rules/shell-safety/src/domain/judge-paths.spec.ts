import fc from 'fast-check';
import { judgePaths } from './judge-paths.js';

const read = (...reads: string[]) => judgePaths({ reads, writes: [] });
const write = (...writes: string[]) => judgePaths({ reads: [], writes });
const codes = ({ reasons }: ReturnType<typeof judgePaths>) => reasons.map(({ code }) => code);

/** Names that some file system, or some tool in front of it, takes for `.git`. */
const LIKE_GIT = [
  '.GIT',
  '.Git',
  '.git.',
  '.git ',
  ' .git',
  '.git..',
  '.g\u200cit',
  '.git\ufeff',
  '．git',
  '.git::$INDEX_ALLOCATION',
];

describe('paths of a call', () => {
  it.each([
    'a.txt',
    'src/app.ts',
    './a//b',
    '.',
    './',
    'src/',
    'git/hooks/x',
    'déjà/vu.md',
    '.env.example',
    '.ssh/id_rsa.pub',
    'shadow.css',
  ])('an ordinary read is Tier 1: %j', (path) => {
    expect(read(path)).toEqual({ tier: 1, class: 'READ_ONLY', reasons: [] });
  });

  it.each(['a.txt', './src//a.ts', 'docs/.gitkeep', 'env/notes.md', 'package.json.md', 'トップ/a.txt'])(
    'an ordinary write stays one: %j',
    (path) => {
      expect(write(path)).toEqual({ tier: 2, class: 'WRITE', reasons: [] });
    },
  );

  it.each([
    ...[
      '.env',
      'app/.env.production',
      '.ssh/id_rsa',
      './/.ssh/./id_rsa',
      '.ssh',
      '.docker',
      '.aws/credentials',
      'ID_RSA',
      'tls/server.PEM',
    ],
    ...['.env.', '.env ', '.ENV', '.e\u200dnv', '.env::$DATA', 'ｉd_rsa', '.config/gh', '.config', '.m2', '.cargo'],
  ])('a read of a secret is Tier 2: %j', (path) => {
    expect(read(path)).toMatchObject({ tier: 2, class: 'READ_ONLY' });
    expect(codes(read('a.txt', path))).toEqual(['paths.reads_secret']);
  });

  it.each([
    ...LIKE_GIT.flatMap((git) => [`${git}/hooks/pre-commit`, `x/${git}`]),
    ...[
      '.mcp.json',
      'package.json',
      'PACKAGE.JSON',
      'app/package.json',
      'Makefile',
      '.github',
      '.github/workflows/a.yml',
      '.env',
      'id_rsa',
    ],
    ...[
      '.',
      './/',
      '.claude',
      'CLAUDE.md',
      '.vscode',
      '.config',
      '.CONFIG.',
      '.local',
      'a/.cargo',
      '.git',
      'node_modules',
      'jest.config.ts',
    ],
  ])('a write of code is UNKNOWN: %j (T52)', (path) => {
    expect(write('a.txt', path)).toMatchObject({ tier: 2, class: 'UNKNOWN' });
    expect(codes(write(path))).toEqual(['paths.writes_code']);
  });

  it.each([
    ...[
      '',
      '/',
      '/etc/passwd',
      '/tmp/x',
      '..',
      '../a',
      'a/../../b',
      'a/../b',
      'a/.. /b',
      '...',
      'a/. ./b',
      '~/a',
      '~root',
    ],
    ...[
      'a\\b',
      '..\\a',
      'a\0b',
      'a\nb',
      'GIT~1/hooks/x',
      'PACKAG~1.JSO',
      '\ud800',
      '．．/a',
      '\u200b',
      'x'.repeat(4_097),
    ],
  ])('a path that may leave the workspace is UNKNOWN: %j', (path) => {
    expect(read(path)).toMatchObject({ tier: 2, class: 'UNKNOWN' });
    expect(write(path)).toMatchObject({ tier: 2, class: 'UNKNOWN' });
    expect(codes(read(path))).toEqual(['paths.unclear']);
  });

  it('counts the worst of all paths', () => {
    const ordinary = Array.from({ length: 300 }, (_, index) => `src/${String(index)}.ts`);
    expect(read(...ordinary, '.env')).toMatchObject({ tier: 2, class: 'READ_ONLY' });
    expect(write(...ordinary, '.mcp.json')).toMatchObject({ class: 'UNKNOWN' });
    expect(judgePaths({ reads: ordinary, writes: ordinary })).toEqual({ tier: 2, class: 'WRITE', reasons: [] });
  });

  it('takes a copy of a secret for no ordinary write', () => {
    expect(judgePaths({ reads: ['.env'], writes: ['notes.txt'] })).toMatchObject({ tier: 2, class: 'UNKNOWN' });
  });

  it('is Tier 1 without a path', () => {
    expect(judgePaths({ reads: [], writes: [] })).toEqual({ tier: 1, class: 'READ_ONLY', reasons: [] });
  });

  it('has few and short reasons', () => {
    const { reasons } = write(
      ...Array.from({ length: 100 }, (_, index) => `${'x'.repeat(4_000)}/${String(index)}/.git/a`),
    );
    expect(reasons).toHaveLength(20);
    for (const { message } of reasons) expect(message.length).toBeLessThan(300);
  });

  it('is never milder for another spelling of the same names', () => {
    const noise = fc.constantFrom('/', '//', '/./', '/././');
    const name = fc.constantFrom('.git', 'hooks', '.env', 'src', 'a.txt', '.ssh', 'package.json');
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), noise, fc.boolean(), (names, between, upper) => {
        const plain = names.join('/');
        const spelled = `./${names.join(between)}`;
        const other = upper ? spelled.toUpperCase() : spelled;
        expect(read(other)).toMatchObject({ tier: read(plain).tier, class: read(plain).class });
        expect(write(other)).toMatchObject({ tier: write(plain).tier, class: write(plain).class });
      }),
    );
  });
});
