import { classifyBy } from './classify-command.js';
import { FAKE_TABLE } from './fake-table.js';
import { SHELLS } from '#lib/formats';
import type { Shell, Tier } from './verdict.js';

const tiersOf = (line: string): Record<Shell, Tier> =>
  Object.fromEntries(SHELLS.map((shell) => [shell, classifyBy(FAKE_TABLE, line, shell).tier])) as Record<Shell, Tier>;

/** As zsh 5.9 and dash 0.5.12 read them (T50). */
describe('T50: a line that other shells read otherwise', () => {
  it.each([
    ["ls *(e:'touch HIT':)", 'qualifiers behind a glob', { sh: 3, zsh: 3 }],
    ['ls @(a|b)', 'an extended glob', { sh: 3, zsh: 3 }],
    ['a=(+(x))', 'an extended glob in an array', { sh: 3, zsh: 3 }],
    ['=ls', 'a word that begins with =', { bash: 2, sh: 2, zsh: 3 }],
    ['echo =ls', 'an argument that begins with =', { sh: 1, zsh: 3 }],
    ['echo $~x', 'an expansion of zsh', { sh: 1, zsh: 3 }],
    ['echo $x[1]', 'a subscript without braces', { sh: 1, zsh: 3 }],
    ['echo "$x[1]"', 'a subscript in quotes', { sh: 1, zsh: 3 }],
    ['ls >! x', 'a forced redirection', { bash: 2, sh: 2, zsh: 3 }],
    ['repeat 1 ls', 'repeat', { bash: 2, sh: 2, zsh: 3 }],
    ['noglob ls', 'noglob', { bash: 2, sh: 2, zsh: 3 }],
    ['- ls', 'a precommand modifier', { bash: 2, sh: 2, zsh: 3 }],
    ['coproc ls', 'coproc', { sh: 3, zsh: 3 }],
    ["echo $'\\''", 'a quote in ANSI-C quotes', { sh: 3, zsh: 1 }],
    ['echo $[1 + 2]', 'the old arithmetic', { sh: 3, zsh: 1 }],
    ['ls {fd}>/dev/null', 'a variable for a descriptor', { sh: 3, zsh: 1 }],
    ['commands[ls]=/x', 'the path of a program', { bash: 2, sh: 2, zsh: 3 }],
    ["functions[ls]='touch HIT'", 'the text of a function', { bash: 2, sh: 2, zsh: 3 }],
    ['aliases+=(ls cat)', 'an alias in a table', { bash: 2, sh: 2, zsh: 3 }],
    [': ${commands[ls]:=/x}', 'the path of a program as a default', { bash: 2, sh: 2, zsh: 3 }],
    ["typeset 'commands[ls]=/x'", 'a quoted path of a program', { bash: 2, sh: 2, zsh: 3 }],
    ['commands=3', 'a text in the place of a table', { bash: 2, sh: 2, zsh: 2 }],
    ['alias ls=cat', 'an alias', { bash: 2, sh: 3, zsh: 3 }],
    ['[[ -f x || shutdown ]]', 'a condition with an operator', { sh: 3, zsh: 1 }],
    ['[[ a < b ]]', 'a comparison that sh takes for a redirection', { sh: 1, zsh: 1 }],
    ['[[ a > b ]]', 'a comparison that sh takes for a file to write', { sh: 2, zsh: 1 }],
  ] as const)('%s: %s', (line, _what, tiers) => {
    const { bash = 1, sh, zsh } = tiers as { bash?: Tier; sh: Tier; zsh: Tier };
    expect(tiersOf(line)).toEqual({ bash, sh, zsh, unknown: Math.max(sh, zsh) });
  });

  it.each(['echo ${(e)x}', 'echo ${~x}', 'echo ${^x}', 'ls =(cat x)', 'repeat 1 { ls; }', 'x==(ls)'])(
    'that bash refuses: %s',
    (line) => {
      expect(tiersOf(line)).toEqual({ bash: 3, sh: 3, zsh: 3, unknown: 3 });
    },
  );

  it.each([
    'ls *.ts',
    'ls -la src/**/*.ts | grep -v "x"',
    'cat src/[a-z]?.txt',
    'grep foo$ x',
    'grep "^a|b$" x',
    'echo \'a=(b)\' "*(x)"',
    '[ a = b ] || [ a == b ]',
    "grep -e $'\\t' x",
    'for f in *.ts; do cat "$f"; done',
    'ls {a,b}.ts',
    'cat <<E\nx $y\nE',
    'x=$y; echo "${x:-z}"',
    'grep x < y 2>/dev/null >&2',
  ])('is none of the ordinary lines: %s', (line) => {
    expect(tiersOf(line)).toEqual({ bash: 1, sh: 1, zsh: 1, unknown: 1 });
  });

  it('names the shell that the verdict holds for, and by default no known one', () => {
    expect(classifyBy(FAKE_TABLE, 'ls', 'zsh').shell).toBe('zsh');
  });

  it('is read as the shell that it is given to', () => {
    expect(tiersOf("bash -c 'ls @(a|b)'")).toEqual({ bash: 1, sh: 1, zsh: 1, unknown: 1 });
    expect(tiersOf("zsh -c 'ls @(a|b)'")).toEqual({ bash: 3, sh: 3, zsh: 3, unknown: 3 });
  });
});
