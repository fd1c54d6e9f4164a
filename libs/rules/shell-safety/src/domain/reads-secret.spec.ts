import { classifyCommand } from './classify-command.js';

const codesOf = (line: string): string[] =>
  classifyCommand(line, 'bash').parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));

describe('a read of a secret that the line does not name in full', () => {
  it.each([
    ...[
      'cat *_rsa',
      'cat *tfvars',
      'cat */*nv',
      'cat ~/*',
      'cat "$HOME"/*',
      'cat config/*',
      'grep x ./secrets/*',
      'for f in conf/*; do cat "$f"; done',
    ],
    ...['cat ${x:-.env}', 'cat "${x-/etc/shadow}"', 'cat ${x:=.en}v', 'cat ${x:+.env}', 'cat ${x/a/.env}'],
    ...['cat ${x:-@(.env)}', 'cat ${x:-.e@(nv)}', "x='@(.env)'; cat $x", "x='.e+(nv)'; cat ./$x"],
    ...['GLOBIGNORE=x; cat *', 'git blame -S .env f', 'git config -f .git/config user.name'],
    ...[
      'git config -l',
      'git config --get-regexp .',
      'git config http.extraheader',
      'git config get credential.helper',
    ],
    ...[
      'git show stash^3',
      "git show 'stash@{0}^3'",
      'git log -p stash^03',
      'git diff HEAD refs/stash^3',
      'git show stash^@',
    ],
    ...[
      "git show 'stash^{/untracked}'",
      "git show ':/untracked files on'",
      "git show ':/files on'",
      "git log -p ':/WIP on'",
      "git log -p '^:/fix' HEAD",
      "git diff HEAD..':/files on'",
      "git grep KEY ':/files on'",
      "git blame ':/files on' f",
      'git log -p -S -- stash',
      'n=3; git show stash^$n',
      'git log -p stash',
    ],
    ...[
      'git grep KEY stash^3',
      'git grep -e KEY stash^3',
      'git grep -- KEY stash^3',
      'git grep -n -- KEY stash^3 -- src',
      "git cat-file -p -- 'stash^3:u.txt'",
      'git cat-file blob -- stash^3:u.txt',
      'git blame -s -- u.txt stash^3',
      'git annotate -- u.txt stash^3',
      'git blame stash^3 -- u.txt',
      "git grep KEY 'stash^{/untracked}'",
      'git diff-index -p stash^3',
      'git log -p HEAD..stash',
      'git log -p HEAD...stash',
      'git log -p stash...HEAD',
      'git log -p stash~0',
      'git log -p stash^{}',
      'git log -p stash^-',
      'git log -p --boundary refs/stash',
      'git whatchanged -p HEAD..stash',
      'git range-diff --creation-factor=999 HEAD..stash HEAD~2..HEAD',
    ],
    ...['-p', '-u', '--patch', '-U3', '--unified', '--patch-with-stat', '--binary', '--check', '-c', '--cc'].map(
      (option) => `git log --all ${option}`,
    ),
    ...[
      'git log -p --all',
      'git log --patch-with-raw --reflog',
      "git log --glob='*' --diff-merges=separate",
      'git whatchanged -p --all',
      'git show -m stash',
      'git show --diff-merges=separate stash',
      'git show --do-walk stash',
      'git show --boundary stash',
      'git show stash --not HEAD',
      'git show HEAD..stash',
      'git show ^HEAD stash',
      'git show stash^-',
      'git show --all --do-walk',
      'git show -m --reflog',
      'git diff-tree -m -p stash',
      'git diff-tree -pm stash~0',
      'git reflog -m -p --all',
      'git reflog show -m -p stash',
      'git stash list -p --boundary',
    ],
  ])('asks: %s', (line) => {
    expect(classifyCommand(line, 'bash')).toMatchObject({ tier: 2 });
    expect(codesOf(line)).toContain('shell.reads_secret');
  });

  it.each([
    ...[
      'git show stash',
      'git show stash^2',
      'git stash show -p',
      "git grep '^3' src",
      'git show HEAD^',
      'git log v1^..v2',
    ],
    ...[
      'git log -p',
      'git log -p -- src/stash.ts',
      'git log -p -- stash',
      'git diff :/',
      'git diff -- :/src',
      'git log -p feature/stash-button',
      'git log --all --oneline',
      'git log --all --stat',
      'git log --oneline --reflog -m',
      'git show HEAD',
      'git show -m HEAD',
      'git show --stat stash@{0}',
      'git show HEAD..v2',
      'git diff-tree -p stash',
      'git diff-index -p HEAD',
      "git grep '[^3]' HEAD^2",
      "git grep 'stash^3' src",
      "git grep -- 'stash^3' src",
      'git grep KEY -- stash^3',
      'git grep -e KEY -- stash^3',
      'git blame HEAD -- src/stash.ts',
      'git stash list',
      'git stash list -p',
      'git reflog show stash',
    ],
    'cat *',
    'cat docs/*',
    'ls config/*',
    'ls ~/*',
    'cat ${x:-README.md}',
    "x='a(b)'; cat $x",
    'echo ${x:-.env}',
    'cat ${x:?.env}',
  ])('is no such: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(1);
  });

  it.each(['log -p', 'log', 'whatchanged -p', 'show', 'diff-tree -p'])(
    'asks for commits that the input names: git %s --stdin',
    (reader) => {
      const line = `echo stash^3 | git ${reader} --stdin`;
      expect(classifyCommand(line, 'bash')).toMatchObject({ tier: 2 });
      expect(codesOf(line)).toContain('shell.unknown_input');
    },
  );

  it('writes the file that a default names', () => {
    expect(codesOf('ls > ${x:-Makefile}')).toContain('shell.writes_code');
  });
});

describe('a variable whose name says that it holds a secret', () => {
  it.each([
    ...['GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'DB_PASSWORD', 'PGPASSWORD', 'MYSQL_PWD', 'API_KEY', 'SIGNING_KEYS'],
    ...[
      'DATABASE_URL',
      'SENTRY_DSN',
      'REDIS_URI',
      'CI_JWT',
      'npm_config__authToken',
      'DB_PASS',
      'AZURE_CONNECTION_STRING',
    ],
  ])('is not printed at Tier 1: %s', (name) => {
    for (const line of [`echo $${name}`, `cat <<<"\${${name}:0:4}"`, `printf %s $((${name}))`, `declare -p ${name}`]) {
      expect([line, classifyCommand(line, 'bash').tier]).toEqual([line, 2]);
    }
    for (const line of [`echo \${${name}:+set}`, `echo \${#${name}}`, `[[ -v ${name} ]]`, `echo '$${name}'`]) {
      expect([line, classifyCommand(line, 'bash').tier]).toEqual([line, 1]);
    }
  });

  it.each([
    'HOME',
    'PATH',
    'USER',
    'PWD',
    'OLDPWD',
    'SHELL',
    'LANG',
    'KEYBOARD',
    'PATTERN',
    'AUTHOR',
    'i',
    'token',
    '?',
  ])('is another one: %s', (name) => {
    expect(classifyCommand(`echo "$${name}"`, 'bash').tier).toBe(1);
  });
});

describe('a name that the line puts together from values that it shows', () => {
  it.each(['f=src/x; g=$f.ts; cat "$g"', 'f=src; g=${f}/a; h="$g.ts"; head $h', 'f=src/x; f=src/y; g=$f.ts; cat $g'])(
    'passes if no secret comes out: %s',
    (line) => {
      expect(classifyCommand(line, 'bash').tier).toBe(1);
    },
  );

  it.each([
    ...[
      'x=.en; y=${x}v; cat "$y"',
      'x=.en; y=${x}v; z=$y; cat $z',
      'f=a; g=$f; f=.env; cat $g',
      'x=.en; x=${x}v; cat $x',
    ],
    ...[
      'read f < list; g=$f.ts; cat $g',
      'f=src/x; read f; g=$f; cat $g',
      'f=a; f+=b; g=$f; cat $g',
      'f=(a .env); g=$f; cat $g',
    ],
    ...[
      'f=a; declare -n f=x; x=.env; g=$f; cat $g',
      'declare -n f=x; x=.env; g=$f; cat $g',
      'f=${PWD%/*}; g=$f/n; cat $g',
    ],
    ...[
      "f='a .en'; g=${f}v; cat $g",
      'for f in src/*; do g=$f; cat $g; done',
      "f='@('; g=$f; cat $g'.env)'",
      'f=/etc; g=$f/shadow; cat $g',
    ],
    ...['f=..; g=$f/notes; cat $g', 'set -- .env; f=$1; g=$f; cat $g', 'x=a; for x in .env; do g=$x; cat $g; done'],
    ...[
      'x=a; g=$x; eval x=.env; cat $g',
      'x=a; f() { x=.env; }; f; g=$x; cat $g',
      'x=a; printf -v x .env; g=$x; cat $g',
    ],
    ...['x=a; mapfile x < l; g=$x; cat $g', 'x=a; getopts a x; g=$x; cat $g', ': ${x:=.env}; x=a; g=$x; cat $g'],
  ])('asks otherwise: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBeGreaterThanOrEqual(2);
  });
});

describe('many values that the line puts together', () => {
  const each = (count: number, value: string): string =>
    Array.from({ length: count }, (_, at) => `b${String(at)}=${value}`).join(' ');

  it.each([
    [256, 'x=a'],
    [4, 'x=a '.repeat(64)],
  ])('are shown up to number %i', (most, given) => {
    const line = `${given}; ${each(most + 1, '$x')}; cat`;
    expect(classifyCommand(`${line} "$b${String(most - 1)}"`, 'bash').tier).toBe(1);
    expect(codesOf(`${line} "$b${String(most)}"`)).toContain('shell.unknown_input');
  });

  it.each([
    ['of one name', 'b=$x '.repeat(990)],
    ['of a name each', each(990, '$x')],
  ])('cost little: %s', (_what, values) => {
    // Of the processor: on a busy machine a test waits as long for its turn.
    const before = process.cpuUsage();
    expect(classifyCommand(`${'x=a '.repeat(64)}; ${values}; cat "$c"`, 'bash').tier).toBe(1);
    expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
  });
});

describe('names of files out of data', () => {
  it.each(['xargs -a y cat', 'ls | xargs -a y cat', 'sort --files0-from=x', 'find -files0-from x', 'cat $(cat y)'])(
    'asks: %s',
    (line) => {
      expect(classifyCommand(line, 'bash').tier).toBe(2);
    },
  );

  it.each(['find src -print0 | xargs -0 cat', 'wc --files0-from=x'])('passes: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(1);
  });
});
