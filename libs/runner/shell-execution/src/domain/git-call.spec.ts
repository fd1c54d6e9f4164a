import { gitCallOf } from './git-call.js';

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
