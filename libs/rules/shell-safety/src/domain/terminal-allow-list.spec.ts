import { classifyCommand } from './classify-command.js';

describe('the allow-list of a terminal, row by row', () => {
  it.each(
    (
      'ls, dir, cat, head, tail, wc, find, grep, which, where, whoami, echo, pwd, env, printenv, date, hostname, uname, file, ' +
      'stat, du, df, tree'
    ).split(', '),
  )('Always allowed (read-only): %s', (program) => {
    expect(classifyCommand(program).allowListed).toBe('allowed');
  });

  it.each(
    'npm, npx, yarn, pnpm, pip, pip3, python, python3, node, cargo, go, dotnet, make, cmake, mvn, gradle'.split(', '),
  )('Allowed after approval (write-capable): %s', (program) => {
    expect(classifyCommand(`${program} x`).allowListed).toBe('after_approval');
    expect(classifyCommand(program).allowListed).toBe('after_approval');
  });

  it.each(['rm -rf x', 'sudo ls', 'chmod 644 x', 'chown a x', 'mkfs x', 'dd if=x', 'kill 1', 'shutdown', 'reboot'])(
    'Always blocked: %s',
    (line) => {
      expect(classifyCommand(line).allowListed).toBe('blocked');
    },
  );

  it.each([
    'ls | cat',
    'ls && ls',
    'ls || ls',
    'ls; ls',
    'ls;',
    'ls &',
    'ls\nls',
    'echo `ls`',
    'echo $(ls)',
    'echo "$(ls)"',
    'echo $x',
    'echo ${x}',
    'echo $((1))',
    'ls > x',
    'ls 2>&1',
    'cat < x',
    'cat <<< x',
    'cat <<E\nE',
    'cat <(ls)',
    'x=1 ls',
    'x=1',
    '(ls)',
    '{ ls; }',
    '! ls',
    'time ls',
    'if ls; then ls; fi',
    'ls # x',
  ])('Shell operators are always blocked: %j', (line) => {
    expect(classifyCommand(line).allowListed).toBe('blocked');
  });

  it.each(['git status', 'kubectl get pods', './ls', '/tmp/ls', 'LS', 'xargs ls', 'bash -c ls'])(
    'Any command not on the allow-list is blocked: %s',
    (line) => {
      expect(classifyCommand(line).allowListed).toBe('blocked');
    },
  );

  it.each([
    ['"ls" \'-la\' "a b"', 'allowed'],
    ['grep "a|b; c" file', 'allowed'],
    ['ls *.ts', 'allowed'],
    ['env ls', 'allowed'],
    ['env npm test', 'after_approval'],
    ['env rm x', 'blocked'],
    ['find . -name x', 'allowed'],
    ['find . -delete', 'blocked'],
    ['find . -exec rm {} +', 'blocked'],
    ['find . -fprint x', 'after_approval'],
    ['cat /etc/shadow', 'after_approval'],
  ] as const)('holds for the effect of a program: %s is %s', (line, listing) => {
    expect(classifyCommand(line).allowListed).toBe(listing);
  });
});
