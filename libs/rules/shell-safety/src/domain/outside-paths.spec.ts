import { classifyCommand } from './classify-command.js';
import { readsOutside } from './outside-paths.js';
import { literal } from './read-word.js';

const word = (text: string) => literal(text, text, 0, text.length);

describe('a path outside the workspace', () => {
  it.each([
    ...['..', '../x', './../x', 'a/../../x', 'a/b/../../../x', '*/../../x', '**/../x', 'if=../x', '--file=/srv/x'],
    ...[
      '~ada',
      '~ada/x',
      '/srv/x',
      '/home/ada/x',
      '/opt/x',
      '/data',
      '/etc/../srv/x',
      '/var/www/x',
      '/dev/sda',
      '/*/x',
    ],
  ])('%s', (path) => {
    expect(readsOutside(word(path))).toBe(true);
  });

  it.each([
    ...['', '.', 'x', 'a/../x', 'a/b/../../x', '..x', 'a/..b', '**', '*', '~', '~/x', 'a=b', 'x/~ada'],
    ...['/', '/usr/include/x.h', '/etc/hosts', '/proc/cpuinfo', '/sys/class', '/var/log/syslog', '/tmp/x', '/dev/null'],
  ])('none: %s', (path) => {
    expect(readsOutside(word(path))).toBe(false);
  });
});

it.each([
  ...[
    'cat ../x',
    'cat < ../x',
    'grep key ../x',
    'head -n1 /srv/notes',
    'git -C ../other log',
    'cd .. && cat x',
    'sort ~ada/x',
  ],
  ...[
    'for f in ../x; do cat $f; done',
    'f=../x; cat $f',
    'ls ../a | xargs cat',
    'sed "r ../x" a',
    'cat "$PWD/../x"',
    'dd if=../x',
    "sh -c 'cat ../x'",
    'find ../a -name x -exec cat {} +',
  ],
])('is read at Tier 2: %s', (line) => {
  const { tier, class: shellClass, parts } = classifyCommand(line, 'bash');
  expect(tier).toBe(2);
  if (shellClass !== 'READ_ONLY') return;
  const codes = parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  expect(codes.some((code) => code === 'shell.reads_outside' || code === 'shell.reads_secret')).toBe(true);
});

it.each([
  ...[
    'ls ..',
    '/bin/ls -la /opt',
    'stat ../x',
    'du -sh /srv',
    'wc -l ../x',
    'cat x',
    'cat sub/../x',
    'tail /var/log/syslog',
  ],
  ...['grep .. x', 'cat /etc/hosts', 'git log HEAD..main', 'git diff main...HEAD'],
])('no file outside is read: %s', (line) => {
  expect(classifyCommand(line, 'bash').tier).toBe(1);
});
