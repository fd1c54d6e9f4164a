import { classifyCommand } from './classify-command.js';

describe('a read of everything below a folder', () => {
  it.each([
    ...[
      'grep -r KEY .',
      'grep -R KEY',
      'grep -r KEY ./',
      'grep -r KEY ..',
      'grep -r KEY /srv/app',
      'grep -r KEY ~/a',
      'grep -r KEY src/../..',
    ],
    ...[
      "grep -rh KEY --include='.e*' .",
      "grep -rh KEY --include='.e*' src",
      "grep -r KEY --include='*' .",
      "grep -r KEY --include='?env' .",
    ],
    ...[
      'rg --hidden KEY',
      'rg --hidden KEY .',
      'rg -. KEY',
      'ag -u KEY',
      'ack KEY',
      'diff -r . /tmp/x',
      'rg -uu KEY',
      'rg -u -u KEY .',
      "rg -g '.e*' KEY",
      "rg -g '*' KEY",
      "rg --iglob '[.]env' KEY",
    ],
    ...[
      "find . -name '?env' -exec cat {} +",
      'find . -type f -exec cat {} +',
      "find . -name '*env' -exec grep x {} +",
      "find src -name '.e*' -exec cat {} +",
    ],
    ...[
      "find . -name '*.ts' -o -type f -exec cat {} +",
      "find . -not -name '*.ts' -exec cat {} +",
      'find -exec head {} +',
    ],
    ...["find . ! '(' -name '*.ts' ')' -exec cat {} +", "find . -name '[.]env' -exec cat {} +"],
    ...[
      'ls -a | xargs cat',
      'ls -A | xargs grep x',
      'find . -type f -print0 | xargs -0 cat',
      "find . -name '?env' -print0 | xargs -0 cat",
      'rg --files --hidden -0 | xargs -0 cat',
    ],
    ...['git ls-files -oz | xargs -0 cat', 'fd -H0 x | xargs -0 cat', 'git grep --untracked -lz x | xargs -0 cat'],
  ])('reads hidden files, and asks: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(2);
  });

  it.each([
    ...[
      'rg KEY',
      'rg KEY .',
      'rg -u KEY',
      "rg -g '*.ts' KEY",
      "rg -g '!*.min.js' KEY",
      'git grep KEY',
      'git log -p',
      'rg --files --hidden',
    ],
    ...[
      'grep -rn KEY src',
      "grep -rn KEY --include='*.ts' .",
      'grep -n KEY a.txt',
      'rg --hidden KEY src',
      'grep -rn KEY src test',
    ],
    ...["find . -name '*.ts' -exec cat {} +", 'find src -type f -exec grep x {} +', 'find . -type f -exec wc -l {} +'],
    ...[
      "find . -not -path './x/*' -name '*.ts' -exec cat {} +",
      "find . -name '*.ts' -print0 | xargs -0 cat",
      'git ls-files -z | xargs -0 cat',
      'ls | xargs stat',
    ],
  ])('passes: %s', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(1);
  });
});
