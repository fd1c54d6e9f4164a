import { shapeOf } from './shape-of.js';

describe('the shape of a command, for a session', () => {
  it.each([
    ['kubectl delete pod a', { program: 'kubectl', subcommand: 'delete pod', flags: [] }],
    ['kubectl -n x delete pod/b', { program: 'kubectl', subcommand: 'delete pod', flags: ['-n=x'] }],
    ['git push --force origin main', { program: 'git', subcommand: 'push origin main', flags: ['--force'] }],
    ['systemctl restart nginx', { program: 'systemctl', subcommand: 'restart', flags: [] }],
    ['chmod -R 755 x', { program: 'chmod', subcommand: '755', flags: ['-R'] }],
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
    ['git push origin main', 'git push origin +main'],
    ['git push origin main', 'git push origin :main'],
    ['git push origin main', 'git push https://elsewhere.example/x main'],
    ['make test', 'make test deploy'],
    ['make test', 'make test SHELL=/tmp/x'],
    ['npm install', 'npm install leftpad'],
    ['pip install a', 'pip install b'],
    ['scp a host:b', 'scp a other:b'],
    ['curl https://a.example', 'curl https://b.example'],
    ['kubectl --context dev delete pod a', 'kubectl --context prod delete pod a'],
    ['kubectl -n dev delete pod a', 'kubectl -n prod delete pod a'],
    ['kubectl delete pod a', 'kubectl delete namespace a'],
    ['kubectl delete pod/a', 'kubectl delete namespace/a'],
    ['kubectl apply -f a.yaml', 'kubectl apply -f b.yaml'],
    ['chmod 644 a', 'chmod 4777 a'],
    ['helm upgrade x ./a', 'helm upgrade x ./b'],
    ['terraform apply', 'terraform apply other.plan'],
    ['rm a', 'rm -r a'],
  ])('of "%s" does not cover "%s"', (approved, next) => {
    expect(shapeOf(approved, 'bash')).not.toBeNull();
    expect(shapeOf(next, 'bash')).not.toEqual(shapeOf(approved, 'bash'));
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
