import { classifyBy } from './classify-command.js';
import { FAKE_TABLE } from './fake-table.js';
import type { Tier } from './verdict.js';

const tierOf = (line: string): Tier => classifyBy(FAKE_TABLE, line, 'bash').tier;

/** In bash 5.2 each of these executes the command in single quotes. */
describe('a quoted word that the shell evaluates', () => {
  it.each([
    "test -v 'a[$(id)]'",
    "[ -v 'a[$(id)]' ]",
    "[[ -v 'a[$(id)]' ]]",
    "[[ 'a[$(id)]' -eq 0 ]]",
    "[[ 0 -lt 'a[`id`]' ]]",
    "printf -v 'a[$(id)]' x",
    "read 'a[$(id)]'",
    "read -a 'a[$(id)]'",
    "let 'a[$(id)]=1'",
    "declare -i 'x=a[$(id)]'",
    "typeset 'a[$(id)]=1'",
    "declare 'a[$(id)]=1'",
    "local 'a[$(id)]=1'",
    "a['$(id)']=2",
    "mapfile 'a[$(id)]'",
    "getopts x 'a[$(id)]'",
    "wait -p 'a[$(id)]'",
    "x='a[$(id)]'; echo $((x))",
    "x='a[$(id)]'; ((x))",
    "x='a[$(id)]'; echo ${s:x}",
    "x='a[$(id)]'; echo ${s:1:x}",
    "x='a[$(id)]'; echo ${a[x]}",
    "x='a[$(id)]'; echo ${!x}",
    "x='a[$(id)]'; [[ x -eq 0 ]]",
    "x='a[$(id)]'; [[ $x -eq 0 ]]",
    "x='a[$(id)]'; let x",
    "x='a[$(id)]'; y=x; z=y; echo $((z))",
    "for x in 'a[$(id)]'; do echo $((x)); done",
    "declare -i x; x='a[$(id)]'",
    "declare 'x=a[$(id)]'; echo $((x))",
    "export 'x=a[$(id)]'; echo $((x))",
    "echo ${x:='a[$(id)]'} $((x))",
    "declare -n 'r=a[$(id)]'; echo $r",
    'echo ${x@P}',
    "trap 'rm -r x' EXIT",
    "eval 'rm -r x'",
    "mapfile -C 'rm -r x' y",
    "compgen -C 'rm -r x'",
    'hash -p /bin/x ls',
  ])('is Tier 3: %s', (line) => {
    expect(tierOf(line)).toBe(3);
  });

  it.each([
    ['test -v x', 1],
    ["test -v 'a[1]'", 1],
    ['[ "$x" -eq 0 ]', 1],
    ['[ $# -gt 1 ]', 1],
    ['[[ $x -eq 0 ]]', 1],
    ['[[ x -eq 0 && -f y ]]', 1],
    ["[[ $x == '$(id)' ]]", 1],
    ["printf '%s' '$(id)'", 1],
    ['read -r line', 1],
    ['read PATH', 2],
    ['let x=1+2', 1],
    ['declare -i x=1', 1],
    ['declare -A map', 1],
    ['declare -n ref=name', 2],
    ['echo ${!x}', 2],
    ['echo ${!prefix@}', 1],
    ['echo ${!a[@]}', 1],
    ['x=1; echo $((x + 1))', 1],
    ['read x; echo $((x))', 2],
    ['for x in *; do echo $((x)); done', 2],
    ['x=$y; echo $((x))', 2],
    ["x='a[$(id)]'; echo $((y))", 1],
    ["trap 'echo x' EXIT", 1],
    ['trap - EXIT', 1],
    ["eval 'echo x'", 1],
    ['eval "$x"', 2],
    ['source x', 2],
    ['alias', 1],
    ["alias x='rm y'", 2],
    ["alias x='rm -r y'", 3],
    ['set -euo pipefail', 1],
    ['set -o allexport', 2],
    ['history', 2],
    ['unset PATH', 2],
    ['export FOO=1', 2],
    ['export LC_ALL=C', 1],
  ] as const)('is judged by its effect: %s is Tier %i', (line, tier) => {
    expect(tierOf(line)).toBe(tier);
  });

  it('is judged as arithmetic in a test by zsh, and in printf', () => {
    expect(classifyBy(FAKE_TABLE, "[ 'a[$(id)]' -eq 0 ]", 'zsh').tier).toBe(3);
    expect(classifyBy(FAKE_TABLE, "printf %d 'a[$(id)]'", 'zsh').tier).toBe(3);
  });
});
