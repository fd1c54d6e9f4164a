import { classifyBy } from './classify-command.js';
import { FAKE_TABLE } from './fake-table.js';
import { readArithmetic } from './read-arithmetic.js';

describe('arithmetic', () => {
  it.each([
    ['1 + 2', []],
    ['', []],
    ['x', ['x']],
    ['$x + ${y}', ['x', 'y']],
    ['(x + 1) * -y', ['x', 'y']],
    ['x = y ? 1 : 2', ['x', 'y']],
    ['i++', ['i']],
    ['++i, j--', ['i', 'j']],
    ['16#ff | 0x1F & ~1', []],
    ['a << 2 >= b && !c', ['a', 'b', 'c']],
    ['a[i + 1] += 2', ['a', 'i']],
    ['2 ** 3 % 5', []],
    ['$1 + $#', ['@']],
    ['\n 1\t', []],
  ])('reads %j and names the variables', (text, names) => {
    expect(readArithmetic(text)?.names).toEqual(names);
  });

  it.each([
    ['x = y ? 1 : 2', ['x']],
    ['x += (y = 2)', ['x', 'y']],
    ['x == y <= z >= 1 != 2', []],
    ['x <<= 1, y ^= 2', ['x', 'y']],
    ['i++ + --j', ['i', 'j']],
    ['a[i = 1] = 2', ['i', 'a']],
    ['a[b[1]] %= 2', ['a']],
    ['$x = 1', ['$x']],
    ['${x}++', ['$x']],
    ['$1 = 1', ['$1']],
    ['- x', []],
  ])('names the variables that %j assigns to', (text, assigned) => {
    expect(readArithmetic(text)?.assigned).toEqual(assigned);
  });

  it.each([
    'rm -rf x',
    'rm -rf x $(case y in (y) :;; *) :;; esac)',
    '$(id)',
    '`id`',
    'x; y',
    'x "y"',
    "a['x']",
    '1 +',
    '+',
    '(1',
    '1)',
    '(1]',
    'f(x)',
    '()',
    'x y',
    '1 [2]',
    '${x:-1}',
    '${x@P}',
    'a.b',
    'x\\',
    '{1}',
    '1 ++ 2',
  ])('refuses %j', (text) => {
    expect(readArithmetic(text)).toBeNull();
  });
});

const namesOf = (line: string, shell: 'bash' | 'unknown' = 'bash'): (string | null)[] =>
  classifyBy(FAKE_TABLE, line, shell).parts.map(({ program }) => program);

/** Bash gives arithmetic up, and executes the text (T49). */
describe('text that is no arithmetic', () => {
  it('is Tier 3, and the commands that bash would execute are among its parts', () => {
    const line = 'echo $(( rm -rf x $(case y in (y) :;; *) :;; esac) ))';
    const verdict = classifyBy(FAKE_TABLE, line, 'bash');
    expect(verdict).toMatchObject({ tier: 3, class: 'DESTRUCTIVE' });
    expect(verdict.parts.find(({ program }) => program === 'rm')).toMatchObject({ start: line.indexOf('rm'), tier: 3 });
  });

  it.each([
    ['an expansion', 'echo $((ls x))'],
    ['an expansion in quotes', 'echo "$((ls x))"'],
    ['the old form', 'echo $[ls x]'],
    ['a command', '((ls x))'],
    ['the first of a loop', 'for ((ls x; 1; 2)); do :; done'],
    ['the last of a loop', 'for ((1; 2; ls x)); do :; done'],
    ['a subscript that is assigned', 'a[ls x]=1'],
    ['a subscript that is read', 'echo ${a[ls x]}'],
    ['a subscript in an array', 'a=([ls x]=1)'],
    ['an offset', 'echo ${x:ls x}'],
    ['a length', 'echo ${x:1:ls x}'],
    ['a here-document', 'cat <<E\n$((ls x))\nE'],
  ])('in %s', (_what, line) => {
    expect(classifyBy(FAKE_TABLE, line, 'bash').tier).toBe(3);
    expect(namesOf(line)).toContain('ls');
  });

  it.each([
    'echo $((1 + 2))',
    'echo "$((x * 2))"',
    'echo $[x + 1]',
    '((x > 1)) && echo y',
    'for ((i = 0; i < 3; i++)); do echo $i; done',
    'a[1]=2',
    'echo ${a[i + 1]} ${a[@]} ${#a[*]}',
    'echo ${x:1:2} ${x: -1}',
    'echo $((6 & 3 | 4 ^ 1))',
  ])('does not stand in %s', (line) => {
    expect(classifyBy(FAKE_TABLE, line, 'bash').tier).toBe(1);
  });

  /** bash 5.2 executes `5/ls` behind each of the first six if the workspace has such a file. */
  it.each([
    '((PATH=5)); ls',
    'echo $((PATH=5)); ls',
    'let PATH=5; ls',
    '[[ 1 -eq PATH=5 ]] && ls',
    ': ${a[PATH=5]} ${x:PATH=5}; ls',
    'for ((PATH=5;;)); do ls; done',
    'a[PATH=5]=1; ls',
    'echo $((PATH++)); ls',
    '((PATH[0] = 5)); ls',
    'x=PATH; ((${x}=5)); ls',
    'x=PATH=5; ((x)); ls',
    "x='PATH='; echo $((x + 5)); ls",
    'x=PATH; x+==5; ((x)); ls',
    'test 1 -eq PATH=5; ls',
    "read 'a[PATH=5]' <y; ls",
    'printf %d PATH=5; ls',
  ])('gives a variable that changes what runs another value in %s', (line) => {
    const { tier, parts } = classifyBy(FAKE_TABLE, line, 'bash');
    expect(tier).toBe(2);
    expect(parts.flatMap(({ reasons }) => reasons).map(({ code }) => code)).toContain('shell.changes_what_runs');
  });

  it('is a command for sh, which does not know ((', () => {
    expect(namesOf('((shutdown))', 'bash')).toEqual([null]);
    expect(namesOf('((shutdown))', 'unknown')).toContain('shutdown');
    expect(classifyBy(FAKE_TABLE, '((shutdown))', 'sh').tier).toBe(3);
  });
});
