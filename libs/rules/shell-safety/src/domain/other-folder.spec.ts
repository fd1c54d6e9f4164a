import { classifyCommand } from './classify-command.js';

const codesOf = (line: string): string[] =>
  classifyCommand(line, 'bash').parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));

/** `git -C vendor/e status` executes core.fsmonitor of vendor/e/config, if vendor/e also has HEAD, objects and refs (git 2.39). */
describe('git in another folder than the one where the line starts', () => {
  it.each([
    'git -C vendor/e status',
    'git -P -C "$x" log',
    'git -C . -C vendor/e log',
    'cd vendor/e; git diff',
    'cd; git log',
    'cd - && git log',
    'pushd vendor/e && git log',
    '(cd vendor/e && git log)',
    'for x in 1 2; do git log; cd vendor/e; done',
    'f() { cd vendor/e; }; f; git log',
    "bash -c 'cd vendor/e; git log'",
    'builtin cd vendor/e; command git log',
    'env -C vendor/e git log',
    'env --chdir=vendor/e timeout 5 git log',
    'find vendor -name x -execdir git status \\;',
  ])('asks: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(2);
    expect(codesOf(line)).toContain('shell.trusts_other_folder');
  });

  it.each([
    'git -C . status',
    'git -C ./ log',
    'cd . && git status',
    'cd src && ls',
    'git diff -C HEAD~1',
    'git status',
  ])('is no other: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(1);
  });
});
