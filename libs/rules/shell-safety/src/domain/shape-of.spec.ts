import { shapeOf } from './shape-of.js';

describe('the shape of a command, for a session', () => {
  it.each([
    ['kubectl delete pod a', { program: 'kubectl', class: 'DESTRUCTIVE', subcommand: 'delete pod', flags: [] }],
    [
      'kubectl -n x delete pod/b',
      { program: 'kubectl', class: 'DESTRUCTIVE', subcommand: 'delete pod', flags: ['-n=x'] },
    ],
    [
      'git push --force origin main',
      { program: 'git', class: 'DESTRUCTIVE', subcommand: 'push origin main', flags: ['--force'] },
    ],
    ['systemctl restart nginx', { program: 'systemctl', class: 'WRITE', subcommand: 'restart nginx', flags: [] }],
    ['chmod -R 755 x', { program: 'chmod', class: 'WRITE', subcommand: '755', flags: ['-R'] }],
    ['make test', { program: 'make', class: 'BUILD_TEST', subcommand: 'test', flags: [] }],
    ['npm run build', { program: 'npm', class: 'BUILD_TEST', subcommand: 'run build', flags: [] }],
    ['sort -o x y', { program: 'sort', class: 'WRITE', subcommand: '', flags: ['-o=x'] }],
    ['sort -rn --output=x y', { program: 'sort', class: 'WRITE', subcommand: '', flags: ['--output=x', '-n', '-r'] }],
    ['cp a b/c', { program: 'cp', class: 'WRITE', subcommand: 'b/c', flags: [] }],
    ['mv a b c', { program: 'mv', class: 'WRITE', subcommand: 'c', flags: [] }],
  ])('%s', (line, shape) => {
    expect(shapeOf(line)).toEqual(shape);
  });

  it('is the same for other operands, and another for other flags, targets and files', () => {
    expect(shapeOf('kubectl delete pod a')).toEqual(shapeOf('kubectl delete pod b c'));
    expect(shapeOf('cp a x')).toEqual(shapeOf('cp b x'));
    expect(shapeOf('git add a')).toEqual(shapeOf('git add b'));
    expect(shapeOf('touch /srv/app/a')).toEqual(shapeOf('touch /srv/app/b'));
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
    ['cp a.txt b.txt', 'cp config .git'],
    ['cp a.txt b.txt', 'cp tasks.json .vscode'],
    ['cp a.txt b.txt', 'cp settings.json .cursor'],
    ['cp a docs', 'cp git/package.json docs'],
    ['cp -r a b', 'cp -r hooks .git'],
    ['cp -r a b', 'cp -r workflows .github'],
    ['cp a .', 'cp -r a .'],
    ['mv a b', 'mv hooks .git'],
    ['mv a b', 'mv a c'],
    ['mv -t a b', 'mv -t c b'],
    ['ln -s a b', 'ln -s evil .git'],
    ['ln -s a b', 'ln -s c b'],
    ['install a b', 'install a c'],
    ['rsync a b', 'rsync a .git'],
    ['rsync -a src host:a', 'rsync -a notes host:a'],
    ['rsync -a src host:a', 'rsync -a src other:a'],
    ['git pull', 'git pull https://elsewhere.example/x'],
    ['git clone https://a.example/x', 'git clone https://b.example/x'],
    ['git mv a b', 'git mv evil.json package.json'],
    ['git mv a b', 'git mv a c'],
    ['systemctl start web', 'systemctl start poweroff.target'],
    ['systemctl stop web', 'systemctl stop sshd'],
    ['loginctl kill-session 1', 'loginctl kill-session 2'],
    ['npm token list', 'npm token revoke x'],
    ['dpkg -i a.deb', 'dpkg -i b.deb'],
    ['find build -delete', 'find . -delete'],
    ['setcap cap_chown=ep a', 'setcap cap_sys_admin=ep a'],
    ['chattr +i a', 'chattr -i a'],
    ['gchmod 644 a', 'gchmod 4777 a'],
    ['rm a', 'rm ~/a'],
    ['rm a', 'rm src/../../a'],
    ['rm a', 'rm ..'],
    ['touch /srv/app/a', 'touch /srv/a'],
    ['chmod 644 a', 'chmod 644 /srv/a'],
    ['mkdir a', 'mkdir b/../../c'],
    ['cp a x', 'cp /srv/a x'],
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
    ['a patch', 'git apply a.patch'],
    ['patches of mails', 'git am a.mbox'],
    ['another state of the tree', 'git checkout main'],
    ['files of another state', 'git restore a'],
    ['a reset', 'git reset --hard'],
    ['a merge', 'git merge topic'],
    ['a stash', 'git stash pop'],
    ['a commit that is copied', 'git cherry-pick abc'],
    ['a rebase', 'git rebase main'],
    ['a remote repository', 'git remote add a https://a.example'],
    ['another address of it', 'git remote set-url origin https://a.example'],
    ["git's configuration", 'git config user.name x'],
    ['package.json', 'npm pkg set description=x'],
    ["npm's configuration", 'npm config set color false'],
    ["go's settings", 'go env -w GOFLAGS=-v'],
    ["pip's configuration", 'pip config set global.timeout 5'],
    ["yarn's configuration", 'yarn config set a b'],
    ['a service', 'service web start'],
    ['an archive', 'tar xf a.tar'],
    ['a copy of a whole folder onto the root', 'cp -r a/. .'],
  ])('is none for %s', (_what, line) => {
    expect(shapeOf(line)).toBeNull();
  });
});
