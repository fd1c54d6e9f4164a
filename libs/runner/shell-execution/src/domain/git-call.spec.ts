import { gitCallOf, isGit } from './git-call.js';

test.each<[string, readonly string[], ReturnType<typeof gitCallOf>]>([
  ['cat', ['a'], null],
  ['git', ['status'], []],
  ['/usr/bin/git', ['-P', '-C', 'a', '--no-pager', '-C', 'b', 'log', '-C', 'c'], ['a', 'b']],
  ['git', ['-C'], ['']],
  ['timeout', ['5', 'git', 'log'], []],
  ['sh', ['-c', 'git log'], []],
  ['xargs', ['/usr/bin/git', 'log', '--'], []],
  ['xargs', ['-I{}', 'git', '-C', '{}', 'log'], 'unclear'],
  ['sh', ['-c', 'cd a && git log'], 'unclear'],
  ['sh', ['-c', 'git -Ca log'], 'unclear'],
  ['env', ['--chdir=a', 'git', 'log'], 'unclear'],
  ['find', ['.', '-execdir', 'git', 'log', ';'], 'unclear'],
  ['grep', ['-C', '3', 'digit', 'a'], null],
])('%s %j calls git: %j', (program, words, call) => {
  expect(gitCallOf(program, words)).toEqual(call);
});

test.each<[string, readonly string[], boolean]>([
  ['git', ['status'], true],
  ['/usr/bin/git', [], true],
  ['timeout', ['-k', '1', '5', 'git', 'log'], true],
  ['env', ['A=b', '/usr/bin/git', 'log'], true],
  ['timeout', ['5', 'grep', '-r', 'url', 'git'], false],
  ['grep', ['-r', 'url', 'git'], false],
  ['xargs', ['git', 'log'], false],
  ['sh', ['-c', 'git log'], false],
])('%s %j is git: %j', (program, words, is) => {
  expect(isGit(program, words)).toBe(is);
});
