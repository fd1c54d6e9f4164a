import { classifyBy } from '../classify-command.js';
import { FAKE_TABLE } from '../fake-table.js';
import { readSed } from './read-sed.js';

describe('a program of sed', () => {
  it.each([
    's/a/b/',
    's/a/b/gI',
    's|a|b|2p',
    's/\\//x/',
    's/[^a]/b/',
    's/[]w]/x/',
    '1,5p',
    '$d',
    '/a/,/b/d',
    '/a/,+3p',
    '0~3d',
    '1~2!d',
    '\\,a,d',
    '/a/I{ s/x/y/; p; }',
    'y/abc/xyz/',
    ':a; N; $!ba; s/\\n/ /g',
    'a\\\ntext; w x\\\nmore',
    'i text e w',
    '# w x\np',
    'n;n;q5',
    '=',
    'l 80',
    '',
  ])('that only filters: %j', (text) => {
    expect(readSed(text)).toMatchObject({ executes: false, writes: [], reads: [] });
  });

  it.each([
    ['w x', { writes: ['x'] }],
    ['/a/w x y', { writes: ['x y'] }],
    ['s/a/b/w x', { writes: ['x'] }],
    ['s/a/b/gpw x', { writes: ['x'] }],
    ['W x', { writes: ['x'] }],
    ['p\nw x', { writes: ['x'] }],
    ['{p;w x\n}', { writes: ['x'] }],
    ['r x', { reads: ['x'] }],
    ['e', { executes: true }],
    ['1e id', { executes: true }],
    ['s/a/b/e', { executes: true }],
    ['s/a/b/ge', { executes: true }],
  ])('with an effect: %j', (text, effect) => {
    expect(readSed(text)).toMatchObject(effect);
  });

  it.each(['s/a/b', 's/[/]w x/y/', 'k', 'p p', 's/a/b/z', 'F x', 'v 4', '/a', 's\na\nb\n', 'y/a/', '1,'])(
    'that implementations do not read alike, or not at all: %j',
    (text) => {
      const read = readSed(text);
      expect(read === null || text === '1,').toBe(true);
    },
  );

  it.each([
    ["sed -n '1,20p' x", 1],
    ["sed -e p -e 'w x' y", 2],
    ["sed 'w /dev/stdout' x", 1],
    ["sed 'r /etc/shadow' x", 2],
    ['sed "$x" y', 2],
    ['sed -n "1,${x}p" y', 2],
    ["sed -i.bak 's/a/b/' x", 2],
  ] as const)('decides about the line: %s is Tier %i', (line, tier) => {
    expect(classifyBy(FAKE_TABLE, line, 'bash').tier).toBe(tier);
  });

  it('is no ordinary write, if the file is code for somebody', () => {
    expect(classifyBy(FAKE_TABLE, 'sed -i s/a/b/ src/x.ts', 'bash').class).toBe('WRITE');
    expect(classifyBy(FAKE_TABLE, 'sed -i s/a/b/ package.json', 'bash').class).toBe('UNKNOWN');
  });
});
