import { shapeOf } from './shape-of.js';

describe('the shape of a command, for a session', () => {
  it.each([
    ['kubectl delete pod a', { program: 'kubectl', subcommand: 'delete', flags: [] }],
    ['kubectl -n x delete pod b', { program: 'kubectl', subcommand: 'delete', flags: ['-n'] }],
    ['git push --force origin main', { program: 'git', subcommand: 'push', flags: ['--force'] }],
    ['systemctl restart nginx', { program: 'systemctl', subcommand: 'restart', flags: [] }],
    ['chmod -R 755 x', { program: 'chmod', subcommand: '', flags: ['-R'] }],
    ['make test', { program: 'make', subcommand: 'test', flags: [] }],
    ['npm run build', { program: 'npm', subcommand: 'run build', flags: [] }],
    ['sort -o x y', { program: 'sort', subcommand: '', flags: ['-o=x'] }],
    ['sort -rn --output=x y', { program: 'sort', subcommand: '', flags: ['--output=x', '-n', '-r'] }],
  ])('%s', (line, shape) => {
    expect(shapeOf(line)).toEqual(shape);
  });

  it('is the same for other operands, and another for other flags, targets and files', () => {
    expect(shapeOf('kubectl delete pod a')).toEqual(shapeOf('kubectl delete pod b c'));
    expect(shapeOf('git push origin a')).not.toEqual(shapeOf('git push --force origin a'));
    expect(shapeOf('make test')).not.toEqual(shapeOf('make deploy'));
    expect(shapeOf('sort -o x y')).not.toEqual(shapeOf('sort -o z y'));
  });

  it.each([
    ['two commands', 'rm a; rm b'],
    ['a pipe', 'cat a | tee b'],
    ['a redirection', 'ls > a'],
    ['an expansion', 'rm $x'],
    ['a substitution', 'rm $(ls)'],
    ['a variable', 'LANG=C rm a'],
    ['a program that executes others', 'env rm a'],
    ['a shell', "bash -c 'rm a'"],
    ['an interpreter', 'python3 a.py'],
    ['a program of an unknown path', './rm a'],
    ['an unknown program', 'frobnicate'],
    ['an unknown option', 'rm --frobnicate a'],
    ['something denied', 'rm -rf a'],
    ['nothing', ''],
  ])('is none for %s', (_what, line) => {
    expect(shapeOf(line)).toBeNull();
  });
});
